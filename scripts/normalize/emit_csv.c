// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the records as CSV (RFC 4180). Values are printed in full: rounding is
 * for readers, not for programs.
 */
#include "emit.h"

#include <string.h>

static void print_quoted(FILE *out, const char *text)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void print_text(FILE *out, const char *text)
{
	print_quoted(out, text);
	fputc(',', out);
}

static void print_value(FILE *out, bool known, double value)
{
	if (known)
		fprintf(out, "%.15g", value);
	fputc(',', out);
}

/* All notes of a record are one field; the quotes around it are always there. */
static void print_notes(FILE *out, const struct records *records, const struct marks *marks)
{
	fputc('"', out);
	for (size_t i = 0; i < marks->n; i++) {
		if (i)
			fputc(' ', out);
		for (const char *p = records->notes.texts[marks->ids[i]]; *p; p++) {
			if (*p == '"')
				fputc('"', out);
			fputc(*p, out);
		}
	}
	fputc('"', out);
}

void emit_csv(FILE *out, const struct study *s, const struct records *records)
{
	fputs("profile,scenario,target,engine,io,metric,unit,measured,published,stated,ratio,n,"
	      "min,max,fio,notes\r\n",
	      out);
	for (size_t i = 0; i < records->n; i++) {
		const struct record *r = &records->list[i];

		print_text(out, r->line->name);
		print_text(out, r->line->scenario_id);
		print_text(out, r->target->name);
		print_text(out, r->target->engine);
		print_text(out, paper_direction_name(r->direction));
		print_text(out, r->metric);
		print_text(out, r->unit);
		print_value(out, r->known, r->measured);
		print_value(out, r->figure != NULL, r->figure ? r->figure->value : 0);
		print_text(out, r->figure ? paper_stated_name(r->figure->stated) : NULL);
		print_value(out, r->has_ratio, r->ratio);
		fprintf(out, "%zu,", r->n);
		print_value(out, r->has_spread, r->min);
		print_value(out, r->has_spread, r->max);
		print_text(out, r->cell->version ? r->cell->version : s->version.text);
		print_notes(out, records, &r->marks);
		fputs("\r\n", out);
	}
}
