/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * For a library that is loaded before liburing or libaio and plays a kernel in trouble, see
 * shim.sh:
 *   SHIM         words that say what to play
 *   SHIM_EVERY   at every Nth call (3)
 *   SHIM_LOG     gets a line each time something was played
 */
#ifndef FIOPACK_TESTS_SHIM_H
#define FIOPACK_TESTS_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline int asked(const char *what)
{
	const char *s = getenv("SHIM");

	return s && strstr(s, what);
}

static inline unsigned every(void)
{
	const char *s = getenv("SHIM_EVERY");

	return s ? (unsigned)atoi(s) : 3;
}

/* Jobs leave with _exit(), so it is told at once. */
static inline void play(void)
{
	const char *to = getenv("SHIM_LOG");
	FILE *f = to ? fopen(to, "a") : NULL;

	if (f) {
		fputs("played\n", f);
		fclose(f);
	}
}

#endif
