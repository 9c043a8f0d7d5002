/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is measured: an engine and a path, and what may be done to it.
 */
#ifndef FIOPACK_TARGET_H
#define FIOPACK_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../normalize/fault.h"

enum target_kind {
	TARGET_DIRECTORY, /* one file per VM in it, made by us */
	TARGET_FILE,	  /* a regular file, there or not yet; VMs after the first get PATH.vmN */
	TARGET_BLOCK,	  /* a block device; VMs get equal slices of it */
};

struct target {
	char *name;	/* a folder of that name holds the results */
	char *engine;	/* as the user names it: uring, io_uring, libaio ... */
	char *ioengine; /* as fio wants it: external:/abs/fio-uring.so, or the same name */
	char *path;	/* absolute */
	char **options; /* "name=value" or "name", for the job file */
	size_t n_options;
	enum target_kind kind;
	const char *stand_in; /* what it is instead of storage (a loop device ...), or NULL */
	bool embedded;	      /* the scratch target we made up ourselves */
	bool synchronous;     /* the engine has one I/O in flight per job, whatever iodepth says */
	bool direct;	      /* O_DIRECT works there */
	uint64_t bytes;	      /* of a block device, else 0 */
	unsigned int block_bytes; /* logical block size, 512 where unknown */
	bool fused;		  /* some of its runs submit and wait in one system call */
	int lock;		  /* descriptor that holds the lock, or 0 */
	bool filled;		  /* the region in use holds data, or need not: see fill_decide() */
};

/*
 * Parse "NAME=ENGINE:PATH[,option...]" and find out what PATH is. `plugin_dirs` is
 * a NULL-terminated list of folders to look for our plugins in.
 * Returns 0, or -1 with `f` filled.
 */
int target_parse(struct target *t, const char *text, const char *const *plugin_dirs,
		 struct fault *f);

/*
 * The target used when none is given: files in `dir` (absolute), which is made if it is missing,
 * but not with `dry`.
 */
int target_embedded(struct target *t, const char *dir, const char *const *plugin_dirs, bool dry,
		    struct fault *f);

void target_free(struct target *t);

/* The folder that a path's last part is in. `path` is absolute; caller frees. */
char *target_folder_of(const char *path);

/* An absolute path itself or the nearest folder above it that is there. Caller frees. */
char *target_existing(const char *path);

/* The plugin's file when the engine is an external one, else NULL. */
const char *target_plugin(const struct target *t);

/* The file (or device) that VM number `vm` (from 1) uses. Caller frees. */
char *target_vm_path(const struct target *t, unsigned int vm);

/*
 * Refuse what must not be overwritten. Always: a device that is mounted, swap or
 * held. Without `destroy`: a device with a file system or partition table, and a
 * file that exists and that fiopack did not lay out. `changes` tells whether the
 * planned runs (or the fill before them) write at all.
 * Returns 0, or -1 with `f` filled.
 */
int target_check_safe(const struct target *t, unsigned int vms, bool changes, bool destroy,
		      struct fault *f);

/*
 * Keep other fiopack runs off an existing target until target_free(); their load would be
 * part of our figures. Advisory: flock(2) on the file, folder or device node. A fio that
 * inherits t->lock holds the lock for as long as one of its processes lives.
 * Returns 0, or -1 with `f` filled when another run has it.
 */
int target_lock(struct target *t, struct fault *f);

/* A file that fiopack has laid out carries a mark, so that a later run may overwrite it. */
bool target_is_laid_out(const char *path);
void target_mark_laid_out(const char *path);

#endif
