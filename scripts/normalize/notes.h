/* SPDX-License-Identifier: GPL-2.0-only */
/* Footnotes: each text once, numbered in the order in which they are first needed. */
#ifndef NORMALIZE_NOTES_H
#define NORMALIZE_NOTES_H

#include <stddef.h>

struct notes {
	char **texts; /* number i + 1 is texts[i] */
	size_t n;
};

/* Which notes a cell, a record or a column points to. */
struct marks {
	size_t *ids; /* indices into notes, ascending */
	size_t n;
};

/* Point to the note with this text, which is made if it is not there yet. */
void notes_mark(struct notes *notes, struct marks *marks, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void marks_merge(struct marks *dst, const struct marks *src);

/* "[1-3,7]", or "" without marks; to be freed. */
char *marks_text(const struct marks *marks);

void marks_free(struct marks *marks);
void notes_free(struct notes *notes);

#endif
