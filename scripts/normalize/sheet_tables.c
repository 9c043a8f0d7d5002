// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the shape of the tables: which columns there are and what stands in a
 * cell. Values and their absence come from study.c, footnotes from explain.c.
 */
#include "sheet_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "mem.h"
#include "units.h"

/* What fits beside the rest on a screen; CSV and JSON have more. */
static const double percentiles[] = {50, 99, 99.9};
static const char *const percentile_heads[] = {"p50", "p99", "p99.9"};

#define N_PERCENTILES (sizeof(percentiles) / sizeof(percentiles[0]))

/* Appends to a list of texts: "a", then "a, b". */
static char *append(char *list, const char *text)
{
	char *longer = mem_printf("%s%s%s", list, list[0] ? ", " : "", text);

	free(list);
	return longer;
}

static char *figure_text(const struct paper_figure *f)
{
	static const char *const signs[] = {"", "> ", "< ", "~ "};

	if (f->shown)
		return mem_printf("%s%s", signs[f->stated], f->shown);
	/* as the paper prints it: no digits are added or taken away */
	if (f->metric == METRIC_IOPS)
		return mem_printf("%s%s %s", signs[f->stated], units_count(f->value_as_stated).s,
				  f->unit);
	return mem_printf("%s%g %s", signs[f->stated], f->value_as_stated, f->unit);
}

static const struct paper_figure *figure_of(const struct study *s, const struct study_line *line,
					    size_t cell)
{
	if (!s->paper || !line->profile || !line->scenario)
		return NULL;
	return paper_find_figure(s->paper, line->profile, line->scenario, line->cells[cell]);
}

char *sheet_published(const struct study *s, const struct study_line *line)
{
	char *list = mem_copy("");

	for (size_t i = 0; i < line->n_cells; i++) {
		const struct paper_figure *f = figure_of(s, line, i);
		char *text = f ? figure_text(f) : mem_copy("-");

		list = append(list, text);
		free(text);
	}
	return list;
}

static struct units_text measured_text(enum metric metric, double value,
				       const struct paper_figure *f)
{
	struct units_text out, count;

	switch (metric) {
	case METRIC_IOPS:
		/* a rate below 100 has digits after the point that matter */
		count = value < 100 ? units_short(value) : units_count(value);
		snprintf(out.s, sizeof(out.s), "%.48s IOPS", count.s);
		return out;
	case METRIC_BANDWIDTH:
		return units_bandwidth(value, f ? f->unit : "MB/s");
	default:
		return units_latency(value);
	}
}

static void set_measured(struct table *t, size_t row, size_t column, const struct study *s,
			 const struct study_line *line, const struct study_target *target,
			 const struct study_cell *c, struct notes *notes)
{
	struct table_cell *cell = table_at(t, row, column);
	char *list = mem_copy("");

	for (size_t i = 0; i < line->n_cells && c->state == STUDY_MEASURED; i++) {
		struct paper_cell what = line->cells[i];
		double value = 0;
		enum study_gap gap = study_value(c, what.metric, what.direction, &value);

		list = append(list,
			      gap ? "-"
				  : measured_text(what.metric, value, figure_of(s, line, i)).s);
		explain_gap(gap, notes, &cell->marks);
	}
	explain_cell(s, line, target, c, notes, &cell->marks);
	table_set(t, row, column, "%s", list[0] ? list : "-");
	free(list);
}

/* Measured / published of the cell's first metric; empty where there is nothing to divide. */
static void set_ratio(struct table *t, size_t row, size_t column, const struct study *s,
		      const struct study_line *line, const struct study_cell *c)
{
	const struct paper_figure *f = figure_of(s, line, 0);
	struct paper_cell what = line->cells[0];
	double value = 0;

	if (f && f->comparable && !study_value(c, what.metric, what.direction, &value))
		table_set(t, row, column, "%s", units_short(value / f->value).s);
	else
		table_set(t, row, column, "-");
}

static char *target_head(const struct study_target *target)
{
	/* plain files have no target but the engine */
	if (!target->n_parts)
		return mem_printf("Measured (%s)", target->name);
	return mem_printf("%s (%s)", target->name, target->engine);
}

static void set_workload(struct table *t, size_t row, size_t column, const struct study_line *line)
{
	const struct paper_profile *p = line->profile;

	if (!p)
		table_set(t, row, column, "-");
	else if (p->threads && p->outstanding)
		table_set(t, row, column, "%s, T%u O%u", p->title, p->threads, p->outstanding);
	else
		table_set(t, row, column, "%s", p->title);
}

