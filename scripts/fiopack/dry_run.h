/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run --dry-run: the run as a shell script on stdout. Each function prints what the step of its
 * name would do.
 */
#ifndef FIOPACK_DRY_RUN_H
#define FIOPACK_DRY_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "run.h"

void dry_run_start(const struct run *run);
void dry_run_enter(const struct run *run, const struct paper_scenario *s);

/* Files get their full size before they are filled. */
void dry_run_prepare(const struct run *run, const struct target *t);

/* The parameters are those of a job that is run; `place` is its folder. */
void dry_run_job(const struct run *run, const struct target *t, const struct plan_part *parts,
		 size_t n, const char *place, bool readonly);

#endif
