/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio job files: a profile is read into lists of options, changed, and rendered
 * again with its sections for each virtual machine.
 */
#ifndef FIOPACK_JOBFILE_H
#define FIOPACK_JOBFILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../normalize/fault.h"

struct job_option {
	char *name;
	char *value; /* NULL for an option written without "=" */
};

/* One workload: [global] and a section of a profile, merged; no name twice. */
struct jobfile {
	char *section; /* NULL: not read from a profile */
	struct job_option *options;
	size_t n;
};

/* A profile: what one virtual machine runs at once, mostly one workload. */
struct jobfile_parts {
	struct jobfile *list;
	size_t n;
};

/*
 * Read a profile: an optional [global], then at least one section. Comments and
 * blank lines are dropped, later options replace earlier ones as in fio. `in` is
 * read to its end; `path` is its name in sentences.
 * Returns 0, or -1 with `f` filled. Free with jobfile_free_parts in both cases.
 */
int jobfile_read(struct jobfile_parts *parts, FILE *in, const char *path, struct fault *f);
void jobfile_free_parts(struct jobfile_parts *parts);
void jobfile_free(struct jobfile *j);

/* A copy of the options that can be changed without changing the original. */
void jobfile_copy(struct jobfile *to, const struct jobfile *from);

/* Set or replace; `value` NULL for an option without "=". Knows fio's aliases (blocksize is bs). */
void jobfile_set(struct jobfile *j, const char *name, const char *value);
void jobfile_remove(struct jobfile *j, const char *name);

/* The value, "" for an option without one, NULL when it is not set. */
const char *jobfile_get(const struct jobfile *j, const char *name);

/* The value as a whole number of at least 1; `otherwise` when not set; 0 when it is no number. */
unsigned int jobfile_number(const struct jobfile *j, const char *name, unsigned int otherwise);

/* True when the workload writes or trims (rw= contains write, trim or mixes them). */
int jobfile_changes_target(const struct jobfile *j);

/* True when the workload reads, alone or mixed. */
int jobfile_reads_target(const struct jobfile *j);

/*
 * A size as fio writes it: a whole number, or one with k, m, g or t (of 1024). Returns
 * bytes up to INT64_MAX, or 0 when `text` is no such size.
 */
uint64_t jobfile_size(const char *text);

/* Print the options as the lines of a section, without those that are the same in `known`. */
void jobfile_print(const struct jobfile *j, const struct jobfile *known, FILE *out);

/* Remove from `j` what `other` does not have with the same value. */
void jobfile_keep_common(struct jobfile *j, const struct jobfile *other);

/*
 * Why fio would not see `text` as it is when it stands in a job file, or NULL when it
 * would: fio expands $, cuts lines at # and ;, and drops blanks at both ends.
 */
const char *jobfile_problem(const char *text);

/*
 * Print "name=path" with what fio treats specially in a file name escaped.
 * Returns 0, or -1 with `f` filled for a path with a jobfile_problem.
 */
int jobfile_print_path(FILE *out, const char *name, const char *path, struct fault *f);

#endif
