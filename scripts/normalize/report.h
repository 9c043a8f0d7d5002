/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The normalizer's front door: `fiopack report` and the table that
 * `fiopack run` prints when it is done.
 */
#ifndef NORMALIZE_REPORT_H
#define NORMALIZE_REPORT_H

#include <stdio.h>

/* What the functions below return, and what the command exits with. */
enum report_exit {
	REPORT_OK = 0,
	REPORT_CHECK_FAILED = 1, /* a run or a job in it failed */
	REPORT_USAGE = 2,	 /* bad command line */
	REPORT_UNREADABLE = 3,	 /* an input could not be read, or the output not written */
};

/*
 * The whole subcommand. argv[0] is "report", as the user typed it after
 * `fiopack`. The report goes to stdout or to -o FILE, sentences about
 * failures to stderr. Resets getopt's state first, so a caller may have used
 * getopt before.
 */
int report_main(int argc, char **argv);

/*
 * Print the text report of the results folder `dir` (what `fiopack run`
 * wrote: run.json, environment.json and the runs) to `out`. `profiles_dir` is
 * the folder that holds the papers, NULL for the default (paper_profiles_dir).
 * A run that failed or is not there yet is shown as such. Returns an enum
 * report_exit; a failure has been worded on stderr.
 */
int report_results(const char *dir, const char *profiles_dir, FILE *out);

#endif
