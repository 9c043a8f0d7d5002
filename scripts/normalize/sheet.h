/* SPDX-License-Identifier: GPL-2.0-only */
/* A report as it is printed: heading, tables, footnotes, verdicts, facts. */
#ifndef NORMALIZE_SHEET_H
#define NORMALIZE_SHEET_H

#include <stddef.h>

#include "checks.h"
#include "notes.h"
#include "study.h"
#include "table.h"

struct sheet_fact {
	const char *name;
	char *value;
};

struct sheet {
	char *title;
	struct sheet_fact *heading; /* about the paper, before the tables */
	size_t n_heading;
	struct table *tables;
	size_t n_tables;
	struct notes notes;
	const struct checks *checks;
	struct sheet_fact
		*facts; /* about the runs, after the tables; fio's version is always there */
	size_t n_facts;
};

/* `checks` is only referred to. */
void sheet_make(struct sheet *sheet, const struct study *s, const struct checks *checks);
void sheet_free(struct sheet *sheet);

#endif
