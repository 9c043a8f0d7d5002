// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the report as JSON; the keys are documented in emit.h. The document is
 * small, it holds no histograms.
 */
#include "emit.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "engines/version.h"
#include "mem.h"

/* Also replaces what is not UTF-8: names come from files that need not be. */
static json_t *text(const char *s)
{
	json_t *value;
	char *ascii;

	if (!s)
		return json_null();
	value = json_string(s);
	if (value)
		return value;
	ascii = mem_copy(s);
	for (char *p = ascii; *p; p++)
		if ((unsigned char)*p >= 0x80)
			*p = '?';
	value = json_string(ascii);
	free(ascii);
	return value;
}

static json_t *number(bool known, double value)
{
	return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(uint64_t value)
{
	return value ? json_integer((json_int_t)value) : json_null();
}

static json_t *texts(char *const *list, size_t n)
{
	json_t *array = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, text(list[i]));
	return array;
}

static json_t *paper_object(const struct paper *p)
{
	json_t *o, *contradictions;

	if (!p)
		return json_null();
	o = json_object();
	json_object_set_new(o, "id", text(p->id));
	json_object_set_new(o, "title", text(p->title));
	json_object_set_new(o, "publisher", text(p->publisher));
	json_object_set_new(o, "document", text(p->document));
	json_object_set_new(o, "not_stated", texts(p->not_stated, p->n_not_stated));
	contradictions = json_array();
	for (size_t i = 0; i < p->n_contradictions; i++)
		json_array_append_new(contradictions, text(p->contradictions[i].text));
	json_object_set_new(o, "does_not_add_up", contradictions);
	return o;
}

static json_t *target_object(const struct study_target *t)
{
	const struct results_target *from = t->n_parts ? t->parts[0].target : NULL;
	json_t *o = json_object();

	json_object_set_new(o, "name", text(t->name));
	json_object_set_new(o, "engine", text(t->engine));
	json_object_set_new(o, "path", text(from ? from->path : NULL));
	json_object_set_new(o, "device", text(from ? from->device : NULL));
	json_object_set_new(o, "device_model", text(from ? from->device_model : NULL));
	json_object_set_new(o, "filesystem", text(from ? from->filesystem : NULL));
	json_object_set_new(o, "embedded", from ? json_boolean(from->embedded) : json_null());
	json_object_set_new(o, "emulated", from ? json_boolean(from->emulated) : json_null());
	return o;
}

static json_t *figure_object(const struct paper_figure *f)
{
	json_t *o;

	if (!f)
		return json_null();
	o = json_object();
	json_object_set_new(o, "value", json_real(f->value_as_stated));
	json_object_set_new(o, "unit", text(f->unit));
	json_object_set_new(o, "stated", text(paper_stated_name(f->stated)));
	json_object_set_new(o, "latency_source",
			    f->metric == METRIC_LATENCY_MEAN
				    ? text(paper_latency_source_name(f->latency_source))
				    : json_null());
	json_object_set_new(o, "comparable", json_boolean(f->comparable));
	return o;
}

static json_t *record_object(const struct record *r)
{
	json_t *o = json_object(), *notes = json_array();

	json_object_set_new(o, "profile", text(r->line->name));
	json_object_set_new(o, "scenario", text(r->line->scenario_id));
	json_object_set_new(o, "target", text(r->target->name));
	json_object_set_new(o, "io", text(paper_direction_name(r->direction)));
	json_object_set_new(o, "metric", text(r->metric));
	json_object_set_new(o, "unit", text(r->unit));
	json_object_set_new(o, "measured", number(r->known, r->measured));
	json_object_set_new(o, "published",
			    number(r->figure != NULL, r->figure ? r->figure->value : 0));
	json_object_set_new(o, "published_as", figure_object(r->figure));
	json_object_set_new(o, "ratio", number(r->has_ratio, r->ratio));
	json_object_set_new(o, "n", json_integer((json_int_t)r->n));
	json_object_set_new(o, "min", number(r->has_spread, r->min));
	json_object_set_new(o, "max", number(r->has_spread, r->max));
	for (size_t i = 0; i < r->marks.n; i++)
		json_array_append_new(notes, json_integer((json_int_t)r->marks.ids[i]));
	json_object_set_new(o, "notes", notes);
	return o;
}

