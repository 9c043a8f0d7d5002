/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results folder:
 *   <root>/run.json            what was planned (scripts/normalize reads it)
 *   <root>/environment.json    on what machine
 *   <root>/paper.json          the paper, when it is in no folder of profiles
 *   <root>/<target>/<scenario>/<profile>/<n>/{job.fio,fio.json,fio.log}
 * A run's folder has the suffix .partial while it runs, and .failed when it failed.
 */
#ifndef FIOPACK_STORE_H
#define FIOPACK_STORE_H

#include <jansson.h>

#include "../normalize/fault.h"
#include "plan.h"

/* mkdir -p. Returns 0, or -1 with `f` filled. */
int store_make_dirs(const char *path, struct fault *f);

/*
 * Make the results folder: `wanted`, which must be empty or not there, or with NULL
 * a new results/<UTC time>. Returns its absolute path (caller frees), or NULL.
 */
char *store_create(const char *wanted, struct fault *f);

/* Write run.json, and paper.json if need be. `started` is UTC in ISO 8601. */
int store_write_plan(const char *root, const struct plan *plan, const char *started,
		     struct fault *f);

/* Write <root>/<name> whole or not at all. Takes `j` (and frees it). */
int store_write_json(const char *root, const char *name, json_t *j, struct fault *f);

/* Make <place>.failed with a log that holds this sentence, for what failed before fio ran. */
void store_note_failure(const char *place, const char *sentence);

/* Remove a run's folder and the files in it. */
void store_remove_dir(const char *path);

#endif
