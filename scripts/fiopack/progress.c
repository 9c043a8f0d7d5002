// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the progress line on stderr. Counts planned seconds only: how fast a target
 * is filled is not known beforehand, and is said so rather than guessed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "progress.h"

void progress_start(struct progress *p, unsigned int steps, unsigned int total_s)
{
	*p = (struct progress){
		.terminal = isatty(STDERR_FILENO), .steps = steps, .rest_s = total_s};
}

static void span(char *out, size_t size, unsigned int s)
{
	if (s < 120)
		snprintf(out, size, "%u s", s);
	else if (s < 7200)
		snprintf(out, size, "%u min", (s + 30) / 60);
	else
		snprintf(out, size, "%u h %02u min", s / 3600, s % 3600 / 60);
}

static void print(const struct progress *p, unsigned int elapsed_s)
{
	unsigned int here = p->planned_s > elapsed_s ? p->planned_s - elapsed_s : 0;
	char left[32], spent[32];

	if (p->silent)
		return;
	span(left, sizeof(left), p->rest_s + here);
	span(spent, sizeof(spent), elapsed_s);
	if (!p->terminal)
		fprintf(stderr, "[%u/%u] %s; %s left of all runs\n", p->step, p->steps, p->what,
			left);
	else if (p->planned_s)
		fprintf(stderr, "\r\033[K[%u/%u] %s: %s; %s left of all runs", p->step, p->steps,
			p->what, spent, left);
	else
		fprintf(stderr, "\r\033[K[%u/%u] %s: %s; then %s of runs", p->step, p->steps,
			p->what, spent, left);
}

void progress_step(struct progress *p, unsigned int planned_s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(p->what, sizeof(p->what), fmt, ap);
	va_end(ap);
	if (++p->step > p->steps)
		p->steps = p->step; /* a target had to be filled again */
	p->planned_s = planned_s;
	p->rest_s -= planned_s < p->rest_s ? planned_s : p->rest_s;
	print(p, 0);
}

void progress_tick(void *progress, unsigned int elapsed_s)
{
	const struct progress *p = progress;

	if (p->terminal)
		print(p, elapsed_s);
}

void progress_clear(const struct progress *p)
{
	if (p->terminal)
		fprintf(stderr, "\r\033[K");
}
