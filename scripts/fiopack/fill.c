// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the question what has to be written before a target can be measured, and
 * the job that does it. Running the job is run.c's, permission is target.c's.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "../normalize/mem.h"
#include "fill.h"

/* Room that a file system needs beside our files to stay usable. */
#define SPARE_PERCENT 5

static bool is_whole(const struct target *t, const char *path, uint64_t bytes)
{
	struct stat st;

	if (target_is_laid_out(path, bytes))
		return true;
	/* somebody else's file: whole when every byte is backed by storage */
	return t->kind == TARGET_FILE && !stat(path, &st) && (uint64_t)st.st_size >= bytes &&
	       (uint64_t)st.st_blocks * 512 >= bytes;
}

uint64_t fill_missing_bytes(const struct plan *plan, const struct target *t)
{
	uint64_t each = plan_vm_size(plan, t), missing = 0;

	for (unsigned int vm = 1; vm <= plan->options.vms; vm++) {
		char *path = target_vm_path(t, vm);

		if (!is_whole(t, path, each))
			missing += each;
		free(path);
	}
	return missing;
}

static bool has_reads(const struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		const char *rw = jobfile_get(&plan->runs[i].job, "rw");

		/* every fio workload name that reads has one of these in it */
		if (plan->runs[i].target == t && (strstr(rw, "read") || strstr(rw, "rw")))
			return true;
	}
	return false;
}

bool fill_needed(const struct plan *plan, const struct target *t, bool assume_filled)
{
	if (t->filled)
		return false;
	if (t->kind == TARGET_BLOCK)
		return !assume_filled && has_reads(plan, t);
	return fill_missing_bytes(plan, t) > 0;
}

int fill_check_room(const struct plan *plan, const struct target *t, struct fault *f)
{
	uint64_t missing, have = 0, room;
	struct statvfs fs;
	char *slash, *dir;
	int ret = 0;

	if (t->kind == TARGET_BLOCK)
		return 0;
	missing = fill_missing_bytes(plan, t);
	dir = mem_copy(t->path);
	slash = strrchr(dir, '/');
	if (t->kind == TARGET_FILE)
		slash[slash == dir] = '\0';
	if (statvfs(dir, &fs)) {
		ret = fault_set(f, "cannot see how much room there is in %s: %s", dir,
				strerror(errno));
	} else {
		/* files that are too short give their blocks back */
		for (unsigned int vm = 1; vm <= plan->options.vms; vm++) {
			char *path = target_vm_path(t, vm);
			struct stat st;

			if (!stat(path, &st) && !is_whole(t, path, plan_vm_size(plan, t)))
				have += (uint64_t)st.st_blocks * 512;
			free(path);
		}
		room = (uint64_t)fs.f_bavail * fs.f_frsize + have;
		if (missing > room / 100 * (100 - SPARE_PERCENT))
			ret = fault_set(f,
					"%s needs %" PRIu64
					" MiB for %u VMs and has room for %" PRIu64
					" MiB: lower --vm-size or --vms, or name another target",
					dir, missing >> 20, plan->options.vms, room >> 20);
	}
	free(dir);
	return ret;
}

void fill_job(const struct plan *plan, const struct target *t, struct jobfile *job)
{
	uint64_t each = plan_vm_size(plan, t);
	char bs[32];

	*job = (struct jobfile){0};
	/* whole blocks of the device, and no part left over */
	snprintf(bs, sizeof(bs), "%" PRIu64, each % (1 << 20) ? (uint64_t)t->block_bytes : 1 << 20);
	jobfile_set(job, "ioengine", t->ioengine);
	jobfile_set(job, "thread", "1");
	jobfile_set(job, "rw", "write");
	jobfile_set(job, "bs", bs);
	jobfile_set(job, "iodepth", t->synchronous ? "1" : "8");
	jobfile_set(job, "direct", t->direct ? "1" : "0");
	jobfile_set(job, "refill_buffers", "1");
	jobfile_set(job, "overwrite", "0");
	jobfile_set(job, "end_fsync", "1");
}

void fill_done(const struct plan *plan, struct target *t)
{
	t->filled = true;
	if (t->kind == TARGET_BLOCK)
		return;
	for (unsigned int vm = 1; vm <= plan->options.vms; vm++) {
		char *path = target_vm_path(t, vm);

		target_mark_laid_out(path);
		free(path);
	}
}
