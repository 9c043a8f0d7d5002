/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One JSON object about a job, appended to a file whole: jobs are processes or threads
 * that end in any order, and a reader takes the file line by line.
 */
#ifndef FIOPACK_JOBLOG_H
#define FIOPACK_JOBLOG_H

#include <stddef.h>
#include <stdint.h>

#include "err.h"

struct joblog {
	char *text; /* the object so far */
	size_t len, cap;
	int failed; /* errno of the first failed allocation, or 0 */
};

/* Add a member. Keys are plain words; values are escaped as JSON wants. */
void joblog_string(struct joblog *j, const char *key, const char *value);
void joblog_number(struct joblog *j, const char *key, uint64_t value);

/* Add a member that is a list of strings; 'values' ends with NULL. */
void joblog_list(struct joblog *j, const char *key, const char *const *values);

/*
 * Append the object and a newline to 'path' with one write, and free it.
 * Returns 0, or -errno with a sentence in 'e'.
 */
int joblog_append(struct joblog *j, const char *path, struct err *e);

#endif
