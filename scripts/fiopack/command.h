/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The subcommands of fiopack. Each takes its own argv (argv[0] is its name), prints
 * its own sentences on stderr, and returns the exit status: 0 fine, 1 a run or check
 * failed, 2 bad usage, 3 unreadable input; run returns 130 when it was interrupted.
 */
#ifndef FIOPACK_COMMAND_H
#define FIOPACK_COMMAND_H

int command_list(int argc, char **argv);
int command_show(int argc, char **argv);
int command_run(int argc, char **argv);

/* Print "fiopack: " and a sentence on stderr; returns `status`. */
int command_fail(int status, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Folder of the running program (build/ or PREFIX/bin), or NULL. Caller frees. */
char *command_own_dir(void);

#endif
