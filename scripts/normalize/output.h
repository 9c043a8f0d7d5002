/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is there whole or not at all. */
#ifndef NORMALIZE_OUTPUT_H
#define NORMALIZE_OUTPUT_H

#include <stddef.h>

#include "fault.h"

/*
 * Write `path` by way of a temporary file in the same folder, renamed when all
 * is on disk. An existing file keeps its permissions. Something that is no
 * regular file (/dev/stdout, a pipe) is written to directly. 0, or -1 with `f`
 * filled and nothing changed.
 */
int output_write(const char *path, const char *data, size_t len, struct fault *f);

#endif
