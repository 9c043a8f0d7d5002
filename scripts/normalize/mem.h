/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that is there or ends the program: on exhaustion one sentence goes to
 * stderr and the process exits with REPORT_UNREADABLE. Reports are assembled
 * in memory and written at the end, so nothing half-written is left behind.
 */
#ifndef NORMALIZE_MEM_H
#define NORMALIZE_MEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Zeroed; n * size is checked for overflow. n may be 0: the result is not NULL. */
void *mem_new(size_t n, size_t size) __attribute__((returns_nonnull, warn_unused_result));

/* Grow or shrink `p` (NULL: allocate) to n members of `size`; new bytes are not cleared. */
void *mem_resize(void *p, size_t n, size_t size)
	__attribute__((returns_nonnull, warn_unused_result));

char *mem_copy(const char *s) __attribute__((returns_nonnull, warn_unused_result));
char *mem_copy_n(const char *s, size_t len) __attribute__((returns_nonnull, warn_unused_result));
char *mem_vprintf(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0), returns_nonnull, warn_unused_result));
char *mem_printf(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), returns_nonnull, warn_unused_result));

/* Are two texts the same? NULL, which stands for an unknown one, equals NULL alone. */
bool mem_same(const char *a, const char *b);

#endif
