// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the reading of what a paper published: figures, tables, contradictions.
 * The profiles and scenarios that they refer to have been read by
 * paper_read.c.
 */
#include "paper_read.h"

#include <stdlib.h>

#include "mem.h"
#include "units.h"

static const char *const metric_words[] = {"iops", "bandwidth", "latency_mean"};
static const char *const direction_words[] = {"read", "write", "trim", "all"};
static const char *const stated_words[] = {"exact", "over", "under", "about"};
static const char *const source_words[] = {"unknown", "host", "client"};

#define WORDS(w) (w), sizeof(w) / sizeof((w)[0])

/* A paper says read or write; absent means all. */
#define PAPER_DIRECTIONS 2

const char *paper_metric_name(enum metric m)
{
	return metric_words[m];
}

const char *paper_direction_name(enum direction d)
{
	return direction_words[d];
}

const char *paper_stated_name(enum stated s)
{
	return stated_words[s];
}

const char *paper_latency_source_name(enum latency_source s)
{
	return source_words[s];
}

static bool find_profile(const struct doc_at *at, const struct paper *p,
			 const struct paper_profile **out)
{
	char *id = NULL;
	bool ok = doc_string(at, "profile", REQUIRED, &id);

	if (ok) {
		*out = paper_find_profile(p, id);
		ok = *out || doc_refuse(at, "there is no profile \"%s\"", id);
	}
	free(id);
	return ok;
}

static bool read_cell(const struct doc_at *at, struct paper_cell *cell)
{
	unsigned int metric = 0, direction = DIRECTION_ALL;

	if (!doc_word(at, "metric", REQUIRED, WORDS(metric_words), &metric) ||
	    !doc_word(at, "direction", OPTIONAL, direction_words, PAPER_DIRECTIONS, &direction))
		return false;
	cell->metric = (enum metric)metric;
	cell->direction = (enum direction)direction;
	return true;
}

static bool read_figure(const struct doc_at *at, const struct paper *p, struct paper_figure *f)
{
	unsigned int stated = 0, source = LATENCY_UNKNOWN;
	struct paper_cell cell = {0};
	char *scenario = NULL;
	double factor;
	bool ok;

	f->comparable = true;
	ok = find_profile(at, p, &f->profile) && read_cell(at, &cell) &&
	     doc_string(at, "scenario", REQUIRED, &scenario) &&
	     doc_number(at, "value", REQUIRED, &f->value_as_stated) &&
	     doc_string(at, "unit", REQUIRED, &f->unit) &&
	     doc_word(at, "stated", REQUIRED, WORDS(stated_words), &stated) &&
	     doc_string(at, "shown", OPTIONAL, &f->shown) &&
	     doc_word(at, "latency_source", OPTIONAL, WORDS(source_words), &source) &&
	     doc_bool(at, "comparable", OPTIONAL, &f->comparable) &&
	     doc_string(at, "why", OPTIONAL, &f->why);
	if (ok) {
		f->scenario = paper_find_scenario(p, scenario);
		ok = f->scenario || doc_refuse(at, "there is no scenario \"%s\"", scenario);
	}
	free(scenario);
	if (!ok)
		return false;
	f->metric = cell.metric;
	f->direction = cell.direction;
	f->stated = (enum stated)stated;
	f->latency_source = (enum latency_source)source;
	if (!units_factor(f->metric, f->unit, &factor))
		return doc_refuse(at, "\"%s\" is not a unit of %s", f->unit,
				  paper_metric_name(f->metric));
	f->value = f->value_as_stated * factor;
	if (!(f->value > 0))
		return doc_refuse(at, "\"value\" must not be 0");
	if (!f->comparable && !f->why)
		return doc_refuse(at,
				  "a figure that is not comparable needs the reason in \"why\"");
	if (paper_find_figure(p, f->profile, f->scenario, cell))
		return doc_refuse(at, "there is a figure for the same profile, scenario, metric "
				      "and direction already");
	return true;
}

