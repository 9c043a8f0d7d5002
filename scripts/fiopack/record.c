// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what run.json says of a plan: enough for a report of its runs, and for making
 * the same plan again. How it gets to the disk is store.c's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "engines/version.h"
#include "environment.h"
#include "record.h"

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
	json_object_set_new(j, "bytes",
			    t->bytes ? json_integer((json_int_t)t->bytes) : json_null());
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

/* The job without what differs from VM to VM, a line each. */
static json_t *job_json(const struct jobfile *job)
{
	char *text = NULL, *save, *line;
	json_t *lines = json_array();
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);

	if (memory)
		jobfile_print(job, NULL, memory);
	if (memory && !fclose(memory))
		for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
			json_array_append_new(lines, json_string(line));
	free(text);
	return lines;
}

/* What each part of a VM runs. */
static json_t *parts_json(const struct plan_run *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->n_parts; i++) {
		const struct plan_part *p = &r->parts[i];

		json_array_append_new(list,
				      json_pack("{s:s, s:I, s:I, s:o}", "name", p->name, "offset",
						(json_int_t)p->offset, "size", (json_int_t)p->size,
						"job", job_json(&p->job)));
	}
	return list;
}

static json_t *run_json(const struct plan *plan, const struct plan_run *r)
{
	json_t *j = json_pack(
		"{s:s, s:s, s:s, s:i, s:s, s:i, s:I, s:i, s:i, s:o}", "target", r->target->name,
		"scenario", r->scenario->id, "profile", r->profile->id, "repeat", (int)r->repeat,
		"dir", r->dir, "vms", (int)plan->options.vms, "vm_size", (json_int_t)r->vm_size,
		"runtime_s", (int)r->runtime_s, "ramp_s", (int)r->ramp_s, "parts", parts_json(r));
	const struct plan_part *only = &r->parts[0];

	/* several parts have no number in common; theirs are in their jobs */
	if (r->n_parts == 1) {
		json_object_set_new(j, "numjobs", json_integer(only->numjobs));
		json_object_set_new(j, "iodepth", json_integer(only->iodepth));
		json_object_set_new(j, "threads", json_integer(only->threads));
		json_object_set_new(j, "outstanding", json_integer(only->outstanding));
	}
	return j;
}

json_t *record_plan(const struct plan *plan)
{
	json_t *targets = json_array(), *runs = json_array(), *options;
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
	return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "schema", 1, "fiopack", FIOPACK_VERSION,
			 "paper", plan->paper->id, "options", options, "targets", targets, "runs",
			 runs);
}

json_t *record_command(char *const *args, size_t n)
{
	const char *plugins = getenv("FIOPACK_PLUGINS"), *profiles = paper_profiles_dir(NULL);
	char *folder = getcwd(NULL, 0), *full = realpath(profiles, NULL);
	json_t *list = json_array(), *j = NULL;
	size_t taken = 0;

	while (taken < n && !json_array_append_new(list, json_string(args[taken])))
		taken++;
	if (folder && taken == n)
		j = json_pack("{s:s, s:O, s:s, s:s?}", "folder", folder, "arguments", list,
			      "profiles", full ? full : profiles, "plugins", plugins);
	json_decref(list);
	free(full);
	free(folder);
	return j;
}
