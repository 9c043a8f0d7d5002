// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the question what has to be written before a target can be measured, and
 * the job that does it. Running the job is run.c's, permission is target.c's.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <linux/fiemap.h>
#include <linux/fs.h>

#include "../normalize/mem.h"
#include "fill.h"

/* Room that a file system needs beside our files to stay usable. */
#define SPARE_PERCENT 5

/* How many blocks of each VM's slice are looked at to see whether a device still holds data. */
#define PROBES	    16
#define PROBE_BYTES 4096

/* Extents to ask for at once; a file has many more only when it is badly fragmented. */
#define EXTENTS 64

/*
 * Are the first `bytes` of a file backed by storage that has been written? Blocks that are
 * merely allocated (fallocate) do not count: reading them does not touch the medium.
 * 1: yes, 0: no, -1: this file system does not tell.
 */
static int is_written(const char *path, uint64_t bytes)
{
	struct fiemap *map = mem_new(1, sizeof(*map) + EXTENTS * sizeof(map->fm_extents[0]));
	int fd = open(path, O_RDONLY | O_CLOEXEC), answer = -1;
	uint64_t pos = 0;

	while (fd >= 0 && answer < 0) {
		map->fm_start = pos;
		map->fm_length = bytes - pos;
		map->fm_flags = FIEMAP_FLAG_SYNC;
		map->fm_extent_count = EXTENTS;
		if (ioctl(fd, FS_IOC_FIEMAP, map))
			break;
		if (!map->fm_mapped_extents)
			answer = 0;
		for (unsigned int i = 0; answer < 0 && i < map->fm_mapped_extents; i++) {
			const struct fiemap_extent *x = &map->fm_extents[i];

			if (x->fe_logical > pos || x->fe_flags & FIEMAP_EXTENT_UNWRITTEN)
				answer = 0;
			pos = x->fe_logical + x->fe_length;
			if (answer < 0 && pos >= bytes)
				answer = 1;
		}
	}
	if (fd >= 0)
		close(fd);
	free(map);
	return answer;
}

static bool is_long(const char *path, uint64_t bytes)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && (uint64_t)st.st_size >= bytes;
}

static bool is_whole(const char *path, uint64_t bytes)
{
	struct stat st;

	if (!is_long(path, bytes))
		return false;
	switch (is_written(path, bytes)) {
	case 1:
		return true;
	case 0:
		return false;
	}
	/* what cannot be seen is believed of our own files alone */
	return target_is_laid_out(path) && !stat(path, &st) &&
	       (uint64_t)st.st_blocks * 512 >= bytes;
}

/* What the files of a target lack: bytes to write, and what comes back from those written over. */
struct lack {
	uint64_t missing, returned;
};

static struct lack find_lack(const struct plan *plan, const struct target *t, bool assume_filled)
{
	uint64_t each = plan_vm_size(plan, t);
	struct lack l = {0, 0};

	for (unsigned int vm = 1; vm <= plan->options.vms; vm++) {
		char *path = target_vm_path(t, vm);
		struct stat st;

		if (!(assume_filled ? is_long(path, each) : is_whole(path, each))) {
			l.missing += each;
			l.returned += stat(path, &st) ? 0 : (uint64_t)st.st_blocks * 512;
		}
		free(path);
	}
	return l;
}

static bool has_reads(const struct plan *plan, const struct target *t)
{
	for (size_t i = 0; i < plan->n_runs; i++) {
		if (plan->runs[i].target == t && plan->runs[i].reads)
			return true;
	}
	return false;
}

static int check_room(const struct plan *plan, const struct target *t, const struct lack *l,
		      struct fault *f)
{
	char *dir = t->kind == TARGET_FILE ? target_folder_of(t->path) : target_existing(t->path);
	struct statvfs fs;
	uint64_t room;
	int ret = 0;

