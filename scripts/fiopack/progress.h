/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is going on, on stderr: which step of how many, what it does, and how long
 * the rest will take. One line that is rewritten on a terminal, one line per step
 * elsewhere.
 */
#ifndef FIOPACK_PROGRESS_H
#define FIOPACK_PROGRESS_H

#include <stdbool.h>

struct progress {
	bool terminal;
	bool silent; /* steps are counted and worded, but not printed */
	unsigned int steps, step;
	unsigned int rest_s;	/* planned time of the steps after this one */
	unsigned int planned_s; /* planned time of this step; 0: not known */
	char what[256];
};

/* `total_s`: planned time of all steps whose time is known. */
void progress_start(struct progress *p, unsigned int steps, unsigned int total_s);

/* The next step begins; planned_s is 0 where the time depends on the target. */
void progress_step(struct progress *p, unsigned int planned_s, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Called about once a second while a step runs; fits struct spawn. */
void progress_tick(void *progress, unsigned int elapsed_s);

/* Clear the line, so that something else can be printed. */
void progress_clear(const struct progress *p);

#endif