static json_t *check_object(const struct check *c)
{
	static const char *const verdicts[] = {"ok", "warn", "fail"};
	json_t *o = json_object();

	json_object_set_new(o, "verdict", text(verdicts[c->verdict]));
	json_object_set_new(o, "name", text(c->name));
	json_object_set_new(o, "about", text(c->about));
	json_object_set_new(o, "reason", text(c->reason));
	return o;
}

static json_t *folder_object(const struct results *r)
{
	const struct results_environment *e = &r->environment;
	json_t *o = json_object();

	json_object_set_new(o, "path", text(r->root));
	json_object_set_new(o, "fiopack", text(r->fiopack));
	json_object_set_new(o, "fio", text(e->fio_version));
	json_object_set_new(o, "started", text(r->started));
	json_object_set_new(o, "resumed", texts(r->resumed, r->n_resumed));
	json_object_set_new(o, "host", text(e->hostname));
	json_object_set_new(o, "kernel", text(e->kernel));
	json_object_set_new(o, "cpu", text(e->cpu));
	json_object_set_new(o, "memory_bytes", count(e->memory_bytes));
	json_object_set_new(o, "vms", count(r->options.vms));
	return o;
}

/* The folders, and beside them what is the same in all. */
static void set_folders(json_t *root, const struct study *s)
{
	static const char *const keys[] = {"started", "host", "kernel", "cpu", "memory_bytes"};
	json_t *list = json_array();

	for (size_t i = 0; i < s->n_folders; i++)
		json_array_append_new(list, folder_object(s->folders[i]));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		json_t *value = json_object_get(json_array_get(list, 0), keys[i]);

		for (size_t k = 1; value && k < s->n_folders; k++)
			if (!json_equal(value, json_object_get(json_array_get(list, k), keys[i])))
				value = NULL;
		json_object_set(root, keys[i], value ? value : json_null());
	}
	json_object_set_new(root, "folders", list);
}

/* Indices into the folders. */
static json_t *folders_of(const struct study *s, const struct record *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->target->n_parts; i++) {
		const struct study_part *part = &r->target->parts[i];

		for (size_t k = 0; k < s->n_folders; k++)
			if (s->folders[k] == part->folder && study_part_has(part, r->line))
				json_array_append_new(list, json_integer((json_int_t)k));
	}
	return list;
}

void emit_json(FILE *out, const struct study *s, const struct records *records,
	       const struct checks *checks)
{
	json_t *root = json_object(), *targets = json_array(), *list = json_array();
	json_t *verdicts = json_array();

	json_object_set_new(root, "schema", json_integer(1));
	json_object_set_new(root, "fiopack", text(FIOPACK_VERSION));
	json_object_set_new(root, "fio", text(s->version.text));
	json_object_set_new(root, "paper", paper_object(s->paper));
	set_folders(root, s);
	for (size_t i = 0; i < s->n_targets; i++)
		json_array_append_new(targets, target_object(&s->targets[i]));
	json_object_set_new(root, "targets", targets);
	for (size_t i = 0; i < records->n; i++) {
		json_t *record = record_object(&records->list[i]);

		json_object_set_new(record, "folders", folders_of(s, &records->list[i]));
		json_array_append_new(list, record);
	}
	json_object_set_new(root, "records", list);
	json_object_set_new(root, "notes", texts(records->notes.texts, records->notes.n));
	for (size_t i = 0; i < checks->n; i++)
		json_array_append_new(verdicts, check_object(&checks->list[i]));
	json_object_set_new(root, "checks", verdicts);
	json_object_set_new(root, "left_out", texts(s->unmatched, s->n_unmatched));
	json_object_set_new(root, "unreadable", texts(s->unreadable, s->n_unreadable));
	json_dumpf(root, out, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	fputc('\n', out);
	json_decref(root);
}
