// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the reading of a results folder: run.json, environment.json and which
 * runs are there. The runs' own results are read by fio_reader.c.
 */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document.h"
#include "mem.h"
#include "paper.h"
#include "reason.h"

static bool exists(const char *root, const char *dir, const char *rest)
{
	char *path = mem_printf("%s/%s%s", root, dir, rest);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

char *results_json_path(const struct results *r, const struct results_run *run)
{
	return mem_printf("%s/%s%s/fio.json", r->root, run->dir,
			  run->state == RESULTS_FAILED ? ".failed" : "");
}

static char *reason_in(const struct results *r, const struct results_run *run, const char *place,
		       const char *log)
{
	char *path = mem_printf("%s/%s%s", r->root, place, log);
	char *reason = reason_of_log(path, run->target->engine);

	free(path);
	return reason;
}

static void find_state(const struct results *r, struct results_run *run)
{
	if (exists(r->root, run->dir, "/fio.json")) {
		run->state = RESULTS_DONE;
	} else if (exists(r->root, run->dir, ".failed")) {
		run->state = RESULTS_FAILED;
		run->reason = reason_in(r, run, run->dir, ".failed/fio.log");
	} else if (exists(r->root, run->target->name, "/.fill.failed")) {
		run->state = RESULTS_FAILED;
		run->reason = reason_in(r, run, run->target->name, "/.fill.failed/fio.log");
	}
}

/* Below the root: no way up, no absolute path, no empty part. */
static bool is_inside(const char *dir)
{
	const char *part = dir;

	for (;;) {
		size_t len = strcspn(part, "/");

		if (!len || (len <= 2 && !strncmp(part, "..", len)))
			return false;
		if (!part[len])
			return true;
		part += len + 1;
	}
}

static bool read_options(const struct doc_at *root, struct results_options *o)
{
	struct doc_at at = *root;

	o->runtime_s = o->ramp_s = o->asked_runtime_s = o->asked_ramp_s = -1;
	at.where = "options";
	if (!doc_object(root, "options", OPTIONAL, &at.node))
		return false;
	return !at.node || (doc_bool(&at, "quick", OPTIONAL, &o->quick) &&
			    doc_number(&at, "runtime_s", OPTIONAL, &o->runtime_s) &&
			    doc_number(&at, "ramp_s", OPTIONAL, &o->ramp_s) &&
			    doc_uint(&at, "vms", OPTIONAL, UINT32_MAX, &o->vms) &&
			    doc_uint(&at, "vm_size", OPTIONAL, INT64_MAX, &o->vm_size) &&
			    doc_uint(&at, "repeat", OPTIONAL, UINT32_MAX, &o->repeat) &&
			    doc_number(&at, "asked_runtime_s", OPTIONAL, &o->asked_runtime_s) &&
			    doc_number(&at, "asked_ramp_s", OPTIONAL, &o->asked_ramp_s) &&
			    doc_uint(&at, "asked_vm_size", OPTIONAL, INT64_MAX, &o->asked_vm_size));
}

static const struct results_target *find_target(const struct results *r, const char *name)
{
	for (size_t i = 0; i < r->n_targets; i++)
		if (r->targets[i].name && !strcmp(r->targets[i].name, name))
			return &r->targets[i];
	return NULL;
}

static bool read_target(const struct doc_at *at, struct results *r, struct results_target *t)
{
	char *name = NULL;
	bool ok;

	if (!doc_string(at, "name", REQUIRED, &name))
		return false;
	ok = !find_target(r, name) || doc_refuse(at, "the target \"%s\" is there twice", name);
	t->name = name;
	if (!ok)
		return false;
	t->direct_known = json_is_boolean(json_object_get(at->node, "direct"));
	return doc_string(at, "engine", REQUIRED, &t->engine) &&
	       doc_string(at, "path", OPTIONAL, &t->path) &&
	       doc_string(at, "kind", OPTIONAL, &t->kind) &&
	       doc_string(at, "device", OPTIONAL, &t->device) &&
	       doc_string(at, "device_model", OPTIONAL, &t->device_model) &&
	       doc_string(at, "filesystem", OPTIONAL, &t->filesystem) &&
	       doc_bool(at, "embedded", OPTIONAL, &t->embedded) &&
	       doc_bool(at, "emulated", OPTIONAL, &t->emulated) &&
	       doc_bool(at, "synchronous", OPTIONAL, &t->synchronous) &&
	       doc_bool(at, "direct", OPTIONAL, &t->direct) &&
	       doc_uint(at, "working_set_bytes", OPTIONAL, INT64_MAX, &t->working_set_bytes) &&
	       doc_uint(at, "vm_size", OPTIONAL, INT64_MAX, &t->vm_size) &&
	       doc_texts(at, "notes", OPTIONAL, &t->notes, &t->n_notes);
}

static bool read_part_job(const struct doc_at *at, struct results_run *run)
{
	char **lines = NULL, *name = NULL;
	size_t n = 0;
	bool ok = doc_string(at, "name", REQUIRED, &name) &&
		  doc_texts(at, "job", REQUIRED, &lines, &n);

	if (ok) {
		run->job = mem_resize(run->job, run->n_job + n + 1, sizeof(*run->job));
		run->job[run->n_job++] = name;
		for (size_t i = 0; i < n; i++)
			run->job[run->n_job++] = lines[i];
		free(lines);
		return true;
	}
	paper_free_list(lines, n);
	free(name);
	return false;
}

static bool read_job(const struct doc_at *run_at, struct results_run *run)
{
	const json_t *list;
	struct doc_where where;
	struct doc_at at;

	if (!doc_list(run_at, "parts", OPTIONAL, &list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		if (!doc_item(run_at, "parts", list, i, &at, &where) || !read_part_job(&at, run))
			return false;
	}
	return true;
}

static bool read_run(const struct doc_at *at, const struct results *r, struct results_run *run)
{
	char *target = NULL;
	bool ok = doc_string(at, "target", REQUIRED, &target);

	if (ok) {
		run->target = find_target(r, target);
		ok = run->target || doc_refuse(at, "there is no target \"%s\"", target);
	}
	free(target);
	if (!ok || !doc_string(at, "scenario", REQUIRED, &run->scenario) ||
	    !doc_string(at, "profile", REQUIRED, &run->profile) ||
	    !doc_string(at, "dir", REQUIRED, &run->dir) ||
	    !doc_uint(at, "repeat", OPTIONAL, UINT32_MAX, &run->repeat) ||
	    !doc_uint(at, "vms", OPTIONAL, UINT32_MAX, &run->vms) ||
	    !doc_uint(at, "numjobs", OPTIONAL, UINT32_MAX, &run->numjobs) ||
	    !doc_uint(at, "iodepth", OPTIONAL, UINT32_MAX, &run->iodepth) ||
	    !doc_uint(at, "threads", OPTIONAL, UINT32_MAX, &run->threads) ||
	    !doc_uint(at, "outstanding", OPTIONAL, UINT32_MAX, &run->outstanding) ||
	    !read_job(at, run))
		return false;
	return is_inside(run->dir) ||
	       doc_refuse(at, "\"dir\" is \"%s\", which is not a path below the results folder",
			  run->dir);
}

/* One pass over targets and one over runs; a member is counted before it is read, so it is freed.
 */
static bool read_lists(const struct doc_at *root, struct results *r)
{
	const json_t *targets, *runs;
	struct doc_where where;
	size_t n_targets, n_runs;
	struct doc_at at;

	if (!doc_list(root, "targets", REQUIRED, &targets) ||
	    !doc_list(root, "runs", REQUIRED, &runs))
		return false;
	n_targets = json_array_size(targets);
	r->targets = mem_new(n_targets, sizeof(*r->targets));
	for (size_t i = 0; i < n_targets; i++) {
		if (!doc_item(root, "targets", targets, i, &at, &where))
			return false;
		r->n_targets++;
		if (!read_target(&at, r, &r->targets[i]))
			return false;
	}
	n_runs = json_array_size(runs);
	r->runs = mem_new(n_runs, sizeof(*r->runs));
	for (size_t i = 0; i < n_runs; i++) {
		if (!doc_item(root, "runs", runs, i, &at, &where))
			return false;
		r->n_runs++;
		if (!read_run(&at, r, &r->runs[i]))
			return false;
		find_state(r, &r->runs[i]);
	}
	return true;
}

static bool read_resumed(const struct doc_at *root, struct results *r)
{
	const json_t *list;
	struct doc_where where;
	struct doc_at at;

	if (!doc_list(root, "resumed", OPTIONAL, &list))
		return false;
	r->resumed = mem_new(json_array_size(list), sizeof(*r->resumed));
	for (size_t i = 0; i < json_array_size(list); i++) {
		char **changes = NULL, *text = NULL;
		size_t n = 0;
		bool ok = doc_item(root, "resumed", list, i, &at, &where) &&
			  doc_string(&at, "at", REQUIRED, &text) &&
			  doc_texts(&at, "changes", OPTIONAL, &changes, &n);

		for (size_t k = 0; ok && k < n; k++) {
			char *longer = mem_printf("%s%s%s", text, k ? "; " : ", when ", changes[k]);

			free(text);
			text = longer;
		}
		paper_free_list(changes, n);
		if (!ok) {
			free(text);
			return false;
		}
		r->resumed[r->n_resumed++] = text;
	}
	return true;
}

static bool read_run_json(const struct doc_at *root, struct results *r)
{
	return doc_schema(root) && doc_string(root, "fiopack", OPTIONAL, &r->fiopack) &&
	       doc_string(root, "started", OPTIONAL, &r->started) &&
	       doc_string(root, "paper", OPTIONAL, &r->paper) && read_options(root, &r->options) &&
	       read_resumed(root, r) && read_lists(root, r);
}

static bool read_part(const struct doc_at *root, const char *key, struct doc_at *part)
{
	*part = *root;
	part->where = key;
	return doc_object(root, key, OPTIONAL, &part->node);
}

/* What environment.json has of the targets beyond run.json. */
static bool read_devices(const struct doc_at *root, struct results *r)
{
	const json_t *list;
	struct doc_where where;
	struct doc_at at;

	if (!doc_list(root, "targets", OPTIONAL, &list))
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *name;

		if (!doc_item(root, "targets", list, i, &at, &where))
			return false;
		name = json_string_value(json_object_get(at.node, "name"));
		for (size_t k = 0; name && k < r->n_targets; k++) {
			struct results_target *t = &r->targets[k];

			if (strcmp(t->name, name) || t->device_id || t->plugin)
				continue;
			if (!doc_string(&at, "device_id", OPTIONAL, &t->device_id) ||
			    !doc_string(&at, "plugin", OPTIONAL, &t->plugin))
				return false;
		}
	}
	return true;
}

static bool read_environment(const struct doc_at *root, struct results *r)
{
	struct results_environment *e = &r->environment;
	struct doc_at fio, kernel, cpu;

	if (!read_part(root, "fio", &fio) || !read_part(root, "kernel", &kernel) ||
	    !read_part(root, "cpu", &cpu))
		return false;
	if (fio.node && (!doc_string(&fio, "version", OPTIONAL, &e->fio_version) ||
			 !doc_string(&fio, "path", OPTIONAL, &e->fio_path)))
		return false;
	if (kernel.node && !doc_string(&kernel, "release", OPTIONAL, &e->kernel))
		return false;
	if (cpu.node && (!doc_string(&cpu, "model", OPTIONAL, &e->cpu) ||
			 !doc_uint(&cpu, "logical", OPTIONAL, UINT32_MAX, &e->cpus) ||
			 !doc_uint(&cpu, "numa_nodes", OPTIONAL, UINT32_MAX, &e->numa_nodes) ||
			 !doc_string(&cpu, "governor", OPTIONAL, &e->governor)))
		return false;
	return doc_uint(root, "memory_bytes", OPTIONAL, INT64_MAX, &e->memory_bytes) &&
	       doc_string(root, "hostname", OPTIONAL, &e->hostname) && read_devices(root, r);
}

static bool load_file(struct results *r, const char *name, enum need need, struct fault *f)
{
	char *path = mem_printf("%s/%s", r->root, name);
	struct doc_at root = {.path = path, .where = "", .fault = f};
	json_t *json = NULL;
	bool ok = true;

	if (need == REQUIRED || exists(r->root, name, "")) {
		json = doc_load(path, f);
		ok = json != NULL;
	}
	if (json) {
		root.node = json;
		ok = need == REQUIRED ? read_run_json(&root, r) : read_environment(&root, r);
	}
	json_decref(json);
	free(path);
	return ok;
}

struct results *results_load(const char *root, struct fault *f)
{
	struct results *r;

	if (!exists(root, "run.json", "")) {
		fault_set(f,
			  "%s: holds no run.json, so it is not a results folder of fiopack run "
			  "(give the JSON files of other runs of fio by name)",
			  root);
		return NULL;
	}
	r = mem_new(1, sizeof(*r));
	r->root = mem_copy(root);
	if (load_file(r, "run.json", REQUIRED, f) && load_file(r, "environment.json", OPTIONAL, f))
		return r;
	results_free(r);
	return NULL;
}

static void free_target(struct results_target *t)
{
	free(t->name);
	free(t->engine);
	free(t->path);
	free(t->kind);
	free(t->device);
	free(t->device_model);
	free(t->filesystem);
	free(t->device_id);
	free(t->plugin);
	paper_free_list(t->notes, t->n_notes);
}

void results_free(struct results *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_targets; i++)
		free_target(&r->targets[i]);
	for (size_t i = 0; i < r->n_runs; i++) {
		free(r->runs[i].scenario);
		free(r->runs[i].profile);
		free(r->runs[i].dir);
		free(r->runs[i].reason);
		paper_free_list(r->runs[i].job, r->runs[i].n_job);
	}
	paper_free_list(r->resumed, r->n_resumed);
	free(r->targets);
	free(r->runs);
	free(r->environment.fio_version);
	free(r->environment.fio_path);
	free(r->environment.kernel);
	free(r->environment.cpu);
	free(r->environment.governor);
	free(r->environment.hostname);
	free(r->paper);
	free(r->fiopack);
	free(r->started);
	free(r->root);
	free(r);
}
