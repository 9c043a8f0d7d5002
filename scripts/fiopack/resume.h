/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Going on with a results folder. The plan is made again from the command that is kept there,
 * and has to come out the same, on the same machine: figures of two environments would
 * otherwise stand in one table as if they were one.
 */
#ifndef FIOPACK_RESUME_H
#define FIOPACK_RESUME_H

#include <jansson.h>
#include <stdbool.h>

#include "../normalize/fault.h"
#include "plan.h"

struct resume {
	char *root;	      /* results folder, absolute */
	json_t *run, *before; /* run.json and environment.json */
	json_t *changes;      /* since then, sentences: such as do no harm */
	char **argv;	      /* of the run that was begun: "run" and its arguments */
	int argc;
	const char *fio; /* path */
	bool finished;	 /* all of its runs are complete */
	int lock;
};

/* Write run.json of a new run: `plan` and `command` (record.h), which are taken. */
int resume_begin(const char *root, json_t *plan, json_t *command, struct fault *f);

/*
 * Open a results folder and keep others out of it. Goes to the folder that the run was begun in,
 * and sets FIOPACK_PROFILES and FIOPACK_PLUGINS as they were then.
 * Returns 0, or with `f` filled 2 when it cannot be resumed, 3 when it cannot be read.
 */
int resume_open(struct resume *r, const char *dir, struct fault *f);
void resume_close(struct resume *r);

/* End what fios of the run are left. Returns 0, or -1 with `f` filled. */
int resume_end_strays(const struct resume *r, struct fault *f);

/* Mark the runs that are complete as done. */
void resume_mark(const struct resume *r, struct plan *plan);

/*
 * Hold plan and environment as they are found now against those of the folder.
 * Returns 0, or -1 with `f` filled when they differ in what may change a figure.
 */
int resume_compare(struct resume *r, const json_t *plan, const json_t *now, struct fault *f);

/*
 * The run goes on: note that in run.json, and what was found to have changed; and remove what is
 * left of fills that were cut off or failed, which the state of the targets has replaced.
 */
int resume_note(struct resume *r, const struct plan *plan, struct fault *f);

#endif
