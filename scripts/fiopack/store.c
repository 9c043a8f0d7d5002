// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the results folder on disk: where it is, and that nothing in it is ever
 * half-written.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "engines/version.h"
#include "environment.h"
#include "store.h"

int store_make_dirs(const char *path, struct fault *f)
{
	char *copy = mem_copy(path);
	int ret = 0;

	for (char *s = copy + 1; !ret; s++) {
		char c = *s;

		if (c != '/' && c != '\0')
			continue;
		*s = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST)
			ret = fault_set(f, "cannot make folder %s: %s", copy, strerror(errno));
		*s = c;
		if (!c)
			break;
	}
	free(copy);
	return ret;
}

static int must_be_empty(const char *path, struct fault *f)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!d)
		return errno == ENOENT
			       ? 0
			       : fault_set(f, "cannot look into %s: %s", path, strerror(errno));
	while (!ret && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			ret = fault_set(f, "%s is not empty: results go to a new or empty folder",
					path);
	}
	closedir(d);
	return ret;
}

char *store_create(const char *wanted, struct fault *f)
{
	char stamp[64], *dir, *full;
	time_t now = time(NULL);
	struct tm tm;

	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", gmtime_r(&now, &tm));
	dir = wanted ? mem_copy(wanted) : mem_printf("results/%s", stamp);
	/* two runs within a second */
	for (int i = 2; !wanted && !access(dir, F_OK); i++) {
		free(dir);
		dir = mem_printf("results/%s-%d", stamp, i);
	}
	if (must_be_empty(dir, f) || store_make_dirs(dir, f)) {
		free(dir);
		return NULL;
	}
	full = realpath(dir, NULL);
	if (!full)
		fault_set(f, "cannot find %s: %s", dir, strerror(errno));
	free(dir);
	return full;
}

int store_write_json(const char *root, const char *name, json_t *j, struct fault *f)
{
	char *path = mem_printf("%s/%s", root, name), *tmp = mem_printf("%s.new", path);
	FILE *out = fopen(tmp, "we");
	int ret = 0;

	if (!out || json_dumpf(j, out, JSON_INDENT(2)) || fputc('\n', out) == EOF || fflush(out) ||
	    fsync(fileno(out)))
		ret = fault_set(f, "cannot write %s: %s", tmp, strerror(errno));
	if (out && fclose(out) && !ret)
		ret = fault_set(f, "cannot write %s: %s", tmp, strerror(errno));
	if (!ret && rename(tmp, path))
		ret = fault_set(f, "cannot write %s: %s", path, strerror(errno));
	if (ret)
		unlink(tmp);
	json_decref(j);
	free(tmp);
	free(path);
	return ret;
}

static const char *kind_name(enum target_kind k)
{
	switch (k) {
	case TARGET_DIRECTORY:
		return "directory";
	case TARGET_FILE:
		return "file";
	case TARGET_BLOCK:
		break;
	}
	return "block";
}

static json_t *target_json(const struct plan *plan, const struct target *t)
{
	json_t *place = environment_target(t);
	const char *plugin = target_plugin(t);
	json_t *notes = json_array();
	json_t *j = json_object();

	for (size_t i = 0; i < t->n_options; i++) {
		char *note = mem_printf("target option %s", t->options[i]);

		json_array_append_new(notes, json_string(note));
		free(note);
	}
	if (t->fused)
		json_array_append_new(
			notes,
			json_string("at depth 1 the engine submits and waits in one system call "
				    "(submit=fused): compare total latency only"));
	if (t->stand_in) {
		char *note = mem_printf("is %s", t->stand_in);

		json_array_append_new(notes, json_string(note));
		free(note);
	}
	json_object_set_new(j, "name", json_string(t->name));
	json_object_set_new(j, "engine", json_string(t->engine));
	json_object_set_new(j, "engine_file", plugin ? json_string(plugin) : json_null());
	json_object_set_new(j, "path", json_string(t->path));
	json_object_set_new(j, "kind", json_string(kind_name(t->kind)));
	json_object_set_new(j, "embedded", json_boolean(t->embedded));
	json_object_set_new(j, "emulated", json_boolean(t->stand_in));
	json_object_set_new(j, "synchronous", json_boolean(t->synchronous));
	json_object_set_new(j, "direct", json_boolean(t->direct));
	json_object_set_new(j, "working_set_bytes",
			    json_integer((json_int_t)plan_working_set(plan, t)));
	json_object_set_new(j, "vm_size", json_integer((json_int_t)plan_vm_size(plan, t)));
	json_object_set(j, "device", json_object_get(place, "device"));
	json_object_set(j, "device_model", json_object_get(place, "device_model"));
	json_object_set(j, "filesystem", json_object_get(place, "filesystem"));
	json_object_set_new(j, "notes", notes);
	json_decref(place);
	return j;
}

