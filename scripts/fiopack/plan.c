// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the translation of "this profile on that target" into a fio job: which
 * option values come from the profile, which from the user, which from what the
 * engine can do. Runs nothing and asks no device.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../normalize/mem.h"
#include "engines/version.h"
#include "plan.h"

#define MIB ((uint64_t)1024 * 1024)

/* --quick: long enough for a table with every cell filled, too short to be a measurement. */
#define QUICK_RUNTIME_S 5
#define QUICK_RAMP_S	1
#define QUICK_VM_SIZE	(256 * MIB)

/* REAL_MAX_JOBS in fio's os/os.h */
#define MAX_JOBS 4096u

/* What one part of the profile asks for, as its job file says it. 0: it says nothing. */
static int asked_region(const struct plan_run *r, struct plan_part *part, struct fault *f)
{
	const char *size = jobfile_get(&part->job, "size");
	const char *offset = jobfile_get(&part->job, "offset");
	const char *bad = NULL;

	part->size = size ? jobfile_size(size) : 0;
	part->offset = offset ? jobfile_size(offset) : 0;
	if (size && !part->size)
		bad = "size";
	else if (offset && !part->offset && strcmp(offset, "0"))
		bad = "offset";
	if (bad)
		return fault_set(f, "profile %s has %s=%s, which is not a number with k, m, g or t",
				 r->profile->id, bad, jobfile_get(&part->job, bad));
	if (!size && (offset || r->n_parts > 1))
		return fault_set(f, "section [%s] of profile %s does not say size=", part->name,
				 r->profile->id);
	return 0;
}

static uint64_t scale(uint64_t n, uint64_t by, uint64_t of)
{
	return (uint64_t)((unsigned __int128)n * by / of) / MIB * MIB;
}

/* A region of another size than the profile's: its parts keep their shares, in whole MiB. */
static int place_parts(const struct plan *p, struct plan_run *r, struct fault *f)
{
	for (size_t i = 0; i < r->n_parts; i++) {
		struct plan_part *part = &r->parts[i];
		uint64_t end = part->offset + part->size;

		if (!r->asked_vm_size) {
			part->size = r->vm_size;
		} else if (r->vm_size != r->asked_vm_size) {
			part->offset = scale(part->offset, r->vm_size, r->asked_vm_size);
			part->size = scale(end, r->vm_size, r->asked_vm_size) - part->offset;
		}
		if (!part->size)
			return fault_set(f,
					 "%s would have less than 1 MiB in the %" PRIu64
					 " MiB of each of %u VMs on %s: raise --vm-size or lower "
					 "--vms",
					 part->name, r->vm_size / MIB, p->options.vms,
					 r->target->name);
	}
	return 0;
}

static int choose_size(const struct plan *p, struct plan_run *r, struct fault *f)
{
	uint64_t slice;

	for (size_t i = 0; i < r->n_parts; i++) {
		struct plan_part *part = &r->parts[i];

		if (asked_region(r, part, f))
			return -1;
		if (part->offset + part->size > r->asked_vm_size)
			r->asked_vm_size = part->offset + part->size;
	}
	r->vm_size = p->options.vm_size;
	if (!r->vm_size)
		r->vm_size = p->options.quick ? QUICK_VM_SIZE : r->asked_vm_size;
	if (r->target->kind == TARGET_BLOCK) {
		slice = r->target->bytes / p->options.vms / MIB * MIB;
		if (!slice)
			return fault_set(f, "%s is too small for %u VMs", r->target->path,
					 p->options.vms);
		if (r->vm_size > slice && p->options.vm_size)
			return fault_set(f,
					 "%s has %" PRIu64
					 " MiB for each of %u VMs: lower --vm-size or --vms",
					 r->target->path, slice / MIB, p->options.vms);
		if (!r->vm_size || r->vm_size > slice)
			r->vm_size = slice;
	}
	if (!r->vm_size)
		return fault_set(f, "profile %s does not say size=: pass --vm-size",
				 r->profile->id);
	return place_parts(p, r, f);
}

/*
 * A limit that one thread had with all of its outstanding I/Os is shared by the jobs that
 * take their place. It is then less than 1 IOPS at times, so it is written in bytes.
 */
static int share_rate(struct plan_part *part, const char *option, struct fault *f)
{
	const char *bs = jobfile_get(&part->job, "bs"), *given = jobfile_get(&part->job, option);
	uint64_t unit = strcmp(option, "rate") ? jobfile_size(bs ? bs : "4k") : 1;
	char *text = mem_copy(""), *list, *save, *word;
	int ret = 0;

	if (!given)
		given = "";
	list = mem_copy(given);
	for (word = strtok_r(list, ",", &save); !ret && word; word = strtok_r(NULL, ",", &save)) {
		uint64_t n = jobfile_size(word), all;
		char *longer;

		if (!n || !unit || __builtin_mul_overflow(n, unit, &all)) {
			ret = fault_set(f, "[%s] has %s=%s, which is no list of numbers",
					part->name, option, given);
			break;
		}
		longer =
			mem_printf("%s%s%" PRIu64, text, *text ? "," : "", all / part->outstanding);
		free(text);
		text = longer;
	}
	if (!ret && *text) {
		jobfile_remove(&part->job, option);
		jobfile_set(&part->job, "rate", text);
	}
	free(list);
	free(text);
	return ret;
}

