// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns which records a study makes. How they are written is in emit_csv.c and
 * emit_json.c.
 */
#include "records.h"

#include <math.h>
#include <stdlib.h>

#include "explain.h"
#include "mem.h"
#include "units.h"

/* Where a record is being made: everything that its siblings share. */
struct place {
	const struct study *study;
	struct records *records;
	const struct study_line *line;
	const struct study_target *target;
	const struct study_cell *cell;
	enum direction direction;
	struct marks common;
};

static const struct {
	double percent;
	const char *name;
} percentiles[] = {
	{50, "latency_p50"},	 {90, "latency_p90"},	    {99, "latency_p99"},
	{99.9, "latency_p99.9"}, {99.99, "latency_p99.99"},
};

static struct record *add(struct place *p, const char *metric, const char *unit, enum study_gap gap,
			  double value)
{
	struct records *r = p->records;
	struct record *record;

	if (!(r->n & (r->n - 1)))
		r->list = mem_resize(r->list, r->n ? r->n * 2 : 1, sizeof(*r->list));
	record = &r->list[r->n++];
	*record = (struct record){
		.line = p->line,
		.target = p->target,
		.cell = p->cell,
		.direction = p->direction,
		.metric = metric,
		.unit = unit,
		.known = gap == STUDY_KNOWN,
		.measured = value,
		.n = p->cell->done,
	};
	marks_merge(&record->marks, &p->common);
	explain_gap(gap, &r->notes, &record->marks);
	return record;
}

static void set_spread(struct record *record, const struct spread *spread)
{
	if (!record->known)
		return;
	record->has_spread = true;
	record->min = spread->min;
	record->max = spread->max;
}

static const struct paper_figure *find_figure(const struct place *p, enum metric metric)
{
	const struct paper_cell cell = {metric, p->direction};

	if (!p->study->paper || !p->line->profile || !p->line->scenario)
		return NULL;
	return paper_find_figure(p->study->paper, p->line->profile, p->line->scenario, cell);
}

/* A metric that papers publish. Nothing when it is neither published nor measured. */
static void add_published(struct place *p, enum metric metric, bool has_io)
{
	const struct paper_figure *figure = find_figure(p, metric);
	const struct series_io *io = &p->cell->series.io[p->direction];
	struct record *record;
	double value = 0;
	enum study_gap gap = study_value(p->cell, metric, p->direction, &value);

	if (!figure && !has_io)
		return;
	record = add(p, paper_metric_name(metric), units_base(metric), gap, value);
	if (metric == METRIC_IOPS)
		set_spread(record, &io->iops);
	else if (metric == METRIC_BANDWIDTH)
		set_spread(record, &io->bandwidth);
	record->figure = figure;
	if (!figure)
		return;
	explain_figure(figure, &p->records->notes, &record->marks);
	if (figure->comparable && !gap) {
		record->has_ratio = true;
		record->ratio = value / figure->value;
	}
}

static void add_latencies(struct place *p)
{
	const struct latency *l = &p->cell->series.io[p->direction].latency;
	double ns = 0;
	enum study_gap gap = study_latency_max(p->cell, p->direction, &ns);
	double stddev = latency_stddev(l);

	add(p, "latency_min", "ns", gap, (double)l->min);
	add(p, "latency_max", "ns", gap, ns);
	add(p, "latency_stddev", "ns", !gap && !isfinite(stddev) ? STUDY_NO_LATENCY : gap, stddev);
	for (size_t i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++) {
		struct record *record;

		gap = study_percentile(p->cell, p->direction, percentiles[i].percent, &ns);
		record = add(p, percentiles[i].name, "ns", gap, ns);
		if (!gap)
			explain_percentiles(p->cell, p->direction, &p->records->notes,
					    &record->marks);
	}
}

static void add_direction(struct place *p, enum direction d, bool has_io)
{
	p->direction = d;
	for (int m = METRIC_IOPS; m <= METRIC_LATENCY_MEAN; m++)
		add_published(p, (enum metric)m, has_io);
	if (has_io)
		add_latencies(p);
}

static void add_cell(struct place *p)
{
	enum direction measured[MODEL_DIRECTIONS];
	size_t n = study_directions(p->cell, measured);
	double in_flight = 0;
	enum study_gap gap;

	for (int d = DIRECTION_READ; d <= DIRECTION_ALL; d++) {
		bool has_io = false;

		for (size_t i = 0; i < n; i++)
			has_io |= measured[i] == (enum direction)d;
		add_direction(p, (enum direction)d, has_io);
	}
	if (!n)
		return;
	gap = study_in_flight(p->cell, &in_flight);
	p->direction = DIRECTION_ALL;
	add(p, "in_flight", "I/Os", gap, in_flight);
	if (p->cell->in_flight)
		add(p, "in_flight_configured", "I/Os", STUDY_KNOWN, (double)p->cell->in_flight);
}

void records_make(struct records *records, const struct study *s)
{
	struct place p = {.study = s, .records = records};

	*records = (struct records){0};
	for (size_t line = 0; line < s->n_lines; line++) {
		for (size_t target = 0; target < s->n_targets; target++) {
			p.line = &s->lines[line];
			p.target = &s->targets[target];
			p.cell = study_at(s, line, target);
			explain_line(s, p.line, &records->notes, &p.common);
			explain_target(s, p.target, &records->notes, &p.common);
			explain_cell(s, p.line, p.target, p.cell, &records->notes, &p.common);
			add_cell(&p);
			marks_free(&p.common);
		}
	}
}

void records_free(struct records *records)
{
	for (size_t i = 0; i < records->n; i++)
		marks_free(&records->list[i].marks);
	free(records->list);
	notes_free(&records->notes);
	*records = (struct records){0};
}