static void set_published(struct table *t, size_t row, size_t column, const struct study *s,
			  const struct study_line *line, struct notes *notes)
{
	char *text = sheet_published(s, line);

	table_set(t, row, column, "%s", text);
	explain_published(s, line, notes, &table_at(t, row, column)->marks);
	free(text);
}

/* Is anything published of the rows? Columns of dashes would only take room. */
static bool has_published(const struct study *s, const struct paper_table *table)
{
	for (size_t i = 0; i < s->n_lines; i++)
		for (size_t k = 0; s->lines[i].table == table && k < s->lines[i].n_cells; k++)
			if (figure_of(s, &s->lines[i], k))
				return true;
	return false;
}

void sheet_paper_table(struct table *t, const struct study *s, const struct paper_table *table,
		       struct notes *notes)
{
	bool scenarios = s->paper->n_scenarios > 1, published = has_published(s, table);
	size_t workload = scenarios ? 2 : 1;
	size_t first = workload + 1 + published; /* column of the first target */
	size_t step = 1 + published;		 /* with its ratio */

	table_init(t, table ? table->title : "Runs that are in none of the paper's tables");
	table_add_column(t, "Profile", false);
	if (scenarios)
		table_add_column(t, "Scenario", false);
	table_add_column(t, "Workload", false);
	if (published)
		table_add_column(t, "Published", true);
	for (size_t i = 0; i < s->n_targets; i++) {
		char *head = target_head(&s->targets[i]);
		struct table_cell *cell = table_add_column(t, head, true);

		explain_target(s, &s->targets[i], notes, &cell->marks);
		if (published)
			table_add_column(t, "Ratio", true);
		free(head);
	}
	for (size_t i = 0; i < s->n_lines; i++) {
		const struct study_line *line = &s->lines[i];
		size_t row;

		if (line->table != table || line->whole)
			continue;
		row = table_add_row(t);
		table_set(t, row, 0, "%s", line->name);
		explain_line(s, line, notes, &table_at(t, row, 0)->marks);
		if (scenarios)
			table_set(t, row, 1, "%s",
				  line->scenario ? line->scenario->title : line->scenario_id);
		set_workload(t, row, workload, line);
		if (published)
			set_published(t, row, workload + 1, s, line, notes);
		for (size_t k = 0; k < s->n_targets; k++) {
			const struct study_cell *c = study_at(s, i, k);

			set_measured(t, row, first + step * k, s, line, &s->targets[k], c, notes);
			if (published)
				set_ratio(t, row, first + step * k + 1, s, line, c);
		}
	}
}

enum detail_column {
	DETAIL_NAME,
	DETAIL_TARGET,
	DETAIL_DIRECTION,
	DETAIL_IOPS,
	DETAIL_BANDWIDTH,
	DETAIL_MEAN,
	DETAIL_P50,
	DETAIL_MAX = DETAIL_P50 + N_PERCENTILES,
	DETAIL_IN_FLIGHT,
	DETAIL_DEPTH, /* as configured */
	DETAIL_REPEATS,
	DETAIL_SPREAD, /* only when something was repeated */
};

static void set_value(struct table *t, size_t row, size_t column, enum study_gap gap,
		      const char *text, struct notes *notes)
{
	table_set(t, row, column, "%s", gap ? "-" : text);
	explain_gap(gap, notes, &table_at(t, row, column)->marks);
}

static void set_in_flight(struct table *t, size_t row, const struct study_cell *c,
			  struct notes *notes)
{
	double in_flight = 0;
	enum study_gap gap = study_in_flight(c, &in_flight);

	set_value(t, row, DETAIL_IN_FLIGHT, gap, units_short(in_flight).s, notes);
	if (c->in_flight)
		table_set(t, row, DETAIL_DEPTH, "%s", units_count((double)c->in_flight).s);
}

static void add_detail_row(struct table *t, const struct study *s, const struct study_line *line,
			   const struct study_target *target, const struct study_cell *c,
			   enum direction d, bool is_last, bool scenarios, struct notes *notes)
{
	const struct spread *iops = &c->series.io[d].iops;
	size_t row = table_add_row(t);
	double v = 0;
	enum study_gap gap;

