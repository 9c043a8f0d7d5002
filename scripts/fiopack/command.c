// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the subcommands share: their sentences on stderr, and where the program is.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

int command_fail(int status, const char *fmt, ...)
{
	va_list ap;

	fputs("fiopack: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	return status;
}

char *command_own_dir(void)
{
	char *self = realpath("/proc/self/exe", NULL), *slash = self ? strrchr(self, '/') : NULL;

	if (slash)
		*slash = '\0';
	return self;
}
