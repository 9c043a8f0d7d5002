/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A results folder as `fiopack run` leaves it:
 *
 *   run.json           what was asked for: options, targets, runs
 *   environment.json   where it ran; may be missing
 *   paper.json         the paper, when it is in no folder of profiles (see paper.h)
 *   <target>/<scenario>/<profile>/<n>/          a run: job.fio fio.json fio.log
 *   <target>/<scenario>/<profile>/<n>.failed/   a run that failed, same files
 *
 * A run of run.json that has neither folder is not there yet. Texts are NULL
 * and numbers 0 where the files do not say.
 */
#ifndef NORMALIZE_RESULTS_H
#define NORMALIZE_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"

struct results_target {
	char *name;
	char *engine;
	char *path;
	char *kind; /* file, directory, block, char */
	char *device;
	char *device_model;
	char *filesystem;
	char *device_id;  /* from environment.json: what tells it from others of its model */
	char *plugin;	  /* likewise: fingerprint of our engine */
	bool embedded;	  /* a scratch file that the runner made */
	bool emulated;	  /* stands in for hardware that is not there */
	bool synchronous; /* the engine does one I/O at a time */
	bool direct;	  /* O_DIRECT; see direct_known */
	bool direct_known;
	uint64_t working_set_bytes;
	uint64_t vm_size; /* bytes of one VM on this target; 0: unknown */
	char **notes;
	size_t n_notes;
};

enum results_state { RESULTS_NOT_RUN, RESULTS_DONE, RESULTS_FAILED };

struct results_run {
	const struct results_target *target;
	char *scenario;
	char *profile;
	uint64_t repeat;
	char *dir; /* below the folder's root; never absolute, never with ".." */
	uint64_t vms, numjobs, iodepth; /* as run; numjobs and iodepth per VM */
	uint64_t threads, outstanding;	/* as the paper says */
	enum results_state state;
	char **job; /* lines of its job file, each part's after its name; may be none */
	size_t n_job;
	char *reason; /* failed: the last line of fio.log, may be NULL */
};

struct results_options {
	bool quick;
	double runtime_s; /* negative: not said */
	double ramp_s;	  /* negative: not said */
	uint64_t vms, vm_size, repeat;
	/* what the profiles have before the command line changed it; negative or 0: not said */
	double asked_runtime_s, asked_ramp_s;
	uint64_t asked_vm_size;
};

struct results_environment {
	char *fio_version;
	char *fio_path;
	char *kernel;
	char *cpu;
	uint64_t cpus;
	uint64_t numa_nodes;
	char *governor;
	uint64_t memory_bytes;
	char *hostname;
};

struct results {
	char *root;
	char *paper;	/* NULL: profiles of no paper */
	char *fiopack;	/* version that ran it */
	char *started;	/* ISO 8601 */
	char **resumed; /* when it was, and what had changed by then: a text for each time */
	size_t n_resumed;
	struct results_options options;
	struct results_environment environment;
	struct results_target *targets;
	size_t n_targets;
	struct results_run *runs; /* in the order of run.json */
	size_t n_runs;
};

/* Read and validate; the runs' states are those of the folders now. NULL with `f` filled. */
struct results *results_load(const char *root, struct fault *f);
void results_free(struct results *r);

/* The path of a run's fio.json, to be freed; also for a failed run, where it may be missing. */
char *results_json_path(const struct results *r, const struct results_run *run);

#endif