static int choose_concurrency(const struct plan *p, struct plan_run *r, struct fault *f)
{
	uint64_t jobs = 0;

	for (size_t i = 0; i < r->n_parts; i++) {
		struct plan_part *part = &r->parts[i];

		part->threads = jobfile_number(&part->job, "numjobs", 1);
		part->outstanding = jobfile_number(&part->job, "iodepth", 1);
		if (!part->threads || !part->outstanding)
			return fault_set(
				f, "profile %s has a numjobs or iodepth that is not a whole number",
				r->profile->id);
		part->numjobs = part->threads;
		part->iodepth = part->outstanding;
		if (r->target->synchronous) {
			/* such an engine has one I/O in flight per job, so jobs take the place of
			 * depth */
			part->numjobs = part->threads * part->outstanding;
			part->iodepth = 1;
			if (share_rate(part, "rate", f) || share_rate(part, "rate_iops", f))
				return -1;
		}
		jobs += part->numjobs;
	}
	if (jobs * p->options.vms > MAX_JOBS)
		return fault_set(f,
				 "%u VMs with %" PRIu64
				 " jobs each on %s are more than the %u jobs that fio takes: "
				 "lower --vms",
				 p->options.vms, jobs, r->target->name, MAX_JOBS);
	return 0;
}

static int choose_times(const struct plan *p, struct plan_run *r, struct fault *f)
{
	const struct jobfile *job = &r->parts[0].job; /* all parts of a run take as long */

	r->runtime_s = jobfile_number(job, "runtime", 60);
	r->ramp_s = jobfile_get(job, "ramp_time") ? jobfile_number(job, "ramp_time", 0) : 0;
	if (!r->runtime_s)
		return fault_set(f, "profile %s has a runtime= that is not in whole seconds",
				 r->profile->id);
	r->asked_runtime_s = jobfile_get(job, "runtime") ? r->runtime_s : 0;
	r->asked_ramp_s = r->ramp_s;
	if (p->options.quick) {
		r->runtime_s = QUICK_RUNTIME_S;
		r->ramp_s = QUICK_RAMP_S;
	}
	if (p->options.runtime_s)
		r->runtime_s = p->options.runtime_s;
	if (p->options.ramp_given)
		r->ramp_s = p->options.ramp_s;
	return 0;
}

static void set_number(struct jobfile *j, const char *name, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	jobfile_set(j, name, text);
}

static void set_target_options(struct jobfile *j, const struct target *t)
{
	jobfile_set(j, "ioengine", t->ioengine);
	for (size_t i = 0; i < t->n_options; i++) {
		char *name = mem_copy(t->options[i]), *eq = strchr(name, '=');

		if (eq)
			*eq = '\0';
		jobfile_set(j, name, eq ? eq + 1 : NULL);
		free(name);
	}
}

/* The sections of the profile, which are what paper.json says that they are. */
static int read_parts(const struct plan *p, struct plan_run *r, struct fault *f)
{
	const struct paper_profile *pr = r->profile;
	struct jobfile_parts read = {0};
	char *path;
	FILE *in = paper_open_job(p->paper, pr, &path, f);
	int ret = in ? jobfile_read(&read, in, path, f) : -1;

	if (in)
		fclose(in);
	if (!ret && read.n != (pr->n_parts ? pr->n_parts : 1))
		ret = fault_set(f, "%s has %zu sections beside [global], and %zu in paper.json",
				path, read.n, pr->n_parts ? pr->n_parts : 1);
	for (size_t i = 0; !ret && i < pr->n_parts; i++) {
		if (strcmp(read.list[i].section, pr->parts[i].id))
			ret = fault_set(f, "%s: section [%s] is %s in paper.json", path,
					read.list[i].section, pr->parts[i].id);
	}
	if (!ret) {
		r->parts = mem_new(read.n, sizeof(*r->parts));
		for (; r->n_parts < read.n; r->n_parts++) {
			struct plan_part *part = &r->parts[r->n_parts];

			part->name = pr->n_parts ? pr->parts[r->n_parts].id : pr->id;
			part->job = read.list[r->n_parts];
			read.list[r->n_parts] = (struct jobfile){0};
		}
	}
	jobfile_free_parts(&read);
	free(path);
	return ret;
}

static void set_options(const struct plan_run *r, struct plan_part *part)
{
	struct jobfile *job = &part->job;

	jobfile_set(job, "time_based", "1");
	set_number(job, "runtime", r->runtime_s);
	set_number(job, "ramp_time", r->ramp_s);
	set_number(job, "numjobs", part->numjobs);
	set_number(job, "iodepth", part->iodepth);
	/* percentiles of the total latency: the only one that means the same in every engine */
	jobfile_set(job, "lat_percentiles", "1");
	jobfile_set(job, "clat_percentiles", "0");
	/* at depth 1 our engine can submit and wait in one system call; only total latency is
	 * printed */
	if (!strcmp(r->target->engine, "uring") && part->iodepth == 1 &&
	    !jobfile_get(job, "submit")) {
		jobfile_set(job, "submit", "fused");
		r->target->fused = true;
	}
	jobfile_remove(job, "size"); /* written per VM */
	jobfile_remove(job, "offset");
	jobfile_remove(job, "group_reporting");
}

