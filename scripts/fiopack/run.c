// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a plan: enters scenarios, fills targets, starts fio for each run, keeps what it leaves, and
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
#include "dry_run.h"
#include "fill.h"
#include "progress.h"
#include "run.h"
#include "scenario.h"
#include "spawn.h"
#include "store.h"
#include "strays.h"

/* Time that a run may take beyond what was planned before it counts as hung. */
#define SLACK_S 300U

void run_fio_args(const struct run *run, bool readonly, const char *argv[RUN_FIO_ARGS])
{
	const char *const args[RUN_FIO_ARGS] = {run->fio,
						"--output-format=json+",
						"--output=fio.json",
						"--eta=never",
						readonly ? "--readonly" : "job.fio",
						readonly ? "job.fio" : NULL};

	memcpy(argv, args, sizeof(args));
}

/* Several targets may be one place, which is locked once. */
static int lock_of(const struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_targets; i++) {
		if (plan->targets[i].lock && !strcmp(plan->targets[i].path, t->path))
			return plan->targets[i].lock;
	}
	return 0;
}

int run_lock(const struct plan *plan, struct target *t, struct fault *f)
{
	return lock_of(plan, t) ? 0 : target_lock(t, f);
}

/* How a fio ended, and one sentence when that was not well. Waits for it only. */
static enum outcome run_fio(struct run *run, const struct target *t, const char *dir, bool readonly,
			    unsigned int limit_s)
{
	const char *const env[] = {STRAYS_MARK, run->root, NULL};
	const char *argv[RUN_FIO_ARGS];
	/* what is left of a fio keeps other runs off its target */
	const struct spawn s = {.argv = argv,
				.dir = dir,
				.log = "fio.log",
				.env = env,
				.keep = lock_of(run->plan, t),
				.limit_s = limit_s,
				.tick = progress_tick,
				.arg = &run->progress};
	struct fault f = {""};
	char *log, *why;
	int status;

	run_fio_args(run, readonly, argv);
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
	if (!status && store_is_whole(dir, &f))
		return DONE;
	log = mem_printf("%s/fio.log", dir);
	why = reason_of_log(log, t->engine);
	progress_clear(&run->progress);
	fprintf(stderr, "fiopack: fio ended with status %d: %s\n", status,
		why	    ? why
		: f.text[0] ? f.text
			    : "it did not say why");
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

	store_remove_dir(partial); /* of a run that was cut off: none of it may be taken for ours */
	if (!store_make_dirs(partial, &f) && !plan_write_job(run->plan, t, parts, n, file, &f)) {
		end = run_fio(run, t, partial, readonly, limit_s);
		/* beside what does not end nothing can be measured */
		if (end != DONE && strays_end(run->root, &f))
			end = STOPPED;
	}
	if (end == DONE)
		store_remove_dir(failed); /* of an earlier attempt; a run that is complete is not
					     looked at again */
	if (end == STOPPED)
		store_remove_dir(partial);
	else if (!access(partial, F_OK) && store_settle(partial, end == DONE ? place : failed, &f))
		end = FAILED;
	if (f.text[0]) {
		progress_clear(&run->progress);
		fprintf(stderr, "fiopack: %s\n", f.text);
	}
	free(file);
	free(failed);
	free(partial);
	return end;
}

static void note_filled(struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_targets; i++)
		plan->targets[i].filled |= fill_covers(plan, t, &plan->targets[i]);
}

