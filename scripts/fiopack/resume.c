// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what can be told from a results folder about going on in it: which runs are
 * complete, whether everything is still as it was. Making the plan is run_command.c's.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/document.h"
#include "../normalize/mem.h"
#include "engines/version.h"
#include "resume.h"
#include "store.h"
#include "strays.h"

/* The kernel takes a little more or less of the memory for itself at each boot. */
#define MEMORY_TOLERANCE 0.02

/* UTC in ISO 8601. */
static json_t *time_now(void)
{
	time_t now = time(NULL);
	char text[32];
	struct tm tm;

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	return json_string(text);
}

int resume_begin(const char *root, json_t *plan, json_t *command, struct fault *f)
{
	json_object_set_new(plan, "started", time_now());
	json_object_set_new(plan, "command", command);
	return store_write_json(root, "run.json", plan, f);
}

static json_t *load(const struct resume *r, const char *name, struct fault *f)
{
	char *path = mem_printf("%s/%s", r->root, name);
	json_t *j = doc_load(path, f);

	free(path);
	return j;
}

static bool has_plan(const struct resume *r, struct fault *f)
{
	char *path = mem_printf("%s/run.json", r->root);
	bool there = !access(path, F_OK);

	if (!there)
		fault_set(f,
			  "%s holds no run.json: it is no results folder, or its run had not begun "
			  "yet and is to be started anew",
			  r->root);
	free(path);
	return there;
}

static const char *text_of(const json_t *j, const char *key)
{
	return json_string_value(json_object_get(j, key));
}

static bool is_complete(const struct resume *r, const char *dir)
{
	char *place = mem_printf("%s/%s", r->root, dir);
	struct fault none = {""};
	bool whole = store_is_whole(place, &none);

	free(place);
	return whole;
}

static bool all_complete(const struct resume *r)
{
	const json_t *runs = json_object_get(r->run, "runs");
	size_t n = json_array_size(runs);

	for (size_t i = 0; i < n; i++) {
		const char *dir = text_of(json_array_get(runs, i), "dir");

		if (!dir || !is_complete(r, dir))
			return false;
	}
	return n;
}

/* The command as an argv. False when run.json does not have it. */
static bool take_command(struct resume *r, const json_t *command)
{
	const json_t *list = json_object_get(command, "arguments");
	size_t n = json_array_size(list);

	r->argv = mem_new(n + 2, sizeof(*r->argv));
	r->argv[r->argc++] = mem_copy("run");
	for (size_t i = 0; i < n; i++) {
		const char *arg = json_string_value(json_array_get(list, i));

		if (!arg)
			return false;
		r->argv[r->argc++] = mem_copy(arg);
	}
	r->fio = text_of(json_object_get(r->before, "fio"), "path");
	return n && r->fio && text_of(command, "folder") && text_of(command, "profiles");
}

/* Where relative paths started. */
static int go_back(const json_t *command, struct fault *f)
{
	const char *folder = text_of(command, "folder"), *plugins = text_of(command, "plugins");

	if (chdir(folder))
		return fault_set(f,
				 "the run was begun in the folder %s, which cannot be gone to: %s",
				 folder, strerror(errno));
	if (plugins)
		setenv("FIOPACK_PLUGINS", plugins, 1);
	return 0;
}

int resume_open(struct resume *r, const char *dir, struct fault *f)
{
	const char *version, *profiles;
	const json_t *command;

	r->changes = json_array();
	r->root = realpath(dir, NULL);
	if (!r->root) {
		fault_set(f, "cannot look into %s: %s", dir, strerror(errno));
		return 3;
	}
	r->run = has_plan(r, f) ? load(r, "run.json", f) : NULL;
	r->before = r->run ? load(r, "environment.json", f) : NULL;
	if (!r->before)
		return 3;
	r->lock = store_lock(r->root, f);
	if (r->lock < 0)
		return 2;
	version = text_of(r->run, "fiopack");
	command = json_object_get(r->run, "command");
	profiles = text_of(command, "profiles");
	if (profiles)
		setenv("FIOPACK_PROFILES", profiles, 1);
	r->finished = all_complete(r);
	if (r->finished)
		return 0;
	if (!version || strcmp(version, FIOPACK_VERSION))
		fault_set(f, "%s was begun with fiopack %s and cannot be resumed with %s", r->root,
			  version ? version : "of an unknown version", FIOPACK_VERSION);
	else if (!take_command(r, command))
		fault_set(f,
			  "%s/run.json does not say how the run was begun, so it cannot be resumed",
			  r->root);
	else
		go_back(command, f);
	return f->text[0] ? 2 : 0;
}

void resume_close(struct resume *r)
{
	for (int i = 0; i < r->argc; i++)
		free(r->argv[i]);
	free(r->argv);
	json_decref(r->run);
	json_decref(r->before);
	json_decref(r->changes);
	free(r->root);
	if (r->lock >= 0)
		close(r->lock);
}

int resume_end_strays(const struct resume *r, struct fault *f)
{
	return strays_end(r->root, f);
}

void resume_mark(const struct resume *r, struct plan *plan)
{
	for (size_t i = 0; i < plan->n_runs; i++)
		plan->runs[i].done = is_complete(r, plan->runs[i].dir);
}

/* Two places of one value, and how to name it to a reader. */
struct pair {
	const json_t *was, *is;
	const char *where;
};

