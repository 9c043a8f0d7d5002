/* SPDX-License-Identifier: GPL-2.0-only */
/* The two tables of a report. */
#ifndef NORMALIZE_SHEET_TABLES_H
#define NORMALIZE_SHEET_TABLES_H

#include "notes.h"
#include "study.h"
#include "table.h"

/*
 * What the paper published for a line, as it prints it; to be freed. A metric
 * without a figure is "-".
 */
char *sheet_published(const struct study *s, const struct study_line *line);

/* One of the paper's tables (NULL: the lines that are in none) with the targets beside it. */
void sheet_paper_table(struct table *t, const struct study *s, const struct paper_table *table,
		       struct notes *notes);

/* Everything measured: a row per line, target and direction. */
void sheet_detail_table(struct table *t, const struct study *s, struct notes *notes);

#endif
