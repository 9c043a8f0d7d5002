// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the reading of single values. Leaves to fio_reader.c where in a document
 * they stand and what they add up to.
 */
#include "value.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBER_MAX 400 /* fio prints the largest double in 316 characters */

bool value_double(const char *text, size_t len, double *out)
{
	char number[NUMBER_MAX];
	char *end;
	double v;

	if (!len || len >= sizeof(number))
		return false;
	memcpy(number, text, len);
	number[len] = '\0';
	/* strtod reads more than JSON writes: hexadecimal, "inf", leading blanks */
	if (strspn(number, "0123456789.eE+-") != len)
		return false;
	v = strtod(number, &end);
	if (end != number + len || !isfinite(v) || v < 0)
		return false;
	*out = v;
	return true;
}

bool value_uint(const char *text, size_t len, uint64_t *out)
{
	uint64_t v = 0;
	double d;
	size_t i;

	for (i = 0; i < len && isdigit((unsigned char)text[i]); i++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (uint64_t)(text[i] - '0'), &v))
			return false;
	if (i == len && len) {
		*out = v;
		return true;
	}
	/* a whole number written as 1001.0 or 1e3 */
	if (!value_double(text, len, &d) || d >= 0x1p53)
		return false;
	*out = (uint64_t)d;
	return true;
}

bool value_duration_ms(const char *text, uint64_t *ms)
{
	static const struct {
		const char *suffix;
		double ms;
	} units[] = {
		{"", 1e3},   {"s", 1e3},  {"us", 1e-3},	 {"usec", 1e-3}, {"ms", 1},
		{"msec", 1}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3},
	};
	char *end;
	double v;

	errno = 0;
	v = strtod(text, &end);
	if (end == text || errno || !isfinite(v) || v < 0)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].suffix))
			continue;
		v *= units[i].ms;
		if (v >= 0x1p63)
			return false;
		*ms = (uint64_t)v;
		return true;
	}
	return false;
}

void value_engine(const char *text, char *name, size_t room)
{
	static const char external[] = "external:", prefix[] = "fio-", suffix[] = ".so";
	size_t len;

	if (!strncmp(text, external, sizeof(external) - 1)) {
		const char *slash = strrchr(text, '/');

		text = slash ? slash + 1 : text + sizeof(external) - 1;
		if (!strncmp(text, prefix, sizeof(prefix) - 1))
			text += sizeof(prefix) - 1;
	}
	len = strlen(text);
	if (len > sizeof(suffix) - 1 && !strcmp(text + len - (sizeof(suffix) - 1), suffix))
		len -= sizeof(suffix) - 1;
	if (len >= room)
		len = room - 1;
	memmove(name, text, len);
	name[len] = '\0';
}

bool value_engine_is_synchronous(const char *name)
{
	static const char *const names[] = {"sync", "psync",   "vsync",	  "pvsync",    "pvsync2",
					    "mmap", "libpmem", "dev-dax", "ftruncate", "pmem2"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

bool value_vm(const char *job, size_t *len, unsigned int *vm)
{
	const char *dot = strrchr(job, '.');
	unsigned long n;
	char *end;

	if (!dot || dot == job || strncmp(dot, ".vm", 3) || !isdigit((unsigned char)dot[3]))
		return false;
	errno = 0;
	n = strtoul(dot + 3, &end, 10);
	if (*end || errno || n > VALUE_VM_MAX)
		return false;
	*len = (size_t)(dot - job);
	*vm = (unsigned int)n;
	return true;
}
