// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a plan: fills targets, starts fio for each run, keeps what it leaves, and
 * shows how far it is. What the plan is and what the user asked for is command_run's
 * (run_command.c); what the figures mean is the normalizer's.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "../normalize/reason.h"
#include "fill.h"
#include "progress.h"
#include "run.h"
#include "spawn.h"
#include "store.h"

/* Time that a run may take beyond what was planned before it counts as hung. */
#define SLACK_S 300U

enum outcome { DONE, FAILED, STOPPED };

/*
 * Is there a job in the result? fio can end with status 0 without having run any, as
 * when it refuses a mounted device.
 */
static bool has_result(const char *dir)
{
	char *path = mem_printf("%s/fio.json", dir), *line = NULL;
	FILE *in = fopen(path, "re");
	bool found = false;
	size_t cap = 0;

	while (in && !found && getline(&line, &cap, in) > 0)
		found = strstr(line, "\"jobname\"");
	if (in)
		fclose(in);
	free(line);
	free(path);
	return found;
}

static enum outcome run_fio(struct run *run, const char *dir, bool readonly, unsigned int limit_s,
			    const char *engine)
{
	const char *argv[] = {run->fio,
			      "--output-format=json+",
			      "--output=fio.json",
			      "--eta=never",
			      readonly ? "--readonly" : "job.fio",
			      readonly ? "job.fio" : NULL,
			      NULL};
	const struct spawn s = {.argv = argv,
				.dir = dir,
				.log = "fio.log",
				.limit_s = limit_s,
				.tick = progress_tick,
				.arg = &run->progress};
	struct fault f = {""};
	char *log, *why;
	int status;

	switch (spawn_run(&s, &status, &f)) {
	case SPAWN_INTERRUPTED:
		return STOPPED;
	case SPAWN_FAILED:
		progress_clear(&run->progress);
		fprintf(stderr, "fiopack: %s\n", f.text);
		return FAILED;
	case SPAWN_TIMED_OUT:
		progress_clear(&run->progress);
		fprintf(stderr,
			"fiopack: fio did not end %u s after it should have, and was stopped\n",
			SLACK_S);
		return FAILED;
	case SPAWN_EXITED:
		break;
	}
	if (!status && has_result(dir))
		return DONE;
	log = mem_printf("%s/fio.log", dir);
	why = reason_of_log(log, engine);
	progress_clear(&run->progress);
	fprintf(stderr, "fiopack: fio ended with status %d: %s\n", status,
		why ? why : "it did not say why");
	free(why);
	free(log);
	return FAILED;
}

/* Run a job in <place>.partial and rename the folder to tell how it ended. */
static enum outcome run_job(struct run *run, const struct target *t, const struct plan_part *parts,
			    size_t n, const char *place, bool readonly, unsigned int limit_s)
{
	char *partial = mem_printf("%s.partial", place), *failed = mem_printf("%s.failed", place);
	char *file = mem_printf("%s/job.fio", partial);
	enum outcome end = FAILED;
	struct fault f = {""};

	if (!store_make_dirs(partial, &f) && !plan_write_job(run->plan, t, parts, n, file, &f))
		end = run_fio(run, partial, readonly, limit_s, t->engine);
	if (end == STOPPED)
		store_remove_dir(partial);
	else if (!access(partial, F_OK) && rename(partial, end == DONE ? place : failed))
		fault_set(&f, "cannot rename %s: %s", partial, strerror(errno));
	if (f.text[0]) {
		progress_clear(&run->progress);
		fprintf(stderr, "fiopack: %s\n", f.text);
		end = FAILED;
	}
	free(file);
	free(failed);
	free(partial);
	return end;
}

/* Does filling `t` fill `other` too? One disk is often measured with several engines. */
static bool fills_too(const struct plan *plan, const struct target *t, const struct target *other)
{
	return !strcmp(other->path, t->path) && plan_vm_size(plan, other) <= plan_vm_size(plan, t);
}

static void note_filled(struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_targets; i++)
		plan->targets[i].filled |= fills_too(plan, t, &plan->targets[i]);
}

static unsigned int planned_fills(const struct plan *plan)
{
	unsigned int n = 0;

	for (size_t i = 0; i < plan->n_targets; i++) {
		bool done = plan->targets[i].filled;

		for (size_t k = 0; k < i; k++)
			done |= !plan->targets[k].filled &&
				fills_too(plan, &plan->targets[k], &plan->targets[i]);
		n += !done;
	}
	return n;
}

static enum outcome fill(struct run *run, struct target *t)
{
	char *place = mem_printf("%s/%s/.fill", run->root, t->name);
	struct fault f = {""};
	struct plan_part part;
	enum outcome end;

