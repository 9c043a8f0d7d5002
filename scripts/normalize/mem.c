// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what happens when memory runs out. Every other file may take an
 * allocation for granted, which keeps the error paths for errors a user can
 * do something about.
 */
#include "mem.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

static void *checked(void *p)
{
	if (!p) {
		fputs("fiopack: out of memory\n", stderr);
		exit(REPORT_UNREADABLE);
	}
	return p;
}

void *mem_new(size_t n, size_t size)
{
	return checked(calloc(n ? n : 1, size ? size : 1));
}

void *mem_resize(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return checked(NULL);
	return checked(realloc(p, bytes ? bytes : 1));
}

char *mem_copy_n(const char *s, size_t len)
{
	char *copy = mem_new(len + 1, 1);

	memcpy(copy, s, len);
	return copy;
}

char *mem_copy(const char *s)
{
	return mem_copy_n(s, strlen(s));
}

char *mem_vprintf(const char *fmt, va_list ap)
{
	char *text = NULL;

	return checked(vasprintf(&text, fmt, ap) < 0 ? NULL : text);
}

char *mem_printf(const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	return text;
}

bool mem_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}
