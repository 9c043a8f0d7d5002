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

static int choose_size(const struct plan *p, struct plan_run *r, struct fault *f)
{
	const char *text = jobfile_get(&r->job, "size");
	uint64_t slice;

	if (text) {
		r->asked_vm_size = jobfile_size(text);
		if (!r->asked_vm_size)
			return fault_set(
				f,
				"profile %s has size=%s, which is not a number with k, m, g or t",
				r->profile->id, text);
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
	return 0;
}

static int choose_concurrency(const struct plan *p, struct plan_run *r, struct fault *f)
{
	r->threads = jobfile_number(&r->job, "numjobs", 1);
	r->outstanding = jobfile_number(&r->job, "iodepth", 1);
	if (!r->threads || !r->outstanding)
		return fault_set(f,
				 "profile %s has a numjobs or iodepth that is not a whole number",
				 r->profile->id);
	r->numjobs = r->threads;
	r->iodepth = r->outstanding;
	if (r->target->synchronous) {
		/* such an engine has one I/O in flight per job, so jobs take the place of depth */
		r->numjobs = r->threads * r->outstanding;
		r->iodepth = 1;
	}
	if ((uint64_t)r->numjobs * p->options.vms > MAX_JOBS)
		return fault_set(
			f,
			"%u VMs with %u jobs each on %s are more than the %u jobs that fio takes: "
			"lower --vms",
			p->options.vms, r->numjobs, r->target->name, MAX_JOBS);
	return 0;
}

static int choose_times(const struct plan *p, struct plan_run *r, struct fault *f)
{
	r->runtime_s = jobfile_number(&r->job, "runtime", 60);
	r->ramp_s = jobfile_get(&r->job, "ramp_time") ? jobfile_number(&r->job, "ramp_time", 0) : 0;
	if (!r->runtime_s)
		return fault_set(f, "profile %s has a runtime= that is not in whole seconds",
				 r->profile->id);
	r->asked_runtime_s = r->runtime_s;
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

static int make_run(const struct plan *p, struct plan_run *r, struct fault *f)
{
	char *path = mem_printf("%s/%s", p->paper->dir, r->profile->file);
	int ret = jobfile_read(&r->job, path, f);

	free(path);
	if (ret)
		return -1;
	r->changes = jobfile_changes_target(&r->job);
	if (!r->target->direct && jobfile_get(&r->job, "direct"))
		jobfile_set(&r->job, "direct", "0");
	set_target_options(&r->job, r->target);
	if (choose_size(p, r, f) || choose_concurrency(p, r, f) || choose_times(p, r, f))
		return -1;
	jobfile_set(&r->job, "time_based", "1");
	set_number(&r->job, "runtime", r->runtime_s);
	set_number(&r->job, "ramp_time", r->ramp_s);
	set_number(&r->job, "numjobs", r->numjobs);
	set_number(&r->job, "iodepth", r->iodepth);
	/* percentiles of the total latency: the only one that means the same in every engine */
	jobfile_set(&r->job, "lat_percentiles", "1");
	jobfile_set(&r->job, "clat_percentiles", "0");
	/* at depth 1 our engine can submit and wait in one system call; only total latency is
	 * printed */
	if (!strcmp(r->target->engine, "uring") && r->iodepth == 1 &&
	    !jobfile_get(&r->job, "submit")) {
		jobfile_set(&r->job, "submit", "fused");
		r->target->fused = true;
	}
	jobfile_remove(&r->job, "size"); /* written per VM */
	jobfile_remove(&r->job, "group_reporting");
	r->dir = mem_printf("%s/%s/%s/%u", r->target->name, p->scenario->id, r->profile->id,
			    r->repeat);
	return 0;
}

int plan_make(struct plan *plan, const struct paper_profile *const *profiles, size_t n,
	      struct fault *f)
{
	plan->runs = mem_new(plan->n_targets * n * plan->options.repeat, sizeof(*plan->runs));
	for (size_t t = 0; t < plan->n_targets; t++) {
		for (size_t i = 0; i < n; i++) {
			for (unsigned int k = 1; k <= plan->options.repeat; k++) {
				struct plan_run *r = &plan->runs[plan->n_runs++];

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

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		jobfile_free(&plan->runs[i].job);
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

int plan_write_job(const struct plan *plan, const struct target *t, const struct jobfile *job,
		   uint64_t vm_size, const char *title, const char *path, struct fault *f)
{
	/* slices of a device are as far apart as the largest run on it needs them */
	uint64_t stride = plan_vm_size(plan, t);
	FILE *out = fopen(path, "we");
	int ret = 0;

	if (!out)
		return fault_set(f, "cannot write %s: %s", path, strerror(errno));
	fprintf(out, "# Rendered by fiopack %s for target %s\n[global]\n", FIOPACK_VERSION,
		t->name);
	jobfile_print(job, out);
	for (unsigned int vm = 1; !ret && vm <= plan->options.vms; vm++) {
		char *file = target_vm_path(t, vm);

		fprintf(out, "\n[%s.vm%u]\n", title, vm);
		ret = jobfile_print_path(out, "filename", file, f);
		if (t->kind == TARGET_BLOCK)
			fprintf(out, "offset=%" PRIu64 "\n", (vm - 1) * stride);
		fprintf(out, "size=%" PRIu64 "\n", vm_size);
		free(file);
	}
	if (fclose(out) && !ret)
		ret = fault_set(f, "cannot write %s: %s", path, strerror(errno));
	return ret;
}
