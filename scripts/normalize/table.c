// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns tables as grids of text. What goes in is decided in sheet.c, how it is
 * printed in the emitters.
 */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

void table_init(struct table *t, const char *title)
{
	*t = (struct table){.title = mem_copy(title)};
}

struct table_cell *table_add_column(struct table *t, const char *head, bool right)
{
	size_t n = t->n_columns++;

	t->right = mem_resize(t->right, t->n_columns, sizeof(*t->right));
	t->heads = mem_resize(t->heads, t->n_columns, sizeof(*t->heads));
	t->right[n] = right;
	t->heads[n] = (struct table_cell){.text = mem_copy(head)};
	return &t->heads[n];
}

size_t table_add_row(struct table *t)
{
	size_t n = t->n_rows++;

	/* grow at powers of two: a report without a paper has a row per job name */
	if (!(n & (n - 1)))
		t->cells = mem_resize(t->cells, (n ? n * 2 : 1) * t->n_columns, sizeof(*t->cells));
	memset(&t->cells[n * t->n_columns], 0, t->n_columns * sizeof(*t->cells));
	return n;
}

struct table_cell *table_at(const struct table *t, size_t row, size_t column)
{
	return &t->cells[row * t->n_columns + column];
}

void table_set(struct table *t, size_t row, size_t column, const char *fmt, ...)
{
	struct table_cell *cell = table_at(t, row, column);
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	free(cell->text);
	cell->text = text;
}

char *table_text(const struct table_cell *cell)
{
	char *marks = marks_text(&cell->marks);
	const char *text = cell->text ? cell->text : "";
	char *all = mem_printf("%s%s%s", text, text[0] && marks[0] ? " " : "", marks);

	for (char *p = all; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			*p = ' ';
	free(marks);
	return all;
}

void table_free(struct table *t)
{
	for (size_t i = 0; i < t->n_columns; i++) {
		free(t->heads[i].text);
		marks_free(&t->heads[i].marks);
	}
	for (size_t i = 0; i < t->n_rows * t->n_columns; i++) {
		free(t->cells[i].text);
		marks_free(&t->cells[i].marks);
	}
	free(t->title);
	free(t->right);
	free(t->heads);
	free(t->cells);
	*t = (struct table){0};
}