	table_set(t, row, DETAIL_NAME, "%s%s%s", line->name, scenarios ? ", " : "",
		  scenarios ? line->scenario_id : "");
	table_set(t, row, DETAIL_TARGET, "%s", target->name);
	/* without a paper there is no column head to mark */
	if (!s->paper)
		explain_target(s, target, notes, &table_at(t, row, DETAIL_TARGET)->marks);
	table_set(t, row, DETAIL_DIRECTION, "%s", paper_direction_name(d));
	gap = study_value(c, METRIC_IOPS, d, &v);
	set_value(t, row, DETAIL_IOPS, gap, (v < 100 ? units_short(v) : units_count(v)).s, notes);
	gap = study_value(c, METRIC_BANDWIDTH, d, &v);
	set_value(t, row, DETAIL_BANDWIDTH, gap, units_short(v / 1e6).s, notes);
	gap = study_value(c, METRIC_LATENCY_MEAN, d, &v);
	set_value(t, row, DETAIL_MEAN, gap, units_latency(v).s, notes);
	for (size_t i = 0; i < N_PERCENTILES; i++) {
		gap = study_percentile(c, d, percentiles[i], &v);
		set_value(t, row, DETAIL_P50 + i, gap, units_latency(v).s, notes);
		if (!gap)
			explain_percentiles(c, d, notes, &table_at(t, row, DETAIL_P50 + i)->marks);
	}
	gap = study_latency_max(c, d, &v);
	set_value(t, row, DETAIL_MAX, gap, units_latency(v).s, notes);
	/* Little's law is about the run as a whole */
	if (is_last)
		set_in_flight(t, row, c, notes);
	table_set(t, row, DETAIL_REPEATS, "%zu", c->done);
	if (iops->n > 1)
		table_set(t, row, DETAIL_SPREAD, "%s..%s", units_count(iops->min).s,
			  units_count(iops->max).s);
	/* without a paper no other table says how the figure came about */
	if (!s->paper)
		explain_cell(s, line, target, c, notes, &table_at(t, row, DETAIL_IOPS)->marks);
}

static bool has_scenarios(const struct study *s)
{
	const char *first = NULL;

	for (size_t i = 0; i < s->n_lines * s->n_targets; i++) {
		const char *id = s->lines[i / s->n_targets].scenario_id;

		if (s->cells[i].state != STUDY_MEASURED || !id)
			continue;
		if (first && strcmp(first, id))
			return true;
		first = id;
	}
	return false;
}

static bool has_repeats(const struct study *s)
{
	for (size_t i = 0; i < s->n_lines * s->n_targets; i++)
		if (s->cells[i].done > 1)
			return true;
	return false;
}

void sheet_detail_table(struct table *t, const struct study *s, struct notes *notes)
{
	bool scenarios = has_scenarios(s);

	table_init(t, s->paper ? "Measured in detail" : "Measured");
	table_add_column(t, s->n_folders || s->paper ? "Profile" : "Job", false);
	table_add_column(t, "Target", false);
	table_add_column(t, "I/O", false);
	table_add_column(t, "IOPS", true);
	table_add_column(t, "MB/s", true);
	table_add_column(t, "Mean", true);
	for (size_t i = 0; i < N_PERCENTILES; i++)
		table_add_column(t, percentile_heads[i], true);
	table_add_column(t, "Max", true);
	table_add_column(t, "In flight", true);
	table_add_column(t, "Depth", true);
	table_add_column(t, "n", true);
	if (has_repeats(s))
		table_add_column(t, "IOPS min..max", true);
	for (size_t i = 0; i < s->n_lines; i++) {
		for (size_t k = 0; k < s->n_targets; k++) {
			const struct study_cell *c = study_at(s, i, k);
			enum direction directions[MODEL_DIRECTIONS];
			size_t n = study_directions(c, directions);

			for (size_t d = 0; d < n; d++)
				add_detail_row(t, s, &s->lines[i], &s->targets[k], c, directions[d],
					       d + 1 == n, scenarios, notes);
			/* without a paper no other table says so */
			if (!n && c->planned && !s->paper) {
				size_t row = table_add_row(t);

				table_set(t, row, DETAIL_NAME, "%s", s->lines[i].name);
				table_set(t, row, DETAIL_TARGET, "%s", s->targets[k].name);
				table_set(t, row, DETAIL_IOPS, "-");
				explain_cell(s, &s->lines[i], &s->targets[k], c, notes,
					     &table_at(t, row, DETAIL_IOPS)->marks);
			}
		}
	}
}
