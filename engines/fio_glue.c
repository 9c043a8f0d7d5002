// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns everything between an engine and fio that is not the engine's subject: the
 * ABI guard, the checks of a job's targets, and errors in fio's terms. Knows no
 * engine: it serves the one `ioengine` of the plugin it is linked into.
 *
 * The guard is needed because fio's own version number for engines is not bumped
 * when the layout of its structures changes: a plugin built for another fio would
 * be loaded, and would write to the wrong places.
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "fio_glue.h"
#include "version.h"
#include "core/safety.h"

/* Weak, so that a program that is no fio can still load the plugin and look at it. */
extern const char fio_version_string[] __attribute__((weak));
extern struct fio_option fio_options[] __attribute__((weak));

#define FIELD(opt, field)                                                                          \
	{                                                                                          \
		opt, offsetof(struct thread_options, field)                                        \
	}

/* Every thread_options field that the engines or fio's inline functions read for us. */
static const struct {
	const char *option;
	size_t offset;
} fields_read[] = {
	FIELD("allow_mounted_write", allow_mounted_write),
	FIELD("bs", bs[DDIR_READ]),
	FIELD("bsrange", min_bs[DDIR_READ]),
	FIELD("direct", odirect),
	FIELD("disable_bw_measurement", disable_bw),
	FIELD("disable_clat", disable_clat),
	FIELD("disable_slat", disable_slat),
	FIELD("io_submit_mode", io_submit_mode),
	FIELD("iodepth", iodepth),
	FIELD("iodepth_batch", iodepth_batch),
	FIELD("iodepth_batch_complete_min", iodepth_batch_complete_min),
	FIELD("name", name),
	FIELD("nrfiles", nr_files),
	FIELD("openfiles", open_files),
	FIELD("read_iolog", read_iolog_file),
	FIELD("rw", td_ddir),
	FIELD("size", size),
	FIELD("sync_file_range", sync_file_range),
	FIELD("zonemode", zone_mode),
};

static const struct fio_option *option_named(const char *name)
{
	for (const struct fio_option *o = fio_options; o->name; o++) {
		if (!strcmp(o->name, name))
			return o;
	}
	return NULL;
}

static void refuse(const char *why)
{
	fprintf(stderr,
		"%s: this plugin was built for %s (fiopack %s) and cannot run in this fio: %s; build "
		"it again with ./configure --with-fio=PATH of this fio, then make\n",
		ioengine.name, BUILD_FIO_VERSION, FIOPACK_VERSION, why);
	/* No fio accepts this number, so fio itself stops before it calls any hook. */
	ioengine.version = -1;
}

/* Runs inside dlopen(), before fio has seen the ops table. */
__attribute__((constructor)) static void guard_abi(void)
{
	char why[256];

	if (!fio_version_string)
		return;
	if (strcmp(fio_version_string, BUILD_FIO_VERSION)) {
		snprintf(why, sizeof(why), "it is %.64s", fio_version_string);
		refuse(why);
		return;
	}
	if (!fio_options)
		return;
	for (size_t i = 0; i < sizeof(fields_read) / sizeof(fields_read[0]); i++) {
		const struct fio_option *o = option_named(fields_read[i].option);

		/* off1 is 0 where fio sets the field by a callback: nothing to compare */
		if (!o || !o->off1 || o->off1 == fields_read[i].offset)
			continue;
		snprintf(why, sizeof(why),
			 "it has the same version but another configuration (option %s is at %u, "
			 "expected at %zu)",
			 fields_read[i].option, o->off1, fields_read[i].offset);
		refuse(why);
		return;
	}
}

/*
 * The version and the options agree, but thread_data could still differ (fio built
 * with CUDA has a larger one). td->io_ops is behind those fields: if it does not
 * point at our own table, nothing else in td can be trusted either.
 */
static int check_td(const struct thread_data *td)
{
	if (td->io_ops == &ioengine)
		return 0;
	refuse("it has the same version but another layout of its job structure");
	return 1;
}

/*
 * Sentences that were said, as hashes, in memory that all jobs share: they are processes that
 * are forked after the plugin is loaded. A full table, or none, only means that more is said.
 */
#define SAID_MAX 64
static uint32_t *said;