static unsigned int planned_fills(const struct plan *plan)
{
	unsigned int n = 0;

	for (size_t i = 0; i < plan->n_targets; i++) {
		bool done = plan->targets[i].filled || !plan_has_work(plan, &plan->targets[i]);

		for (size_t k = 0; k < i; k++)
			done |= !plan->targets[k].filled &&
				plan_has_work(plan, &plan->targets[k]) &&
				fill_covers(plan, &plan->targets[k], &plan->targets[i]);
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
	if (run->dry) {
		dry_run_prepare(run, t);
		dry_run_job(run, t, &part, 1, place, false);
		end = DONE;
	} else if (fill_prepare(run->plan, t, &f) || run_lock(run->plan, t, &f)) {
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
	bool several = run->plan->n_scenarios > 1;
	char *place = mem_printf("%s/%s", run->root, r->dir);
	enum outcome end;

	progress_step(&run->progress, planned, "%s: %s%s%s, run %u of %u, %u s + %u s",
		      r->target->name, r->profile->id, several ? ", " : "",
		      several ? r->scenario->id : "", r->repeat, run->plan->options.repeat,
		      r->ramp_s, r->runtime_s);
	if (run->dry) {
		dry_run_job(run, r->target, r->parts, r->n_parts, place, !r->changes);
		end = DONE;
	} else {
		end = run_job(run, r->target, r->parts, r->n_parts, place, !r->changes,
			      planned + SLACK_S);
	}
	free(place);
	return end;
}

/* Bring the machines into a scenario, and see whether the targets are still what they were. */
static enum outcome enter(struct run *run, const struct paper_scenario *s)
{
	struct fault f = {""};
	enum outcome end;
	char *log;

	if (run->dry)
		dry_run_enter(run, s);
	if (run->dry || (!run->enter && run->plan->n_scenarios == 1))
		return DONE;
	progress_clear(&run->progress);
	log = mem_printf("%s/enter-%s.log", run->root, s->id);
	end = run->enter ? scenario_enter(s, run->enter, log, &f) : scenario_ask(s);
	free(log);
	if (end == DONE && run_check_targets(run, &f))
		end = FAILED;
	if (end != FAILED)
		return end;
	fprintf(stderr, "fiopack: %s: %s, so nothing is measured in it\n", s->id, f.text);
	for (size_t i = 0; i < run->plan->n_runs; i++) {
		const struct plan_run *r = &run->plan->runs[i];
		char *place = mem_printf("%s/%s", run->root, r->dir);

		if (r->scenario == s && !r->done)
			store_note_failure(place, f.text);
		free(place);
	}
	return FAILED;
}

/* A file is filled before it is used at all, a device before it is first read. */
static bool fill_now(const struct plan_run *r)
{
	return !r->target->filled && (r->target->kind != TARGET_BLOCK || r->reads);
}

static enum outcome make(struct run *run, const struct plan_run *r, const struct target **skip)
{
	enum outcome end = DONE;

	if (fill_now(r)) {
		end = fill(run, r->target);
		if (end == FAILED)
			*skip = r->target;
	}
	return end == DONE ? run_one(run, r) : end;
}

static void start_progress(struct run *run)
{
	const struct plan *plan = run->plan;
	unsigned int steps = planned_fills(plan), total_s = 0;

	for (size_t i = 0; i < plan->n_runs; i++) {
		const struct plan_run *r = &plan->runs[i];

		if (r->done) {
			run->completed++;
			continue;
		}
		steps++;
		total_s += r->ramp_s + r->runtime_s;
	}
	progress_start(&run->progress, steps, total_s);
	run->progress.silent = run->dry;
}

enum run_end run_plan(struct run *run)
{
	const struct plan *plan = run->plan;
	const struct paper_scenario *now = NULL;
	const struct target *skip = NULL;
	enum run_end result = RUN_DONE;
	bool entered = false;

	start_progress(run);
	spawn_prepare();
	for (size_t i = 0; i < plan->n_runs; i++) {
		const struct plan_run *r = &plan->runs[i];
		enum outcome end = DONE;

		if (r->done)
			continue;
		if (r->scenario != now) {
			now = r->scenario;
			skip = NULL;
			end = enter(run, now);
			entered = end == DONE;
		} else if (!entered || r->target == skip) {
			continue;
		}
		if (end == DONE)
			end = spawn_interrupted() ? STOPPED : make(run, r, &skip);
		if (end == STOPPED) {
			result = RUN_STOPPED;
			break;
		}
		if (end == DONE)
			run->completed++;
		else
			result = RUN_FAILED;
	}
	progress_clear(&run->progress);
	return result;
}