static char *show(const json_t *j)
{
	char *dumped = j ? json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
	char *text = mem_printf("%s", !j || json_is_null(j) ? "unknown" : dumped ? dumped : "?");

	free(dumped);
	return text;
}

/* The first value in which two documents differ, in words; NULL: they are the same. */
static char *difference(const struct pair *p)
{
	const char *dot = *p->where ? "." : "", *key;
	char *found = NULL, *was, *is;
	json_t *value;
	size_t i, n;

	if (json_equal(p->was, p->is))
		return NULL;
	if (json_is_object(p->was) && json_is_object(p->is)) {
		json_object_foreach((json_t *)p->is, key, value)
		{
			char *where = mem_printf("%s%s%s", p->where, dot, key);
			const struct pair member = {json_object_get(p->was, key), value, where};

			found = difference(&member);
			free(where);
			if (found)
				return found;
		}
	} else if (json_is_array(p->was) && json_is_array(p->is)) {
		n = json_array_size(p->was);
		if (json_array_size(p->is) > n)
			n = json_array_size(p->is);
		for (i = 0; i < n && !found; i++) {
			char *where = mem_printf("%s[%zu]", p->where, i);
			const struct pair member = {json_array_get(p->was, i),
						    json_array_get(p->is, i), where};

			found = difference(&member);
			free(where);
		}
		return found;
	}
	was = show(p->was);
	is = show(p->is);
	found = mem_printf("%s was %.160s and is %.160s", p->where, was, is);
	free(is);
	free(was);
	return found;
}

/* Keep a change that does no harm, and make the two sides the same for what follows. */
static void allow(struct resume *r, const char *where, json_t *was_in, const json_t *is_in,
		  const char *key)
{
	json_t *is = json_object_get(is_in, key);
	const struct pair p = {json_object_get(was_in, key), is, where};
	char *change = difference(&p);

	if (change)
		json_array_append_new(r->changes, json_string(change));
	if (is)
		json_object_set(was_in, key, is);
	free(change);
}

static void allow_harmless(struct resume *r, json_t *before, const json_t *now)
{
	double was = json_number_value(json_object_get(before, "memory_bytes"));
	double is = json_number_value(json_object_get(now, "memory_bytes"));
	const json_t *targets = json_object_get(now, "targets");

	if (was > 0 && fabs(is - was) <= was * MEMORY_TOLERANCE)
		allow(r, "memory_bytes", before, now, "memory_bytes");
	/* a device that is known by more than its name may have another after a boot */
	for (size_t i = 0; i < json_array_size(targets); i++) {
		json_t *old = json_array_get(json_object_get(before, "targets"), i);
		const json_t *new = json_array_get(targets, i);
		const char *id = text_of(new, "device_id"), *old_id = text_of(old, "device_id");

		if (!id || !old_id || strcmp(id, old_id))
			continue;
		allow(r, "the device's name", old, new, "device");
		json_object_set(json_array_get(json_object_get(r->run, "targets"), i), "device",
				json_object_get(new, "device"));
	}
}

static int refuse(const struct resume *r, char *change, struct fault *f)
{
	if (!change)
		return 0;
	fault_set(f,
		  "%s cannot be resumed: %s since it was begun, and figures of both would not be "
		  "of one kind; make the rest in a new folder, fiopack report prints both",
		  r->root, change);
	free(change);
	return -1;
}

/* The plan's parts; runs by the names of their folders. */
static int compare_plans(const struct resume *r, const json_t *plan, struct fault *f)
{
	static const char *const keys[] = {"paper", "options", "targets"};
	const json_t *was = json_object_get(r->run, "runs"), *is = json_object_get(plan, "runs");

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct pair p = {json_object_get(r->run, keys[i]),
				       json_object_get(plan, keys[i]), keys[i]};

		if (refuse(r, difference(&p), f))
			return -1;
	}
	if (json_array_size(was) != json_array_size(is))
		return refuse(r,
			      mem_printf("the number of runs was %zu and is %zu",
					 json_array_size(was), json_array_size(is)),
			      f);
	for (size_t i = 0; i < json_array_size(is); i++) {
		const json_t *run = json_array_get(is, i);
		const struct pair p = {json_array_get(was, i), run, text_of(run, "dir")};

		if (refuse(r, difference(&p), f))
			return -1;
	}
	return 0;
}

int resume_compare(struct resume *r, const json_t *plan, const json_t *now, struct fault *f)
{
	json_t *before = json_deep_copy(r->before);
	const struct pair p = {before, now, ""};
	int ret;

	allow_harmless(r, before, now);
	ret = refuse(r, difference(&p), f) || compare_plans(r, plan, f) ? -1 : 0;
	json_decref(before);
	return ret;
}

int resume_note(struct resume *r, const struct plan *plan, struct fault *f)
{
	static const char *const ends[] = {"partial", "failed"};
	json_t *list = json_object_get(r->run, "resumed"), *entry;

	for (size_t i = 0; i < plan->n_targets * 2; i++) {
		char *left = mem_printf("%s/%s/.fill.%s", r->root, plan->targets[i / 2].name,
					ends[i % 2]);

		store_remove_dir(left);
		free(left);
	}
	if (!json_is_array(list)) {
		list = json_array();
		json_object_set_new(r->run, "resumed", list);
	}
	entry = json_pack("{s:o, s:O}", "at", time_now(), "changes", r->changes);
	json_array_append_new(list, entry);
	return store_write_json(r->root, "run.json", json_incref(r->run), f);
}
