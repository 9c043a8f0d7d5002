/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results folder:
 *   <root>/run.json            what was planned (scripts/normalize reads it)
 *   <root>/environment.json    on what machine
 *   <root>/paper.json          the paper, when it is in no folder of profiles
 *   <root>/enter-<scenario>.log   what the command of --enter printed
 *   <root>/<target>/<scenario>/<profile>/<n>/{job.fio,fio.json,fio.log}
 *   <root>/<target>/.fill/     the same of the job that filled the target
 * A run's folder has the suffix .partial while it runs, and .failed when it failed; a failed one
 * stays until the run is made again.
 */
#ifndef FIOPACK_STORE_H
#define FIOPACK_STORE_H

#include <jansson.h>
#include <stdbool.h>

#include "../normalize/fault.h"

/* mkdir -p, on the medium when it returns. Returns 0, or -1 with `f` filled. */
int store_make_dirs(const char *path, struct fault *f);

/*
 * Make the results folder: `wanted`, which must be empty or not there, or with NULL
 * a new results/<UTC time>. Returns its absolute path (caller frees), or NULL. With `dry`
 * it is only seen whether that could be done.
 */
char *store_create(const char *wanted, bool dry, struct fault *f);

/*
 * Keep other fiopack runs out of a results folder for as long as the descriptor that is
 * returned stays open. Advisory: flock(2). Returns -1 with `f` filled when it is taken.
 */
int store_lock(const char *root, struct fault *f);

/* Write <root>/<name> whole or not at all. Takes `j` (and frees it). */
int store_write_json(const char *root, const char *name, json_t *j, struct fault *f);

/*
 * Does the folder hold a result of fio that can be read to its end and that has a job in it?
 * Otherwise false with `f` filled. fio can end with status 0 without having run any job, as
 * when it refuses a mounted device.
 */
bool store_is_whole(const char *place, struct fault *f);

/*
 * Rename a run's folder, when all that is in it is on the medium; what was at `place` before
 * goes. Returns 0, or -1 with `f` filled.
 */
int store_settle(const char *partial, const char *place, struct fault *f);

/* Make <place>.failed with a log that holds this sentence, for what failed before fio ran. */
void store_note_failure(const char *place, const char *sentence);

/* Remove a run's folder and the files in it. */
void store_remove_dir(const char *path);

#endif
