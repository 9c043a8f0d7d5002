/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.json, but for when it was started and resumed:
 *   schema, fiopack, paper, options, targets, runs   what scripts/normalize/results.h describes;
 *                      a run has its job as well, a list of lines, without the VMs' sections
 *   command            { folder, arguments, profiles, plugins }: how the plan came about, so that
 *                      --resume can make it again
 */
#ifndef FIOPACK_RECORD_H
#define FIOPACK_RECORD_H

#include <jansson.h>

#include "plan.h"

/* The plan without `command`; NULL when a name or path is not UTF-8. The caller owns it. */
json_t *record_plan(const struct plan *plan);

/* The command: what stood behind "run", and where. NULL when it is not UTF-8. The caller owns it.
 */
json_t *record_command(char *const *args, size_t n);

#endif
