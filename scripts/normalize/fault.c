// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns how the normalizer words a failure on its way up: one sentence, the
 * first one wins, control characters of foreign files never reach a terminal.
 * Leaves printing it, and choosing the exit code, to report.c.
 */
#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

int fault_set(struct fault *f, const char *fmt, ...)
{
	va_list ap;

	if (f->text[0])
		return -1;
	va_start(ap, fmt);
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	va_end(ap);
	for (char *p = f->text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = '?';
	return -1;
}