static json_t *run_json(const struct plan *plan, const struct plan_run *r)
{
	json_t *j = json_pack("{s:s, s:s, s:s, s:i, s:s, s:i, s:i, s:i}", "target", r->target->name,
			      "scenario", plan->scenario->id, "profile", r->profile->id, "repeat",
			      (int)r->repeat, "dir", r->dir, "vms", (int)plan->options.vms,
			      "runtime_s", (int)r->runtime_s, "ramp_s", (int)r->ramp_s);
	const struct plan_part *only = &r->parts[0];

	/* several parts have no number in common; theirs are in job.fio and fio.json */
	if (r->n_parts == 1) {
		json_object_set_new(j, "numjobs", json_integer(only->numjobs));
		json_object_set_new(j, "iodepth", json_integer(only->iodepth));
		json_object_set_new(j, "threads", json_integer(only->threads));
		json_object_set_new(j, "outstanding", json_integer(only->outstanding));
	}
	return j;
}

int store_write_plan(const char *root, const struct plan *plan, const char *started,
		     struct fault *f)
{
	json_t *targets = json_array(), *runs = json_array(), *options, *j;
	const struct plan_options *o = &plan->options;
	const struct plan_run *first = &plan->runs[0];
	uint64_t asked = 0; /* the region on a target is the largest that is asked for */

	for (size_t i = 0; i < plan->n_targets; i++)
		json_array_append_new(targets, target_json(plan, &plan->targets[i]));
	for (size_t i = 0; i < plan->n_runs; i++)
		json_array_append_new(runs, run_json(plan, &plan->runs[i]));
	for (size_t i = 0; i < plan->n_runs; i++) {
		if (plan->runs[i].asked_vm_size > asked)
			asked = plan->runs[i].asked_vm_size;
	}
	options = json_pack("{s:b, s:i, s:I, s:i, s:i, s:i, s:i}", "quick", o->quick, "vms",
			    (int)o->vms, "vm_size", (json_int_t)first->vm_size, "runtime_s",
			    (int)first->runtime_s, "ramp_s", (int)first->ramp_s, "repeat",
			    (int)o->repeat, "asked_ramp_s", (int)first->asked_ramp_s);
	/* what a profile does not say is not 0 */
	if (asked)
		json_object_set_new(options, "asked_vm_size", json_integer((json_int_t)asked));
	if (first->asked_runtime_s)
		json_object_set_new(options, "asked_runtime_s",
				    json_integer((json_int_t)first->asked_runtime_s));
	j = json_pack("{s:i, s:s, s:s, s:s, s:o, s:o, s:o}", "schema", 1, "fiopack",
		      FIOPACK_VERSION, "started", started, "paper", plan->paper->id, "options",
		      options, "targets", targets, "runs", runs);
	if (!j)
		return fault_set(f, "run.json cannot be made: a name or path is not UTF-8");
	if (plan->paper->text &&
	    store_write_json(root, "paper.json", json_loads(plan->paper->text, 0, NULL), f)) {
		json_decref(j);
		return -1;
	}
	return store_write_json(root, "run.json", j, f);
}

void store_note_failure(const char *place, const char *sentence)
{
	char *dir = mem_printf("%s.failed", place), *log = mem_printf("%s/fio.log", dir);
	struct fault ignored = {""};
	FILE *out;

	if (!store_make_dirs(dir, &ignored)) {
		out = fopen(log, "we");
		if (out) {
			fprintf(out, "%s\n", sentence);
			fclose(out);
		}
	}
	free(log);
	free(dir);
}

void store_remove_dir(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
	(void)rmdir(path);
}