	progress_step(&run->progress, 0, "%s: writing %llu MiB once, so that there is data to read",
		      t->name, (unsigned long long)(plan_working_set(run->plan, t) >> 20));
	fill_job(run->plan, t, &part);
	if (fill_prepare(run->plan, t, &f)) {
		progress_clear(&run->progress);
		fprintf(stderr, "fiopack: %s\n", f.text);
		store_note_failure(place, f.text);
		end = FAILED;
	} else {
		end = run_job(run, t, &part, 1, place, false, 0);
	}
	if (end == DONE)
		note_filled(run->plan, t);
	else if (end == FAILED)
		fprintf(stderr, "fiopack: %s could not be filled, so it is not measured\n",
			t->name);
	jobfile_free(&part.job);
	free(place);
	return end;
}

static enum outcome run_one(struct run *run, const struct plan_run *r)
{
	unsigned int planned = r->ramp_s + r->runtime_s;
	char *place = mem_printf("%s/%s", run->root, r->dir);
	enum outcome end;

	progress_step(&run->progress, planned, "%s: %s, run %u of %u, %u s + %u s", r->target->name,
		      r->profile->id, r->repeat, run->plan->options.repeat, r->ramp_s,
		      r->runtime_s);
	end = run_job(run, r->target, r->parts, r->n_parts, place, !r->changes, planned + SLACK_S);
	free(place);
	return end;
}

static unsigned int planned_total(const struct plan *plan)
{
	unsigned int s = 0;

	for (size_t i = 0; i < plan->n_runs; i++)
		s += plan->runs[i].ramp_s + plan->runs[i].runtime_s;
	return s;
}

/* A file is filled before it is used at all, a device before it is first read. */
static bool fill_now(const struct plan_run *r)
{
	return !r->target->filled && (r->target->kind != TARGET_BLOCK || r->reads);
}

enum run_end run_plan(struct run *run)
{
	const struct plan *plan = run->plan;
	unsigned int steps = (unsigned int)plan->n_runs + planned_fills(plan);
	const struct target *skip = NULL;
	enum run_end result = RUN_DONE;

	progress_start(&run->progress, steps, planned_total(plan));
	spawn_prepare();
	for (size_t i = 0; i < plan->n_runs && result != RUN_STOPPED; i++) {
		const struct plan_run *r = &plan->runs[i];
		enum outcome end = DONE;

		if (r->target == skip)
			continue;
		if (spawn_interrupted()) {
			result = RUN_STOPPED;
			break;
		}
		if (fill_now(r)) {
			end = fill(run, r->target);
			if (end == FAILED)
				skip = r->target;
		}
		if (end == DONE)
			end = run_one(run, r);
		if (end == DONE)
			run->completed++;
		else
			result = end == STOPPED ? RUN_STOPPED : RUN_FAILED;
	}
	progress_clear(&run->progress);
	return result;
}

static int check_job(const struct run *run, const struct plan_run *r, const char *file,
		     struct fault *f)
{
	const char *const argv[] = {run->fio, "--parse-only", file, NULL};
	char *said, *why;
	int status, ret = 0;
	FILE *in;

	if (plan_write_job(run->plan, r->target, r->parts, r->n_parts, file, f))
		return -1;
	said = spawn_output(argv, &status);
	if (status) {
		in = *said ? fmemopen(said, strlen(said), "r") : NULL;
		why = reason_find(in, r->target->engine);
		ret = fault_set(f, "fio does not take %s on %s: %s", r->profile->id,
				r->target->name, why ? why : "it did not say why");
		free(why);
		if (in)
			fclose(in);
	}
	free(said);
	unlink(file);
	return ret;
}

/* --parse-only does not load an engine that has a name only; asking for its help does. */
static int check_engine(const struct run *run, const struct target *t, struct fault *f)
{
	const char *plugin = target_plugin(t);
	char *arg = mem_printf("--enghelp=%s", plugin ? plugin : t->ioengine), *said;
	const char *const argv[] = {run->fio, arg, NULL};
	int status, ret = 0;

	/* the status tells nothing: it is 1 for engines without options too */
	said = spawn_output(argv, &status);
	if (strstr(said, "not loadable") || strstr(said, "not found")) {
		said[strcspn(said, "\n")] = '\0';
		ret = fault_set(f, "fio has no engine for target %s: %s", t->name, said);
	}
	free(said);
	free(arg);
	return ret;
}

int run_check_jobs(const struct run *run, struct fault *f)
{
	char *file = mem_printf("%s/.check.fio", run->root);
	int ret = 0;

	for (size_t i = 0; !ret && i < run->plan->n_targets; i++)
		ret = check_engine(run, &run->plan->targets[i], f);
	for (size_t i = 0; !ret && i < run->plan->n_runs; i++) {
		if (run->plan->runs[i].repeat == 1) /* repeats are alike */
			ret = check_job(run, &run->plan->runs[i], file, f);
	}
	unlink(file);
	free(file);
	return ret;
}