bool paper_read_figures(const struct doc_at *root, struct paper *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(root, "figures", OPTIONAL, &list, &n))
		return false;
	p->figures = mem_new(n, sizeof(*p->figures));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct paper_figure figure = {0};
		struct doc_at at;
		bool ok = doc_item(root, "figures", list, i, &at, &where) &&
			  read_figure(&at, p, &figure);

		p->figures[p->n_figures++] = figure;
		if (!ok)
			return false;
	}
	return true;
}

static bool read_row(const struct doc_at *at, const struct paper *p, struct paper_row *row)
{
	const json_t *list;
	size_t n;

	if (!find_profile(at, p, &row->profile) || !doc_items(at, "cell", REQUIRED, &list, &n))
		return false;
	row->cells = mem_new(n, sizeof(*row->cells));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct doc_at cell;

		if (!doc_item(at, "cell", list, i, &cell, &where) ||
		    !read_cell(&cell, &row->cells[i]))
			return false;
		row->n_cells++;
	}
	return true;
}

static bool read_table_scenarios(const struct doc_at *at, const struct paper *p,
				 struct paper_table *t)
{
	char **ids = NULL;
	size_t n = 0;
	bool ok = doc_texts(at, "scenarios", OPTIONAL, &ids, &n);

	t->scenarios = mem_new(n ? n : p->n_scenarios, sizeof(*t->scenarios));
	for (size_t i = 0; ok && i < n; i++) {
		t->scenarios[t->n_scenarios] = paper_find_scenario(p, ids[i]);
		ok = t->scenarios[t->n_scenarios++] ||
		     doc_refuse(at, "there is no scenario \"%s\"", ids[i]);
	}
	if (ok && !n)
		while (t->n_scenarios < p->n_scenarios) {
			t->scenarios[t->n_scenarios] = &p->scenarios[t->n_scenarios];
			t->n_scenarios++;
		}
	paper_free_list(ids, n);
	return ok;
}

static bool read_table(const struct doc_at *at, const struct paper *p, struct paper_table *t)
{
	const json_t *list;
	size_t n;

	if (!paper_read_name(at, "id", &t->id) || !doc_string(at, "title", REQUIRED, &t->title) ||
	    !read_table_scenarios(at, p, t) || !doc_items(at, "rows", REQUIRED, &list, &n))
		return false;
	t->rows = mem_new(n, sizeof(*t->rows));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct doc_at row;

		if (!doc_item(at, "rows", list, i, &row, &where))
			return false;
		if (!read_row(&row, p, &t->rows[t->n_rows++]))
			return false;
	}
	return true;
}

bool paper_read_tables(const struct doc_at *root, struct paper *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(root, "tables", REQUIRED, &list, &n))
		return false;
	p->tables = mem_new(n, sizeof(*p->tables));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct doc_at at;

		if (!doc_item(root, "tables", list, i, &at, &where) ||
		    !read_table(&at, p, &p->tables[p->n_tables++]))
			return false;
	}
	return true;
}

static bool read_contradiction(const struct doc_at *at, const struct paper *p,
			       struct paper_contradiction *c)
{
	char **ids = NULL;
	size_t n = 0;
	bool ok = doc_string(at, "text", REQUIRED, &c->text) &&
		  doc_texts(at, "profiles", OPTIONAL, &ids, &n);

	c->profiles = mem_new(n, sizeof(*c->profiles));
	for (size_t i = 0; ok && i < n; i++) {
		c->profiles[c->n_profiles] = paper_find_profile(p, ids[i]);
		ok = c->profiles[c->n_profiles++] ||
		     doc_refuse(at, "there is no profile \"%s\"", ids[i]);
	}
	paper_free_list(ids, n);
	return ok;
}

bool paper_read_contradictions(const struct doc_at *root, struct paper *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(root, "does_not_add_up", OPTIONAL, &list, &n))
		return false;
	p->contradictions = mem_new(n, sizeof(*p->contradictions));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct doc_at at;

		if (!doc_item(root, "does_not_add_up", list, i, &at, &where) ||
		    !read_contradiction(&at, p, &p->contradictions[p->n_contradictions++]))
			return false;
	}
	return true;
}
