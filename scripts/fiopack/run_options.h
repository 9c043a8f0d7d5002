/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the command line of fiopack run asks for.
 */
#ifndef FIOPACK_RUN_OPTIONS_H
#define FIOPACK_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "plan.h"

/* All texts are argv's. */
struct request {
	struct plan_options plan;
	const char **targets; /* as --target wants them */
	size_t n_targets;
	const char **scenarios; /* ids; none: the paper's first */
	size_t n_scenarios;
	const char *output; /* NULL: a new folder in results/ */
	const char *fio;    /* NULL: the one of the build, or in PATH */
	const char *enter;  /* NULL: ask */
	const char *resume; /* a results folder: everything else is to be taken from there */
	bool dry_run;
	char **names; /* PAPER or PAPER/PROFILE */
	size_t n_names;
	char **args; /* everything behind "run", in the order it was typed */
	size_t n_args;
};

/*
 * Parse what stands behind "run", which is argv[0]. Returns -1 to go on, or the exit status
 * after a sentence or the help. Free with request_free in all cases.
 */
int request_parse(struct request *q, int argc, char **argv);
void request_free(struct request *q);

#endif