	if (statvfs(dir, &fs)) {
		ret = fault_set(f, "cannot see how much room there is in %s: %s", dir,
				strerror(errno));
	} else {
		room = (uint64_t)fs.f_bavail * fs.f_frsize + l->returned;
		if (l->missing > room / 100 * (100 - SPARE_PERCENT))
			ret = fault_set(f,
					"%s needs %" PRIu64
					" MiB for %u VMs and has room for %" PRIu64
					" MiB: lower --vm-size or --vms, or name another target",
					dir, l->missing >> 20, plan->options.vms, room >> 20);
	}
	free(dir);
	return ret;
}

int fill_decide(const struct plan *plan, struct target *t, bool assume_filled, struct fault *f)
{
	struct lack l;

	if (t->kind == TARGET_BLOCK) {
		t->filled = assume_filled || !has_reads(plan, t);
		return 0;
	}
	l = find_lack(plan, t, assume_filled);
	t->filled = !l.missing;
	return check_room(plan, t, &l, f);
}

bool fill_is_there(const struct plan *plan, const struct target *t)
{
	uint64_t each = plan_vm_size(plan, t), step = each / PROBES / PROBE_BYTES * PROBE_BYTES;
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);
	bool there = fd >= 0;
	char block[PROBE_BYTES];

	for (unsigned int i = 0; there && i < plan->options.vms * PROBES; i++) {
		off_t at = (off_t)(i / PROBES * each + i % PROBES * step);

		/* the first byte is 0, and each equals the next */
		there = pread(fd, block, sizeof(block), at) == (ssize_t)sizeof(block) &&
			(block[0] || memcmp(block, block + 1, sizeof(block) - 1));
	}
	if (fd >= 0)
		close(fd);
	return there;
}

bool fill_covers(const struct plan *plan, const struct target *t, const struct target *other)
{
	return !strcmp(other->path, t->path) && plan_vm_size(plan, other) <= plan_vm_size(plan, t);
}

void fill_job(const struct plan *plan, const struct target *t, struct plan_part *part)
{
	uint64_t each = plan_vm_size(plan, t);
	struct jobfile *job = &part->job;
	char bs[32];

	*part = (struct plan_part){.name = "fill", .size = each};
	/* whole blocks of the device, and no part left over */
	snprintf(bs, sizeof(bs), "%" PRIu64, each % (1 << 20) ? (uint64_t)t->block_bytes : 1 << 20);
	jobfile_set(job, "ioengine", t->ioengine);
	jobfile_set(job, "thread", "1");
	jobfile_set(job, "rw", "write");
	jobfile_set(job, "bs", bs);
	jobfile_set(job, "iodepth", t->synchronous ? "1" : "8");
	jobfile_set(job, "direct", t->direct ? "1" : "0");
	jobfile_set(job, "refill_buffers", "1");
	/* into the files as they are: fio would make them anew, or allocate ahead */
	jobfile_set(job, "overwrite", "1");
	jobfile_set(job, "fallocate", "none");
	jobfile_set(job, "end_fsync", "1");
}

static int prepare_file(const char *path, uint64_t bytes, struct fault *f)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644), ret = 0;
	struct stat st;

	if (fd < 0)
		return fault_set(f, "cannot make %s: %s", path, strerror(errno));
	if (fstat(fd, &st) || ((uint64_t)st.st_size < bytes && ftruncate(fd, (off_t)bytes)))
		ret = fault_set(f, "cannot make %s %" PRIu64 " MiB long: %s", path, bytes >> 20,
				strerror(errno));
	close(fd);
	if (!ret)
		target_mark_laid_out(path);
	return ret;
}

int fill_prepare(const struct plan *plan, const struct target *t, struct fault *f)
{
	int ret = 0;

	if (t->kind == TARGET_BLOCK)
		return 0;
	for (unsigned int vm = 1; !ret && vm <= plan->options.vms; vm++) {
		char *path = target_vm_path(t, vm);

		ret = prepare_file(path, plan_vm_size(plan, t), f);
		free(path);
	}
	return ret;
}
