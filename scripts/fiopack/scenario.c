// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns how the machines come into a scenario: fiopack cannot fail a node by itself,
 * so it runs the user's command, or asks and waits.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scenario.h"
#include "spawn.h"

/* How often a question looks whether it is interrupted. */
#define LOOK_MS 200

/* Print what has come to a log since the last time. */
static void show_more(void *log, unsigned int elapsed_s)
{
	FILE *in = log;
	int c;

	(void)elapsed_s;
	clearerr(in); /* there may be more now */
	while ((c = getc(in)) != EOF)
		putc(c, stderr);
}

enum outcome scenario_enter(const struct paper_scenario *s, const char *command, const char *log,
			    struct fault *f)
{
	const char *const argv[] = {"/bin/sh", "-c", command, NULL};
	const char *const env[] = {SCENARIO_VARIABLE, s->id, NULL};
	FILE *in = fopen(log, "a+e");
	const struct spawn child = {
		.argv = argv, .dir = ".", .log = log, .env = env, .tick = show_more, .arg = in};
	enum spawn_end end;
	int status = 0;

	if (!in) {
		fault_set(f, "cannot write %s: %s", log, strerror(errno));
		return FAILED;
	}
	fseek(in, 0, SEEK_END);
	fprintf(stderr, "Scenario %s: %s\n", s->id, command);
	/* its output goes to a file, not a pipe: what it leaves running in the background may
	 * keep that open */
	end = spawn_run(&child, &status, f);
	show_more(in, 0);
	fclose(in);
	if (end == SPAWN_INTERRUPTED)
		return STOPPED;
	if (end == SPAWN_EXITED && status)
		fault_set(f, "the command of --enter ended with status %d (its output is in %s)",
			  status, log);
	return f->text[0] ? FAILED : DONE;
}

bool scenario_can_ask(void)
{
	return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

enum outcome scenario_ask(const struct paper_scenario *s)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	char line[256];
	ssize_t n;

	fprintf(stderr, "Bring the machines into the scenario %s (%s), then press Enter: ", s->id,
		s->title);
	while (poll(&in, 1, LOOK_MS) <= 0) {
		if (spawn_interrupted())
			break;
	}
	if (spawn_interrupted())
		return STOPPED;
	n = read(STDIN_FILENO, line, sizeof(line));
	return n > 0 ? DONE : STOPPED;
}
