// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the text of a dry run: a shell script that a person can read, or run piece by
 * piece. What is run, and in which order, is run.c's; it is the same code that runs it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "dry_run.h"
#include "scenario.h"

/* A word for the shell: quoted only where it must be. */
static void print_word(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+=:,./@%";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

void dry_run_start(const struct run *run)
{
	printf("#!/bin/sh\n"
	       "# What fiopack run would do; nothing has been run or written.\n"
	       "# Run as it stands, it writes to the targets.\n"
	       "set -e\n"
	       "results=");
	print_word(run->root);
	putchar('\n');
}

void dry_run_enter(const struct run *run, const struct paper_scenario *s)
{
	printf("\n# Scenario %s: %s\n", s->id, s->title);
	if (run->enter) {
		printf(SCENARIO_VARIABLE "=");
		print_word(s->id);
		printf(" /bin/sh -c ");
		print_word(run->enter);
		putchar('\n');
	} else if (run->plan->n_scenarios > 1) {
		puts("# fiopack waits here until the machines are in it");
	}
}

void dry_run_prepare(const struct run *run, const struct target *t)
{
	if (t->kind == TARGET_BLOCK)
		return;
	putchar('\n');
	if (t->kind == TARGET_DIRECTORY && access(t->path, F_OK)) {
		printf("mkdir -p ");
		print_word(t->path);
		putchar('\n');
	}
	for (unsigned int vm = 1; vm <= run->plan->options.vms; vm++) {
		char *path = target_vm_path(t, vm);

		printf("truncate -s '>%" PRIu64 "' ", plan_vm_size(run->plan, t));
		print_word(path);
		putchar('\n');
		free(path);
	}
}

/* The text of a job file, as it would be written. */
static void print_job(const struct run *run, const struct target *t, const struct plan_part *parts,
		      size_t n)
{
	int fd = memfd_create("job.fio", MFD_CLOEXEC);
	char *path = mem_printf("/proc/self/fd/%d", fd);
	struct fault f = {""};
	FILE *in = NULL;
	int c;

	if (fd >= 0 && !plan_write_job(run->plan, t, parts, n, path, &f))
		in = fopen(path, "re");
	if (!in)
		fprintf(stderr, "fiopack: cannot show the job %s: %s\n", parts[0].name,
			f.text[0] ? f.text : "no memory for it");
	while (in && (c = getc(in)) != EOF)
		putchar(c);
	if (in)
		fclose(in);
	if (fd >= 0)
		close(fd);
	free(path);
}

void dry_run_job(const struct run *run, const struct target *t, const struct plan_part *parts,
		 size_t n, const char *place, bool readonly)
{
	const char *below = place + strlen(run->root) + 1;
	const char *argv[RUN_FIO_ARGS];

	printf("\n# [%u/%u] %s\nmkdir -p \"$results/%s\"\ncat > \"$results/%s/job.fio\" <<'END'\n",
	       run->progress.step, run->progress.steps, run->progress.what, below, below);
	print_job(run, t, parts, n);
	printf("END\n(cd \"$results/%s\" && ", below);
	run_fio_args(run, readonly, argv);
	for (size_t i = 0; argv[i]; i++) {
		if (i)
			putchar(' ');
		print_word(argv[i]);
	}
	puts(" > fio.log 2>&1)");
}
