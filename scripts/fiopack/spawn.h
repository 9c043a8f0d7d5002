/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Running fio, or another program: one child at a time, watched until it ends.
 */
#ifndef FIOPACK_SPAWN_H
#define FIOPACK_SPAWN_H

#include <stdbool.h>

#include "../normalize/fault.h"

struct spawn {
	const char *const *argv; /* argv[0] is a path; NULL-terminated */
	const char *dir;	 /* the child's working folder */
	const char *log;	 /* takes the child's stdout and stderr, relative to dir */
	const char *const *env;	 /* name, value pairs added to its environment; NULL-terminated */
	int keep;		 /* a descriptor that the child inherits; 0: none */
	unsigned int limit_s;	 /* end it when it runs longer; 0: no limit */
	void (*tick)(void *arg, unsigned int elapsed_s); /* about once a second; may be NULL */
	void *arg;
};

enum spawn_end {
	SPAWN_EXITED,	   /* by itself; see *status */
	SPAWN_INTERRUPTED, /* we were asked to stop (SIGINT, SIGTERM, SIGHUP), and it was ended */
	SPAWN_TIMED_OUT,
	SPAWN_FAILED, /* could not be started; `f` is filled */
};

/*
 * Block the signals that spawn_run waits for. Once, before the first spawn_run:
 * an interruption between two children is then not lost.
 */
void spawn_prepare(void);

/*
 * Run a child to its end. *status: its exit status, or 128 + the signal that ended it.
 */
enum spawn_end spawn_run(const struct spawn *s, int *status, struct fault *f);

/*
 * Run a program that ends by itself and soon, and return what it prints on stdout and
 * stderr (the first 64 KiB); *status is as for spawn_run, 127 when it cannot be started.
 * Caller frees.
 */
char *spawn_output(const char *const *argv, int *status);

/* True when a request to stop is waiting (and stays so). */
bool spawn_interrupted(void);

#endif
