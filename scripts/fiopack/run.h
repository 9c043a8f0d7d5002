/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Carrying out a plan.
 */
#ifndef FIOPACK_RUN_H
#define FIOPACK_RUN_H

#include <stdbool.h>

#include "plan.h"
#include "progress.h"

struct run {
	struct plan *plan;
	char *root;	   /* results folder, absolute */
	char *fio;	   /* path of the program */
	int lock;	   /* descriptor that keeps other runs out of root; -1: none */
	const char *enter; /* command that brings the machines into a scenario; NULL: none */
	bool dry;	   /* print what would be run, and change nothing (dry_run.c) */
	struct progress progress;
	unsigned int completed; /* runs that ended well, now or before */
};

/* How one step of a run ended: a fill, a job of fio, the entry into a scenario. */
enum outcome { DONE, FAILED, STOPPED };

enum run_end {
	RUN_DONE,
	RUN_FAILED,  /* at least one run or fill failed; the others were made */
	RUN_STOPPED, /* interrupted; complete runs are kept, the one under way is gone */
};

/* Make all runs of the plan that are not `done`. */
enum run_end run_plan(struct run *run);

/*
 * Everything about targets that can be refused, before anything is written; finds out which of
 * them have to be filled. Again after each change of scenario, which may have changed them.
 * Returns 0, or -1 with `f` filled.
 */
int run_check_targets(const struct run *run, struct fault *f);

/*
 * Let fio parse every job of the plan, so that what it refuses (an engine or option it does
 * not know) is found before a target is written. Writes no file.
 * Returns 0, or -1 with `f` filled.
 */
int run_check_jobs(const struct run *run, struct fault *f);

/*
 * Keep other runs off a target. Several targets may be one place, measured with several engines:
 * it is locked once. Returns 0, or -1 with `f` filled.
 */
int run_lock(const struct plan *plan, struct target *t, struct fault *f);

#define RUN_FIO_ARGS 7

/* The command line of fio in a run's folder, NULL-terminated. */
void run_fio_args(const struct run *run, bool readonly, const char *argv[RUN_FIO_ARGS]);

#endif
