// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the reading of paper.json: every rule that paper.h states is checked
 * here or in paper_read_figures.c, so that the rest may rely on a loaded paper.
 */
#include "paper_read.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

static const char *const pattern_words[] = {"random", "sequential", "interlocked"};

#define WORDS(w) (w), sizeof(w) / sizeof((w)[0])

const char *paper_pattern_name(enum pattern p)
{
	return pattern_words[p];
}

bool paper_read_name(const struct doc_at *at, const char *key, char **out)
{
	if (!doc_string(at, key, REQUIRED, out))
		return false;
	return doc_is_name(*out) ||
	       doc_refuse(at, "\"%s\" may hold only letters, digits, '.', '_' and '-'", key);
}

static bool read_source(const struct doc_at *root, struct paper *p)
{
	struct doc_at at = *root;

	at.where = "source";
	return doc_object(root, "source", REQUIRED, &at.node) &&
	       doc_string(&at, "publisher", REQUIRED, &p->publisher) &&
	       doc_string(&at, "document", REQUIRED, &p->document) &&
	       doc_string(&at, "note", OPTIONAL, &p->source_note);
}

static bool read_scenarios(const struct doc_at *root, struct paper *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(root, "scenarios", REQUIRED, &list, &n))
		return false;
	p->scenarios = mem_new(n, sizeof(*p->scenarios));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct paper_scenario s = {0};
		struct doc_at at;
		bool ok = doc_item(root, "scenarios", list, i, &at, &where) &&
			  paper_read_name(&at, "id", &s.id) &&
			  doc_string(&at, "title", REQUIRED, &s.title) &&
			  doc_uint(&at, "vms", OPTIONAL, UINT32_MAX, &s.vms);

		if (ok && paper_find_scenario(p, s.id))
			ok = doc_refuse(&at, "\"%s\" is there twice", s.id);
		p->scenarios[p->n_scenarios++] = s;
		if (!ok)
			return false;
	}
	return true;
}

static bool read_assumed(const struct doc_at *at, struct paper_profile *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(at, "assumed", OPTIONAL, &list, &n))
		return false;
	p->assumed = mem_resize(p->assumed, p->n_assumed + n, sizeof(*p->assumed));
	for (size_t i = 0; i < n; i++) {
		struct paper_assumption *a = &p->assumed[p->n_assumed++];
		struct doc_where where = {""};
		struct doc_at item;

		*a = (struct paper_assumption){0};
		if (!doc_item(at, "assumed", list, i, &item, &where) ||
		    !doc_string(&item, "what", REQUIRED, &a->what) ||
		    !doc_string(&item, "chosen", REQUIRED, &a->chosen) ||
		    !doc_string(&item, "why", REQUIRED, &a->why))
			return false;
	}
	return true;
}

/* What one section of a job file does. */
static bool read_workload(const struct doc_at *at, struct paper_profile *p)
{
	uint64_t threads = 0, outstanding = 0, writes = 0, rate = 0;
	unsigned int pattern = 0;

	if (!doc_uint(at, "threads", OPTIONAL, 65536, &threads) ||
	    !doc_uint(at, "outstanding", OPTIONAL, 65536, &outstanding) ||
	    !doc_uint(at, "block_bytes", REQUIRED, INT64_MAX, &p->block_bytes) ||
	    !doc_uint(at, "write_percent", REQUIRED, 100, &writes) ||
	    !doc_word(at, "pattern", REQUIRED, WORDS(pattern_words), &pattern) ||
	    !doc_uint(at, "rate_iops", OPTIONAL, UINT32_MAX, &rate))
		return false;
	p->threads = (unsigned int)threads;
	p->outstanding = (unsigned int)outstanding;
	p->write_percent = (unsigned int)writes;
	p->pattern = (enum pattern)pattern;
	p->rate_iops = (unsigned int)rate;
	return p->block_bytes || doc_refuse(at, "\"block_bytes\" must not be 0");
}

static bool read_parts(const struct doc_at *at, const struct paper *paper, struct paper_profile *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(at, "parts", OPTIONAL, &list, &n))
		return false;
	p->parts = mem_new(n, sizeof(*p->parts));
	for (size_t i = 0; i < n; i++) {
		struct paper_profile *part = &p->parts[i];
		struct doc_where where = {""};
		struct doc_at item;
		bool twice;

		if (!doc_item(at, "parts", list, i, &item, &where))
			return false;
		p->n_parts++;
		if (!paper_read_name(&item, "id", &part->id) ||
		    !doc_string(&item, "title", REQUIRED, &part->title) ||
		    !read_workload(&item, part))
			return false;
		twice = !strcmp(p->id, part->id);
		for (size_t k = 0; k < i; k++)
			twice |= !strcmp(p->parts[k].id, part->id);
		if (twice || paper_find_profile(paper, part->id) ||
		    paper_find_whole(paper, part->id, strlen(part->id)))
			return doc_refuse(&item, "\"%s\" is there twice", part->id);
	}
	return true;
}

static bool read_profile(const struct doc_at *root, const struct doc_at *at,
			 const struct paper *paper, struct paper_profile *p)
{
	if (!paper_read_name(at, "id", &p->id) || !doc_string(at, "job", OPTIONAL, &p->job) ||
	    !(p->job || paper_read_name(at, "file", &p->file)) ||
	    !doc_string(at, "title", REQUIRED, &p->title) || !read_parts(at, paper, p) ||
	    !(p->n_parts || read_workload(at, p)) ||
	    !doc_uint(at, "working_set_bytes", OPTIONAL, INT64_MAX, &p->working_set_bytes))
		return false;
	return read_assumed(root, p) && read_assumed(at, p);
}

