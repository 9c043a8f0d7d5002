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
	const char *root; /* results folder, absolute */
	const char *fio;  /* path of the program */
	struct progress progress;
	unsigned int completed; /* runs that ended well */
};

enum run_end {
	RUN_DONE,
	RUN_FAILED,  /* at least one run or fill failed; the others were made */
	RUN_STOPPED, /* interrupted; complete runs are kept, the one under way is gone */
};

enum run_end run_plan(struct run *run);

/*
 * Let fio parse every job of the plan, so that what it refuses (an engine or option it does
 * not know) is found before a target is written. Leaves nothing in run->root.
 * Returns 0, or -1 with `f` filled.
 */
int run_check_jobs(const struct run *run, struct fault *f);

#endif
