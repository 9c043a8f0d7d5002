// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the report on a terminal: column widths, wrapping, alignment. Widths
 * are counted in UTF-8 characters.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

#define WIDTH	  120
#define MIN_WIDTH 8
#define GAP	  2 /* blanks between columns */

static size_t width_of(const char *text, size_t bytes)
{
	size_t n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += ((unsigned char)text[i] & 0xc0) != 0x80;
	return n;
}

/*
 * The bytes of the first line of `text` when it is broken at blanks to `width`
 * characters; a single longer word is left whole.
 */
static size_t line_bytes(const char *text, size_t width)
{
	size_t fits = 0, at = 0;

	while (text[at]) {
		size_t word = at + strcspn(text + at, " ");

		if (fits && width_of(text, word) > width)
			break;
		fits = word;
		at = word + strspn(text + word, " ");
	}
	return fits;
}

static const char *next_line(const char *text, size_t bytes)
{
	return text + bytes + strspn(text + bytes, " ");
}

static void pad(FILE *out, size_t n)
{
	while (n--)
		fputc(' ', out);
}

/* Names come from files: nothing in them may steer the terminal. */
static void print_bytes(FILE *out, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i], out);
}

/* A paragraph with a hanging indent; the first line's indent has been printed. */
static void print_wrapped(FILE *out, const char *text, size_t indent)
{
	size_t bytes = line_bytes(text, WIDTH - indent);

	print_bytes(out, text, bytes);
	fputc('\n', out);
	for (text = next_line(text, bytes); *text; text = next_line(text, bytes)) {
		bytes = line_bytes(text, WIDTH - indent);
		pad(out, indent);
		print_bytes(out, text, bytes);
		fputc('\n', out);
	}
}

/* Texts of all cells, marks included; row 0 is the head. */
struct grid {
	char **texts;
	size_t rows, columns;
	size_t *widths;
};

static char *grid_at(const struct grid *g, size_t row, size_t column)
{
	return g->texts[row * g->columns + column];
}

static size_t longest_word(const struct grid *g, size_t column)
{
	size_t longest = MIN_WIDTH;

	for (size_t row = 0; row < g->rows; row++) {
		const char *text = grid_at(g, row, column);

		while (*text) {
			size_t bytes = strcspn(text, " ");
			size_t width = width_of(text, bytes);

			if (width > longest)
				longest = width;
			text += bytes + strspn(text + bytes, " ");
		}
	}
	return longest;
}

static size_t total_width(const struct grid *g)
{
	size_t total = GAP * (g->columns - 1);

	for (size_t i = 0; i < g->columns; i++)
		total += g->widths[i];
	return total;
}

/* Take a character at a time from the widest column that can still be broken at blanks. */
static void shrink(struct grid *g)
{
	size_t *least = mem_new(g->columns, sizeof(*least));

	for (size_t i = 0; i < g->columns; i++)
		least[i] = longest_word(g, i);
	while (total_width(g) > WIDTH) {
		size_t widest = g->columns;

		for (size_t i = 0; i < g->columns; i++)
			if (g->widths[i] > least[i] &&
			    (widest == g->columns || g->widths[i] > g->widths[widest]))
				widest = i;
		if (widest == g->columns)
			break;
		g->widths[widest]--;
	}
	free(least);
}

static void make_grid(struct grid *g, const struct table *t)
{
	g->rows = t->n_rows + 1;
	g->columns = t->n_columns;
	g->texts = mem_new(g->rows * g->columns, sizeof(*g->texts));
	g->widths = mem_new(g->columns, sizeof(*g->widths));
	for (size_t row = 0; row < g->rows; row++) {
		for (size_t i = 0; i < g->columns; i++) {
			char *text = table_text(row ? table_at(t, row - 1, i) : &t->heads[i]);
			size_t width = width_of(text, strlen(text));

			g->texts[row * g->columns + i] = text;
			if (width > g->widths[i])
				g->widths[i] = width;
		}
	}
	shrink(g);
}

static void free_grid(struct grid *g)
{
	for (size_t i = 0; i < g->rows * g->columns; i++)
		free(g->texts[i]);
	free(g->texts);
	free(g->widths);
}

static void print_row(FILE *out, const struct grid *g, const struct table *t, size_t row)
{
	const char **rest = mem_new(g->columns, sizeof(*rest));
	bool more = true;

	for (size_t i = 0; i < g->columns; i++)
		rest[i] = grid_at(g, row, i);
	while (more) {
		size_t blanks = 0; /* owed, so that no line ends in blanks */

		more = false;
		for (size_t i = 0; i < g->columns; i++) {
			size_t bytes = line_bytes(rest[i], g->widths[i]);
			size_t width = width_of(rest[i], bytes);
			size_t free_width = width < g->widths[i] ? g->widths[i] - width : 0;

			if (t->right[i])
				blanks += free_width;
			if (bytes) {
				pad(out, blanks);
				blanks = 0;
				print_bytes(out, rest[i], bytes);
			}
			blanks += (t->right[i] ? width * !bytes : free_width) + GAP;
			rest[i] = next_line(rest[i], bytes);
			more |= *rest[i] != '\0';
		}
		fputc('\n', out);
	}
	free(rest);
}

static void print_table(FILE *out, const struct table *t)
{
	struct grid g = {0};

	make_grid(&g, t);
	fputc('\n', out);
	print_bytes(out, t->title, strlen(t->title));
	fputs("\n\n", out);
	print_row(out, &g, t, 0);
	for (size_t i = 0; i < g.columns; i++) {
		for (size_t k = 0; k < g.widths[i]; k++)
			fputc('-', out);
		if (i + 1 < g.columns)
			pad(out, GAP);
	}
	fputc('\n', out);
	for (size_t row = 1; row < g.rows; row++)
		print_row(out, &g, t, row);
	free_grid(&g);
}

static void print_facts(FILE *out, const struct sheet_fact *facts, size_t n)
{
	size_t widest = 0;

	for (size_t i = 0; i < n; i++)
		if (strlen(facts[i].name) > widest)
			widest = strlen(facts[i].name);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%-*s  ", (int)widest, facts[i].name);
		print_wrapped(out, facts[i].value, widest + 2);
	}
}

void emit_text(FILE *out, const struct sheet *sheet)
{
	const struct checks *checks = sheet->checks;

	print_bytes(out, sheet->title, strlen(sheet->title));
	fputc('\n', out);
	print_facts(out, sheet->heading, sheet->n_heading);
	for (size_t i = 0; i < sheet->n_tables; i++)
		if (sheet->tables[i].n_rows)
			print_table(out, &sheet->tables[i]);
	if (sheet->notes.n)
		fputc('\n', out);
	for (size_t i = 0; i < sheet->notes.n; i++) {
		int indent = fprintf(out, "[%zu] ", i + 1);

		print_wrapped(out, sheet->notes.texts[i], indent > 0 ? (size_t)indent : 0);
	}
	fprintf(out, "\nChecks: %zu ok, %zu warn, %zu failed\n", checks->count[VERDICT_OK],
		checks->count[VERDICT_WARN], checks->count[VERDICT_FAIL]);
	for (size_t i = 0; i < checks->n; i++) {
		char *text;

		if (checks->list[i].verdict == VERDICT_OK)
			continue;
		text = mem_printf("%s: %s", checks->list[i].about, checks->list[i].reason);
		fprintf(out, "%s  ", checks_word(checks->list[i].verdict));
		print_wrapped(out, text, 6);
		free(text);
	}
	fputc('\n', out);
	print_facts(out, sheet->facts, sheet->n_facts);
}
