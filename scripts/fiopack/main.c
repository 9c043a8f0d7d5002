// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fiopack command: finds the subcommand, and the profiles that belong to the
 * place the program runs from. Everything else is the subcommands'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../normalize/mem.h"
#include "../normalize/report.h"
#include "engines/version.h"
#include "command.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
} commands[] = {
	{"list", command_list, "the papers, and the profiles of each"},
	{"show", command_show, "one paper or profile: what it encodes, figures, what is left open"},
	{"run", command_run, "run profiles on targets and print the paper's table"},
	{"report", report_main, "print the table again, or one from fio's JSON files"},
};

#define N_COMMANDS (sizeof(commands) / sizeof(commands[0]))

static void usage(FILE *out)
{
	fputs("Usage: fiopack COMMAND [option]... [argument]...\n\n", out);
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].about);
	fputs("\nfiopack COMMAND --help tells more; fiopack --version tells the version.\n"
	      "The main job: fiopack run r640 --quick\n",
	      out);
}

/* build/profiles or PREFIX/share/fiopack/profiles, unless the user has said otherwise. */
static void find_profiles(void)
{
	static const char *const places[] = {"profiles", "../share/fiopack/profiles"};
	char *own = command_own_dir();

	for (size_t i = 0; own && i < sizeof(places) / sizeof(places[0]); i++) {
		char *dir = mem_printf("%s/%s", own, places[i]);
		char *real = realpath(dir, NULL);

		free(dir);
		if (real) {
			setenv("FIOPACK_PROFILES", real, 0);
			free(real);
			break;
		}
	}
	free(own);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		usage(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		usage(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("fiopack %s\n", FIOPACK_VERSION);
		return 0;
	}
	find_profiles();
	for (size_t i = 0; i < N_COMMANDS; i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	return command_fail(2, "there is no command \"%s\" (fiopack --help lists them)", argv[1]);
}
