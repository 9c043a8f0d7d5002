// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the numbering of footnotes. What they say is in explain.c.
 */
#include "notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static size_t find_or_add(struct notes *notes, char *text)
{
	for (size_t i = 0; i < notes->n; i++) {
		if (strcmp(notes->texts[i], text))
			continue;
		free(text);
		return i;
	}
	notes->texts = mem_resize(notes->texts, notes->n + 1, sizeof(*notes->texts));
	notes->texts[notes->n] = text;
	return notes->n++;
}

static void marks_add(struct marks *marks, size_t id)
{
	size_t at = marks->n;

	while (at && marks->ids[at - 1] > id)
		at--;
	if (at && marks->ids[at - 1] == id)
		return;
	marks->ids = mem_resize(marks->ids, marks->n + 1, sizeof(*marks->ids));
	memmove(&marks->ids[at + 1], &marks->ids[at], (marks->n - at) * sizeof(*marks->ids));
	marks->ids[at] = id;
	marks->n++;
}

void notes_mark(struct notes *notes, struct marks *marks, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = mem_vprintf(fmt, ap);
	va_end(ap);
	marks_add(marks, find_or_add(notes, text));
}

void marks_merge(struct marks *dst, const struct marks *src)
{
	for (size_t i = 0; i < src->n; i++)
		marks_add(dst, src->ids[i]);
}

char *marks_text(const struct marks *marks)
{
	char *text = mem_copy("");

	for (size_t i = 0; i < marks->n;) {
		size_t last = i;
		char *longer;

		while (last + 1 < marks->n && marks->ids[last + 1] == marks->ids[last] + 1)
			last++;
		/* two in a row are a list, more are a range */
		if (last < i + 2)
			last = i;
		longer = last == i ? mem_printf("%s%s%zu", text, i ? "," : "[", marks->ids[i] + 1)
				   : mem_printf("%s%s%zu-%zu", text, i ? "," : "[",
						marks->ids[i] + 1, marks->ids[last] + 1);
		free(text);
		text = longer;
		i = last + 1;
	}
	if (marks->n) {
		char *closed = mem_printf("%s]", text);

		free(text);
		text = closed;
	}
	return text;
}

void marks_free(struct marks *marks)
{
	free(marks->ids);
	*marks = (struct marks){0};
}

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->n; i++)
		free(notes->texts[i]);
	free(notes->texts);
	*notes = (struct notes){0};
}
