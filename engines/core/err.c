// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the record of a failure (struct err). Says nothing to anyone: printing is
 * left to whoever owns a stream, the glue for engines and the command for itself.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/err.h"

int err_set(struct err *e, int code, const char *fmt, ...)
{
	int pos = abs(code);

	if (e && !e->code) {
		va_list ap;

		va_start(ap, fmt);
		vsnprintf(e->text, sizeof(e->text), fmt, ap);
		va_end(ap);
		e->code = pos;
	}
	return -pos;
}
