/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A study as a flat list: one record for each profile, scenario, target, kind
 * of I/O and metric, for programs rather than readers. All values are in base
 * units (IOPS, B/s, ns, I/Os).
 */
#ifndef NORMALIZE_RECORDS_H
#define NORMALIZE_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "notes.h"
#include "study.h"

struct record {
	const struct study_line *line;
	const struct study_target *target;
	const struct study_cell *cell;
	enum direction direction;
	const char *metric; /* iops, bandwidth, latency_mean, latency_p99.9, in_flight ... */
	const char *unit;
	bool known;
	double measured;
	const struct paper_figure *figure; /* NULL: not published */
	bool has_ratio;
	double ratio; /* measured / published */
	size_t n;     /* repeats in `measured` */
	bool has_spread;
	double min, max; /* over the repeats */
	struct marks marks;
};

struct records {
	struct record *list;
	size_t n;
	struct notes notes;
};

void records_make(struct records *records, const struct study *s);
void records_free(struct records *records);

#endif
