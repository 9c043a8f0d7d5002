/* SPDX-License-Identifier: GPL-2.0-only */
/* Verdicts on what was measured, each with its reason. */
#ifndef NORMALIZE_CHECKS_H
#define NORMALIZE_CHECKS_H

#include <stddef.h>

#include "study.h"

enum verdict {
	VERDICT_OK,
	VERDICT_WARN, /* read the figure with care */
	VERDICT_FAIL, /* a run or a job failed: the command exits with 1 */
};

struct check {
	enum verdict verdict;
	const char *name; /* runs, io_errors, runtime, littles_law */
	char *about;	  /* "<profile> on <target>" */
	char *reason;
};

struct checks {
	struct check *list;
	size_t n;
	size_t count[3]; /* by verdict */
};

void checks_run(const struct study *s, struct checks *checks);
const char *checks_word(enum verdict v); /* ok, warn, FAIL */
void checks_free(struct checks *checks);

#endif
