// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the report as GitHub Markdown: every text of a file that might be
 * read as markup is escaped.
 */
#include "emit.h"

#include <stdlib.h>
#include <string.h>

static void print_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (strchr("\\`*_{}[]<>#|~", *text))
			fputc('\\', out);
		fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
	}
}

static void print_cell(FILE *out, const struct table_cell *cell)
{
	char *text = table_text(cell);

	fputc(' ', out);
	print_escaped(out, text);
	fputs(" |", out);
	free(text);
}

static void print_table(FILE *out, const struct table *t)
{
	fputs("\n## ", out);
	print_escaped(out, t->title);
	fputs("\n\n|", out);
	for (size_t i = 0; i < t->n_columns; i++)
		print_cell(out, &t->heads[i]);
	fputs("\n|", out);
	for (size_t i = 0; i < t->n_columns; i++)
		fputs(t->right[i] ? " ---: |" : " --- |", out);
	fputc('\n', out);
	for (size_t row = 0; row < t->n_rows; row++) {
		fputc('|', out);
		for (size_t i = 0; i < t->n_columns; i++)
			print_cell(out, table_at(t, row, i));
		fputc('\n', out);
	}
}

static void print_facts(FILE *out, const struct sheet_fact *facts, size_t n)
{
	if (n)
		fputc('\n', out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "- %s: ", facts[i].name);
		print_escaped(out, facts[i].value);
		fputc('\n', out);
	}
}

static void print_checks(FILE *out, const struct checks *checks)
{
	fprintf(out, "\n## Checks\n\n%zu ok, %zu warn, %zu failed\n", checks->count[VERDICT_OK],
		checks->count[VERDICT_WARN], checks->count[VERDICT_FAIL]);
	if (checks->count[VERDICT_WARN] + checks->count[VERDICT_FAIL])
		fputc('\n', out);
	for (size_t i = 0; i < checks->n; i++) {
		const struct check *check = &checks->list[i];

		if (check->verdict == VERDICT_OK)
			continue;
		fprintf(out, "- **%s** ", checks_word(check->verdict));
		print_escaped(out, check->about);
		fputs(": ", out);
		print_escaped(out, check->reason);
		fputc('\n', out);
	}
}

void emit_markdown(FILE *out, const struct sheet *sheet)
{
	fputs("# ", out);
	print_escaped(out, sheet->title);
	fputc('\n', out);
	print_facts(out, sheet->heading, sheet->n_heading);
	for (size_t i = 0; i < sheet->n_tables; i++)
		if (sheet->tables[i].n_rows)
			print_table(out, &sheet->tables[i]);
	if (sheet->notes.n)
		fputs("\n## Notes\n\n", out);
	for (size_t i = 0; i < sheet->notes.n; i++) {
		/* numbers of a Markdown list may be renumbered: they are text here */
		fprintf(out, "- \\[%zu\\] ", i + 1);
		print_escaped(out, sheet->notes.texts[i]);
		fputc('\n', out);
	}
	print_checks(out, sheet->checks);
	print_facts(out, sheet->facts, sheet->n_facts);
}
