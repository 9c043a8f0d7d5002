/* SPDX-License-Identifier: GPL-2.0-only */
/* A table of texts with footnote marks, as the text and Markdown emitters print it. */
#ifndef NORMALIZE_TABLE_H
#define NORMALIZE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "notes.h"

struct table_cell {
	char *text; /* NULL: empty */
	struct marks marks;
};

struct table {
	char *title;
	size_t n_columns;
	size_t n_rows;
	bool *right;		  /* per column: numbers, aligned to the right */
	struct table_cell *heads; /* n_columns */
	struct table_cell *cells; /* n_rows x n_columns */
};

void table_init(struct table *t, const char *title);

/* Columns first, then rows. The cell is valid until the next column or row is added. */
struct table_cell *table_add_column(struct table *t, const char *head, bool right);
size_t table_add_row(struct table *t);
struct table_cell *table_at(const struct table *t, size_t row, size_t column);

void table_set(struct table *t, size_t row, size_t column, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Text with the marks after it, control characters blanked; to be freed. */
char *table_text(const struct table_cell *cell);

void table_free(struct table *t);

#endif