static bool say_once(const char *job, const char *text)
{
	uint32_t hash = 2166136261u; /* FNV-1a */

	if (!said)
		return true;
	for (const char *c = job; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	for (const char *c = text; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619u;
	hash += !hash; /* 0 is an empty place */
	for (size_t i = 0; i < SAID_MAX; i++) {
		uint32_t there = 0;

		if (__atomic_compare_exchange_n(&said[i], &there, hash, false, __ATOMIC_RELAXED,
						__ATOMIC_RELAXED))
			return true;
		if (there == hash)
			return false;
	}
	return true;
}

__attribute__((constructor)) static void make_said(void)
{
	void *p = mmap(NULL, SAID_MAX * sizeof(*said), PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	said = p == MAP_FAILED ? NULL : p;
}

int glue_fail(struct thread_data *td, const struct err *e)
{
	const char *job = td->o.name ? td->o.name : "job";

	if (say_once(job, e->text))
		log_err("%s: %s: %s\n", ioengine.name, job, e->text);
	td_verror(td, e->code, ioengine.name);
	return 1;
}

static bool changes_target(struct thread_data *td)
{
	return td_write(td) || td_trim(td);
}

static int check_device(struct thread_data *td, const struct fio_file *f, const struct stat *st,
			struct err *e)
{
	if (!S_ISBLK(st->st_mode) || !changes_target(td) || td->o.allow_mounted_write)
		return 0;
	if (safety_check_device(st->st_rdev, f->file_name, e)) {
		struct err why = *e;

		*e = (struct err)ERR_INIT;
		return err_set(e, why.code,
			       "will not write to %s: %s (allow_mounted_write=1 overrides this and "
			       "destroys what is there)",
			       f->file_name, why.text);
	}
	return 0;
}

static const char *path_remedy(int code)
{
	switch (code) {
	case EACCES:
	case EPERM:
		return "check its owner, mode and attributes, or run as a user who may";
	case EROFS:
		return "its file system is mounted read-only";
	case EINVAL:
		return "its file system may not support direct=1; try direct=0";
	case EMFILE:
	case ENFILE:
		return "raise ulimit -n, or set openfiles";
	case ENOSPC:
	case EDQUOT:
		return "there is no room for it";
	case EBUSY:
		return "something else has it open exclusively";
	case ENXIO:
	case ENODEV:
		return "there is no such device behind this node";
	case ENOTDIR:
		return "a part of the path is a file";
	default:
		return "check the path and what it is";
	}
}

static int check_target(struct thread_data *td, const struct fio_file *f, struct err *e)
{
	struct stat st;

	if (!strcmp(f->file_name, "-"))
		return 0;
	if (stat(f->file_name, &st)) {
		if (errno == ENOENT && !strncmp(f->file_name, "/dev/", 5) &&
		    strncmp(f->file_name, "/dev/shm/", 9))
			return err_set(e, ENODEV,
				       "there is no device %s: check the name (fio would create a "
				       "regular file there)",
				       f->file_name);
		if (errno == ENOENT)
			return 0; /* a missing file may be laid out */
		return err_set(e, errno, "cannot look at %s: %s: %s", f->file_name, strerror(errno),
			       path_remedy(errno));
	}
	if (S_ISDIR(st.st_mode))
		return err_set(e, EISDIR,
			       "%s is a directory: name a file in it, or use directory= instead of "
			       "filename=",
			       f->file_name);
	if (S_ISREG(st.st_mode) && td_trim(td))
		return err_set(e, ENOTTY, "trim needs a block device, and %s is a regular file",
			       f->file_name);
	return check_device(td, f, &st, e);
}

int glue_init(struct thread_data *td)
{
	struct err e = ERR_INIT;
	struct fio_file *f;
	unsigned int i;

	if (check_td(td))
		return 1;
	if (!td->o.read_iolog_file)
		return 0; /* glue_get_file_size() has already seen the job as it is */
	for_each_file (td, f, i) {
		if (check_target(td, f, &e))
			return glue_fail(td, &e);
	}
	return 0;
}

int glue_get_file_size(struct thread_data *td, struct fio_file *f)
{
	struct err e = ERR_INIT;

	if (check_td(td))
		return 1;
	if (check_target(td, f, &e))
		return glue_fail(td, &e);
	return generic_get_file_size(td, f);
}

int glue_unlink_file(struct thread_data *td, struct fio_file *f)
{
	struct err e = ERR_INIT;
	struct stat st;

	/* At any other time than setup, somebody asked for it: unlink=1, unlink_each_loop=1. */
	if (td->runstate == TD_SETTING_UP && !changes_target(td) && !stat(f->file_name, &st)) {
		err_set(&e, EFBIG,
			"%s has %llu bytes and this job reads up to byte %llu: a job that only reads "
			"does not lay an existing file out anew; lower size= or offset=, or remove the "
			"file to have it made",
			f->file_name, (unsigned long long)st.st_size,
			(unsigned long long)f->real_file_size);
		glue_fail(td, &e);
		errno = EFBIG; /* fio takes the code from here */
		return EFBIG;
	}
	if (!unlink(f->file_name))
		return 0;
	if (errno != ENOENT) {
		int code = errno;

		err_set(&e, code, "cannot make %s anew: %s: %s", f->file_name, strerror(code),
			path_remedy(code));
		glue_fail(td, &e);
		errno = code;
	}
	return errno;
}

int glue_open_file(struct thread_data *td, struct fio_file *f)
{
	struct err e = ERR_INIT;
	struct stat st;

	if (generic_open_file(td, f)) {
		log_err("%s: %s: cannot open %s for %s: %s: %s\n", ioengine.name, td->o.name,
			f->file_name, changes_target(td) ? "writing" : "reading",
			strerror(td->error), path_remedy((int)td->error));
		return 1;
	}
	/*
	 * fio --readonly skips the layout but still takes the file for as long as the
	 * job wants it to be: such reads would all return nothing, very fast.
	 */
	if (f->filetype == FIO_TYPE_FILE && !changes_target(td) && !fstat(f->fd, &st) &&
	    S_ISREG(st.st_mode) && f->real_file_size != -1ULL &&
	    (uint64_t)st.st_size < f->real_file_size) {
		err_set(&e, EFBIG,
			"%s has %llu bytes and this job reads up to byte %llu: lower size= or offset=",
			f->file_name, (unsigned long long)st.st_size,
			(unsigned long long)f->real_file_size);
		if (generic_close_file(td, f))
			f->fd = -1;
		return glue_fail(td, &e);
	}
	return 0;
}

static const char *io_remedy(const struct io_u *io_u)
{
	switch (io_u->error) {
	case ENOSPC:
		/* a disk that was taken away has length 0, so this is how its end shows, too */
		if (io_u->file->filetype == FIO_TYPE_BLOCK)
			return "the device ends before this offset, or is gone; look at the kernel log";
		return "the device or file system is full; free space, or lower size=";
	case EDQUOT:
		return "the disk quota is used up; raise it, or lower size=";
	case EFBIG:
		return "the file would exceed a size limit (ulimit -f, or the file system's)";
	case EBADF:
		return "the file is not open for this direction; fio --readonly or rw= does not fit";
	case EROFS:
		return "the file system turned read-only; look at the kernel log";
	case EIO:
		return "the device reported an error; look at the kernel log";
	case ENODATA: /* fio's continue_on_error=io goes on after EIO and EILSEQ alone */
		return "the medium of the device has an error there; look at the kernel log "
		       "(continue_on_error=io goes on after this error only with ignore_error=61,61)";
	case ENODEV:
	case ENXIO:
		return "the device is gone";
	case ENOTTY:
	case EOPNOTSUPP:
		if (io_u->ddir == DDIR_TRIM)
			return "it cannot discard; trim needs a block device that can";
		return "the file or device does not support this operation";
	case EINVAL:
		return "with direct=1, bs= and offset= must be multiples of the logical block size";
	default:
		return NULL;
	}
}

void glue_tell_io_error(const struct thread_data *td, const struct io_u *io_u, const char *hint)
{
	if (!hint)
		hint = io_remedy(io_u);
	log_err("%s: %s: %s of %llu bytes at offset %llu of %s failed: %s%s%s\n", ioengine.name,
		td->o.name, io_ddir_name(io_u->ddir), io_u->xfer_buflen, io_u->offset,
		io_u->file->file_name, strerror((int)io_u->error), hint ? ": " : "",
		hint ? hint : "");
}
