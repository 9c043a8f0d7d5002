/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Why a run of fio failed, from what it printed.
 */
#ifndef NORMALIZE_REASON_H
#define NORMALIZE_REASON_H

#include <stdio.h>

/*
 * The line of `in` that tells best: the first sentence of the engine ("uring: ..."), else
 * fio's first complaint ("fio: ..."), else the first line. That a job was dropped is what
 * follows from a reason. Without control characters, so that it can be printed anywhere.
 * `in` and `engine` may be NULL. Returns NULL when nothing is said; caller frees.
 */
char *reason_find(FILE *in, const char *engine);

/* The same of a file; NULL also when it cannot be read. */
char *reason_of_log(const char *path, const char *engine);

#endif