static int make_run(const struct plan *p, struct plan_run *r, struct fault *f)
{
	if (read_parts(p, r, f))
		return -1;
	for (size_t i = 0; i < r->n_parts; i++) {
		struct jobfile *job = &r->parts[i].job;

		r->changes |= jobfile_changes_target(job);
		r->reads |= jobfile_reads_target(job);
		if (!r->target->direct && jobfile_get(job, "direct"))
			jobfile_set(job, "direct", "0");
		set_target_options(job, r->target);
	}
	if (choose_size(p, r, f) || choose_concurrency(p, r, f) || choose_times(p, r, f))
		return -1;
	for (size_t i = 0; i < r->n_parts; i++)
		set_options(r, &r->parts[i]);
	r->dir = mem_printf("%s/%s/%s/%u", r->target->name, r->scenario->id, r->profile->id,
			    r->repeat);
	return 0;
}

static int make_scenario(struct plan *plan, const struct paper_scenario *scenario,
			 const struct paper_profile *const *profiles, size_t n, struct fault *f)
{
	for (size_t t = 0; t < plan->n_targets; t++) {
		for (size_t i = 0; i < n; i++) {
			for (unsigned int k = 1; k <= plan->options.repeat; k++) {
				struct plan_run *r = &plan->runs[plan->n_runs++];

				r->scenario = scenario;
				r->profile = profiles[i];
				r->target = &plan->targets[t];
				r->repeat = k;
				if (make_run(plan, r, f))
					return -1;
			}
		}
	}
	return 0;
}

int plan_make(struct plan *plan, const struct paper_profile *const *profiles, size_t n,
	      struct fault *f)
{
	plan->runs = mem_new(plan->n_scenarios * plan->n_targets * n * plan->options.repeat,
			     sizeof(*plan->runs));
	for (size_t i = 0; i < plan->n_scenarios; i++) {
		if (make_scenario(plan, plan->scenarios[i], profiles, n, f))
			return -1;
	}
	return 0;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		for (size_t k = 0; k < plan->runs[i].n_parts; k++)
			jobfile_free(&plan->runs[i].parts[k].job);
		free(plan->runs[i].parts);
		free(plan->runs[i].dir);
	}
	free(plan->runs);
	for (size_t i = 0; i < plan->n_targets; i++)
		target_free(&plan->targets[i]);
	free(plan->targets);
}

uint64_t plan_vm_size(const struct plan *plan, const struct target *t)
{
	uint64_t most = 0;

	for (size_t i = 0; i < plan->n_runs; i++) {
		if (plan->runs[i].target == t && plan->runs[i].vm_size > most)
			most = plan->runs[i].vm_size;
	}
	return most;
}

uint64_t plan_working_set(const struct plan *plan, const struct target *t)
{
	return plan_vm_size(plan, t) * plan->options.vms;
}

bool plan_changes(const struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		if (plan->runs[i].target == t && plan->runs[i].changes)
			return true;
	}
	return false;
}

bool plan_has_work(const struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		if (plan->runs[i].target == t && !plan->runs[i].done)
			return true;
	}
	return false;
}

int plan_write_job(const struct plan *plan, const struct target *t, const struct plan_part *parts,
		   size_t n, const char *path, struct fault *f)
{
	/* slices of a device are as far apart as the largest run on it needs them */
	uint64_t stride = plan_vm_size(plan, t);
	FILE *out = fopen(path, "we");
	struct jobfile common;
	int ret = 0;

	if (!out)
		return fault_set(f, "cannot write %s: %s", path, strerror(errno));
	jobfile_copy(&common, &parts[0].job);
	for (size_t i = 1; i < n; i++)
		jobfile_keep_common(&common, &parts[i].job);
	fprintf(out, "# Rendered by fiopack %s for target %s\n[global]\n", FIOPACK_VERSION,
		t->name);
	jobfile_print(&common, NULL, out);
	for (unsigned int vm = 1; !ret && vm <= plan->options.vms; vm++) {
		char *file = target_vm_path(t, vm);
		uint64_t base = t->kind == TARGET_BLOCK ? (vm - 1) * stride : 0;

		for (size_t i = 0; !ret && i < n; i++) {
			fprintf(out, "\n[%s.vm%u]\n", parts[i].name, vm);
			ret = jobfile_print_path(out, "filename", file, f);
			if (t->kind == TARGET_BLOCK || parts[i].offset)
				fprintf(out, "offset=%" PRIu64 "\n", base + parts[i].offset);
			fprintf(out, "size=%" PRIu64 "\n", parts[i].size);
			jobfile_print(&parts[i].job, &common, out);
		}
		free(file);
	}
	jobfile_free(&common);
	if (fclose(out) && !ret)
		ret = fault_set(f, "cannot write %s: %s", path, strerror(errno));
	return ret;
}