static bool read_profiles(const struct doc_at *root, struct paper *p)
{
	const json_t *list;
	size_t n;

	if (!doc_items(root, "profiles", REQUIRED, &list, &n))
		return false;
	p->profiles = mem_new(n, sizeof(*p->profiles));
	for (size_t i = 0; i < n; i++) {
		struct doc_where where = {""};
		struct paper_profile profile = {0};
		struct doc_at at;
		bool ok = doc_item(root, "profiles", list, i, &at, &where) &&
			  read_profile(root, &at, p, &profile);

		if (ok && (paper_find_profile(p, profile.id) ||
			   paper_find_whole(p, profile.id, strlen(profile.id))))
			ok = doc_refuse(&at, "\"%s\" is there twice", profile.id);
		if (!profile.working_set_bytes)
			profile.working_set_bytes = p->working_set_bytes;
		p->profiles[p->n_profiles++] = profile;
		if (!ok)
			return false;
	}
	return true;
}

static bool read_paper(const struct doc_at *root, struct paper *p)
{
	return doc_schema(root) && paper_read_name(root, "id", &p->id) &&
	       doc_string(root, "title", REQUIRED, &p->title) && read_source(root, p) &&
	       doc_string(root, "testbed", OPTIONAL, &p->testbed) &&
	       doc_string(root, "load_generator", OPTIONAL, &p->load_generator) &&
	       doc_uint(root, "working_set_bytes", OPTIONAL, INT64_MAX, &p->working_set_bytes) &&
	       read_scenarios(root, p) && read_profiles(root, p) && paper_read_figures(root, p) &&
	       paper_read_tables(root, p) &&
	       doc_texts(root, "not_stated", OPTIONAL, &p->not_stated, &p->n_not_stated) &&
	       paper_read_contradictions(root, p);
}

/* Takes `json`. `id`: what it has to be called, NULL: anything. */
static struct paper *make_paper(json_t *json, const char *path, const char *id, struct fault *f)
{
	const struct doc_at root = {.path = path, .where = "", .node = json, .fault = f};
	struct paper *p = mem_new(1, sizeof(*p));
	bool ok = read_paper(&root, p);

	if (ok && id && strcmp(p->id, id))
		ok = doc_refuse(&root, "\"id\" is \"%s\", but the folder is \"%s\"", p->id, id);
	for (size_t i = 0; ok && !id && i < p->n_profiles; i++)
		ok = p->profiles[i].job ||
		     doc_refuse(&root, "\"%s\" has no \"job\"", p->profiles[i].id);
	json_decref(json);
	if (ok)
		return p;
	paper_free(p);
	return NULL;
}

struct paper *paper_load(const char *profiles_dir, const char *id, struct fault *f)
{
	struct paper *p = NULL;
	json_t *json;
	char *path;

	if (!doc_is_name(id)) {
		fault_set(f, "\"%s\" is not the name of a paper", id);
		return NULL;
	}
	path = mem_printf("%s/%s/paper.json", profiles_dir, id);
	json = doc_load(path, f);
	if (json)
		p = make_paper(json, path, id, f);
	if (p)
		p->dir = mem_printf("%s/%s", profiles_dir, id);
	free(path);
	return p;
}

struct paper *paper_parse(const char *text, struct fault *f)
{
	json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	struct paper *p = NULL;

	if (json_is_object(json))
		p = make_paper(json, "paper.json", NULL, f);
	else
		fault_set(f, "paper.json: must hold one JSON object");
	if (p)
		p->text = mem_copy(text);
	return p;
}

/* What one results folder has kept, valid by itself. NULL: nothing, or `f` is filled. */
static json_t *read_kept(const char *results, struct fault *f)
{
	char *path = mem_printf("%s/paper.json", results);
	json_t *json = access(path, F_OK) ? NULL : doc_load(path, f);
	struct paper *p = json ? make_paper(json_incref(json), path, NULL, f) : NULL;

	if (!p) {
		json_decref(json);
		json = NULL;
	}
	paper_free(p);
	free(path);
	return json;
}

static bool has_text(const json_t *list, const char *key, const char *text)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
	{
		if (!strcmp(json_string_value(json_object_get(item, key)), text))
			return true;
	}
	return false;
}

/* Append the members of one valid list to another that do not have their like there. */
static void add_missing(json_t *to, const json_t *from, const char *key)
{
	json_t *item;
	size_t i;

	json_array_foreach(from, i, item)
	{
		if (!has_text(to, key, json_string_value(json_object_get(item, key))))
			json_array_append(to, item);
	}
}

/* Kept papers differ in the profiles that were run, and in the rows of those. */
static void add_kept(json_t *to, const json_t *from)
{
	const json_t *tables = json_object_get(from, "tables");
	json_t *into = json_object_get(to, "tables");

	add_missing(json_object_get(to, "profiles"), json_object_get(from, "profiles"), "id");
	for (size_t i = 0; i < json_array_size(into); i++)
		add_missing(json_object_get(json_array_get(into, i), "rows"),
			    json_object_get(json_array_get(tables, i), "rows"), "profile");
}

struct paper *paper_load_kept(char *const *results, size_t n, const char *profiles_dir,
			      const char *id, struct fault *f)
{
	json_t *all = NULL, *one;
	struct paper *p;
	char *text;

	for (size_t i = 0; i < n; i++) {
		one = read_kept(results[i], f);
		if (!one && f->text[0]) {
			json_decref(all);
			return NULL;
		}
		if (one && all)
			add_kept(all, one);
		else if (one)
			all = json_incref(one);
		json_decref(one);
	}
	if (!all)
		return paper_load(profiles_dir, id, f);
	text = json_dumps(all, JSON_INDENT(2));
	p = make_paper(all, "paper.json", NULL, f);
	if (p)
		p->text = mem_copy(text ? text : "");
	free(text);
	return p;
}
