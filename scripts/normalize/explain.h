/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The footnotes of a report: what the reader of a figure has to know. All
 * wording is here, so that a table, a CSV record and a JSON object say the
 * same.
 */
#ifndef NORMALIZE_EXPLAIN_H
#define NORMALIZE_EXPLAIN_H

#include "notes.h"
#include "study.h"

/* What the paper leaves open about a profile and the job file chose. */
void explain_line(const struct study *s, const struct study_line *line, struct notes *notes,
		  struct marks *marks);

/* What is wrong with the published figures of a line: bounds, contradictions, not comparable. */
void explain_published(const struct study *s, const struct study_line *line, struct notes *notes,
		       struct marks *marks);
void explain_figure(const struct paper_figure *figure, struct notes *notes, struct marks *marks);

/* What holds for all runs on a target: scratch, emulated, shortened, working set, notes of its own.
 */
void explain_target(const struct study *s, const struct study_target *target, struct notes *notes,
		    struct marks *marks);

/*
 * What holds for one cell: failed or missing runs, other concurrency than the paper's; and what
 * explain_target says elsewhere, where not all cells on the target are of one results folder.
 */
void explain_cell(const struct study *s, const struct study_line *line,
		  const struct study_target *target, const struct study_cell *cell,
		  struct notes *notes, struct marks *marks);

/* Why a value is a dash. Nothing for STUDY_KNOWN, and where explain_cell says it already. */
void explain_gap(enum study_gap gap, struct notes *notes, struct marks *marks);

/* Percentiles that are of completion latency. */
void explain_percentiles(const struct study_cell *cell, enum direction d, struct notes *notes,
			 struct marks *marks);

#endif
