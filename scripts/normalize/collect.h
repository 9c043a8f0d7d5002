/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's files to series, by name of the job. Within one document jobs of a
 * name run at the same time and are added. "X.vm1" and "X.vm2" are VMs of X;
 * they are added also when they come from different files, each VM once to a
 * run. Everything else that comes again is a repeat.
 *
 * Of the documents in one file, those that --status-interval printed are
 * cumulative: each replaces the one before. Two documents are taken for states
 * of the same run when they are of the same fio version and the same jobs in
 * the same order, no counter went back, and
 *   - fio says when the jobs were started (3.36), and it is the same time; or
 *   - between the two, the clock and the jobs' elapsed time advanced alike to
 *     within the second that fio rounds the latter to.
 * A run that was appended later began after the first was printed: its elapsed
 * time starts again while the clock went on, so it is a repeat.
 */
#ifndef NORMALIZE_COLLECT_H
#define NORMALIZE_COLLECT_H

#include "fault.h"
#include "model.h"

struct collect_run;

struct collect_group {
	char *name;
	uint64_t hash;
	struct collect_run *runs; /* while collecting */
	size_t n_runs;
	struct series series; /* after collect_finish */
};

/* All zero to begin with, but for `paper`. */
struct collect {
	/*
	 * Whose profiles may have parts, or NULL. A job that is a part is in two groups:
	 * its profile's (or the one that collect_file was given), and its own.
	 */
	const struct paper *paper;
	struct collect_group *groups; /* in order of appearance */
	size_t n_groups;
	struct fact version; /* fio's */
	size_t jobs;
};

/*
 * Add a file. `group` not NULL: all jobs belong to this group, whatever their
 * names. On failure (-1, `f` filled) nothing of the file's last run is added.
 */
int collect_file(struct collect *c, const char *path, const char *group, struct fault *f);

/* All files are in: make the series. */
void collect_finish(struct collect *c);

/* NULL when there is none. */
struct collect_group *collect_find(struct collect *c, const char *name);

void collect_free(struct collect *c);

#endif
