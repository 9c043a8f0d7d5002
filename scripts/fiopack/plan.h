/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What will be run: scenarios x targets x a paper's profiles x repeats, and the job file of each.
 */
#ifndef FIOPACK_PLAN_H
#define FIOPACK_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../normalize/fault.h"
#include "../normalize/paper.h"
#include "jobfile.h"
#include "target.h"

/* What the user asked for; 0 stands for "as the profile says". */
struct plan_options {
	unsigned int vms;	/* sections per job, at least 1 */
	uint64_t vm_size;	/* bytes each VM works in; a multiple of 1 MiB */
	unsigned int runtime_s; /* measured time */
	unsigned int ramp_s;	/* time before it that is not measured */
	bool ramp_given;	/* --ramp 0 is a choice */
	unsigned int repeat;	/* at least 1 */
	bool quick;
	bool assume_filled; /* the user's word that targets hold data */
	bool destroy;	    /* what would be refused without may be overwritten */
};

/* What each VM runs: one section of the profile, mostly the only one. */
struct plan_part {
	const char *name;		   /* base of its sections' names (".vmN" is appended) */
	struct jobfile job;		   /* without what differs from VM to VM */
	unsigned int threads, outstanding; /* the profile's numjobs and iodepth */
	unsigned int numjobs, iodepth;	   /* what is run per VM */
	uint64_t offset, size;		   /* its region, from the start of the VM's */
};

struct plan_run {
	const struct paper_scenario *scenario;
	const struct paper_profile *profile;
	struct target *target;
	unsigned int repeat; /* from 1 */
	struct plan_part *parts;
	size_t n_parts;	     /* at least 1 */
	bool changes, reads; /* any part of it; changes: writes or trims */
	bool done;	     /* made before, by the run that this one resumes */
	uint64_t vm_size;    /* the parts' regions are within this many bytes */
	unsigned int runtime_s, ramp_s;
	uint64_t asked_vm_size;			    /* the profile's own; 0: it has none */
	unsigned int asked_runtime_s, asked_ramp_s; /* likewise */
	char *dir;				    /* relative to the results folder */
};

struct plan {
	const struct paper *paper;
	const struct paper_scenario **scenarios; /* the caller's */
	size_t n_scenarios;
	struct plan_options options;
	struct target *targets;
	size_t n_targets;
	struct plan_run *runs; /* in the order they are run: by scenario, then target by target */
	size_t n_runs;
};

/*
 * Fill `plan->runs` for the given profiles (all of one paper) on plan->targets with
 * plan->options. Returns 0, or -1 with `f` filled.
 */
int plan_make(struct plan *plan, const struct paper_profile *const *profiles, size_t n,
	      struct fault *f);
void plan_free(struct plan *plan);

/* Bytes of a target that its runs work in, over all VMs; 0 when it has no run. */
uint64_t plan_working_set(const struct plan *plan, const struct target *t);

/* Size of one VM's region on a target: the largest that any of its runs uses. */
uint64_t plan_vm_size(const struct plan *plan, const struct target *t);

/* Does any run on this target write? */
bool plan_changes(const struct plan *plan, const struct target *t);

/* Is there a run on this target that is still to be made? */
bool plan_has_work(const struct plan *plan, const struct target *t);

/*
 * Write a job file: what the parts have in common as [global], and for each VM of the
 * target a section for each part. Returns 0, or -1 with `f` filled.
 */
int plan_write_job(const struct plan *plan, const struct target *t, const struct plan_part *parts,
		   size_t n, const char *path, struct fault *f);

#endif
