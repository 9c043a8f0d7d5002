// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what a target is and whether it may be written to. Filling it is the
 * runner's, describing its hardware is environment.c's.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <unistd.h>
#include <blkid.h>

#include "../normalize/mem.h"
#include "engines/core/safety.h"
#include "jobfile.h"
#include "target.h"

/* Set on files we made; its value is not used. */
#define MARK "user.fiopack.laid-out"

#define EXTERNAL "external:"

static const char *const ours[] = {"uring", "laio", NULL};

/* fio's engines that complete an I/O before they take the next, by HOWTO and source. */
static const char *const synchronous[] = {"sync",    "psync",  "vsync",	  "pvsync",
					  "pvsync2", "mmap",   "libpmem", "dev-dax",
					  "pmemblk", "splice", NULL};

static bool is_in(const char *const *list, const char *name)
{
	for (; *list; list++) {
		if (!strcmp(*list, name))
			return true;
	}
	return false;
}

static int find_plugin(struct target *t, const char *const *dirs, struct fault *f)
{
	for (; *dirs; dirs++) {
		char *so = mem_printf("%s/fio-%s.so", *dirs, t->engine);

		if (!access(so, R_OK)) {
			char *real = realpath(so, NULL);

			t->ioengine = mem_printf(EXTERNAL "%s", real ? real : so);
			free(real);
			free(so);
			return 0;
		}
		free(so);
	}
	return fault_set(
		f,
		"there is no plugin fio-%s.so: build it with make (configure says why an engine "
		"is left out), or name one of fio's own engines",
		t->engine);
}

static bool is_name(const char *s)
{
	if (!*s || *s == '.')
		return false;
	for (; *s; s++) {
		if (!isalnum((unsigned char)*s) && !strchr("._-", *s))
			return false;
	}
	return true;
}

static char *absolute(const char *path, struct fault *f)
{
	char *cwd, *full;

	if (*path == '/')
		return mem_copy(path);
	cwd = getcwd(NULL, 0);
	if (!cwd) {
		fault_set(f, "cannot tell the current folder: %s", strerror(errno));
		return NULL;
	}
	full = mem_printf("%s/%s", cwd, path);
	free(cwd);
	return full;
}

static void split_options(struct target *t, char *text)
{
	char *save, *opt;

	for (opt = strtok_r(text, ",", &save); opt; opt = strtok_r(NULL, ",", &save)) {
		t->options = mem_resize(t->options, t->n_options + 1, sizeof(*t->options));
		t->options[t->n_options++] = mem_copy(opt);
	}
}

char *target_folder_of(const char *path)
{
	size_t len = (size_t)(strrchr(path, '/') - path);

	return mem_copy_n(path, len ? len : 1);
}

char *target_existing(const char *path)
{
	char *place = mem_copy(path);

	while (access(place, F_OK) && strcmp(place, "/")) {
		char *above = target_folder_of(place);

		free(place);
		place = above;
	}
	return place;
}

const char *target_plugin(const struct target *t)
{
	size_t len = strlen(EXTERNAL);

	return strncmp(t->ioengine, EXTERNAL, len) ? NULL : t->ioengine + len;
}

/*
 * Does the file system of an existing file or folder take O_DIRECT? A folder is tried with a
 * file that never has a name; few file systems lack that (NFS, old overlayfs).
 */
static bool takes_direct(const char *path, bool is_dir)
{
	int flags = O_DIRECT | O_CLOEXEC;
	int fd = open(path, flags | (is_dir ? O_TMPFILE | O_RDWR : O_RDONLY), 0600);

	if (fd < 0 && is_dir && (errno == EOPNOTSUPP || errno == EISDIR)) {
		char *probe = mem_printf("%s/.fiopack-probe.%ld", path, (long)getpid());

		fd = open(probe, flags | O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd >= 0 || errno == EINVAL) {
			int code = errno;

			unlink(probe);
			errno = code;
		}
		free(probe);
	}
	if (fd < 0)
		return errno != EINVAL;
	close(fd);
	return true;
}

/*
 * Block devices that are made of memory or of a file, by the kernel's names for them.
 * Their figures are no drive's, and every table has to say so.
 */
static const struct {
	const char *prefix, *what;
} stand_ins[] = {
	{"loop", "a loop device: a file, served through the page cache"},
	{"nullb", "a null_blk device: no medium at all"},
	{"ram", "a RAM disk"},
	{"zram", "compressed memory (zram)"},
};

static const char *stand_in_device(dev_t dev)
{
	char *link = mem_printf("/sys/dev/block/%u:%u", major(dev), minor(dev));
	char *real = realpath(link, NULL), *name = real ? strrchr(real, '/') + 1 : NULL;
	const char *what = NULL;

	for (size_t i = 0; name && i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++) {
		if (!strncmp(name, stand_ins[i].prefix, strlen(stand_ins[i].prefix)))
			what = stand_ins[i].what;
	}
	free(real);
	free(link);
	return what;
}

static const char *stand_in_folder(const char *dir)
{
	struct statfs fs;

	if (statfs(dir, &fs))
		return NULL;
	return fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC
		       ? "memory (tmpfs or ramfs), not storage"
		       : NULL;
}

static int inspect_block(struct target *t, struct fault *f)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);
	uint64_t bytes = 0;
	int lbs = 512;

	if (fd < 0)
		return fault_set(f, "cannot open %s: %s", t->path, strerror(errno));
	if (ioctl(fd, BLKGETSIZE64, &bytes)) {
		fault_set(f, "cannot read the size of %s: %s", t->path, strerror(errno));
		close(fd);
		return -1;
	}
	if (!ioctl(fd, BLKSSZGET, &lbs) && lbs > 0)
		t->block_bytes = (unsigned int)lbs;
	close(fd);
	t->bytes = bytes;
	t->kind = TARGET_BLOCK;
	t->direct = true;
	return bytes ? 0 : fault_set(f, "%s has no size: is there a medium behind it?", t->path);
}

static int inspect(struct target *t, struct fault *f)
{
	struct stat st;
	char *parent;
	int ret = 0;

	t->block_bytes = 512;
	if (!stat(t->path, &st)) {
		if (S_ISBLK(st.st_mode)) {
			t->stand_in = stand_in_device(st.st_rdev);
			return inspect_block(t, f);
		}
		if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
			return fault_set(
				f,
				"%s is neither a file, a folder nor a block device, and %s "
				"needs one of these",
				t->path, t->engine);
		t->kind = S_ISDIR(st.st_mode) ? TARGET_DIRECTORY : TARGET_FILE;
		t->direct = takes_direct(t->path, S_ISDIR(st.st_mode));
		t->stand_in = stand_in_folder(t->path);
		return 0;
	}
	if (errno != ENOENT)
		return fault_set(f, "cannot look at %s: %s", t->path, strerror(errno));
	if (!strncmp(t->path, "/dev/", 5) && strncmp(t->path, "/dev/shm/", 9))
		return fault_set(f, "there is no device %s", t->path);
	parent = target_folder_of(t->path);
	if (stat(parent, &st) || !S_ISDIR(st.st_mode))
		ret = fault_set(f, "%s cannot be made: there is no folder %s", t->path, parent);
	t->kind = TARGET_FILE;
	t->direct = !ret && takes_direct(parent, true);
	t->stand_in = stand_in_folder(parent);
	free(parent);
	return ret;
}

static int set_engine(struct target *t, const char *const *plugin_dirs, struct fault *f)
{
	t->synchronous = is_in(synchronous, t->engine);
	if (is_in(ours, t->engine))
		return find_plugin(t, plugin_dirs, f);
	t->ioengine = mem_copy(t->engine);
	return 0;
}

/*
 * Options that say where I/O goes, or what the workload is: the first would make all checks
 * of the path worthless, the second the comparison with the paper.
 */
static const char *const not_for_targets[] = {"allow_mounted_write",
					      "blocksize",
					      "blocksize_range",
					      "bs",
					      "bs_is_seq_rand",
					      "bsrange",
					      "bssplit",
					      "create_only",
					      "directory",
					      "file_append",
					      "filename",
					      "filename_format",
					      "filesize",
					      "fill_device",
					      "io_limit",
					      "io_size",
					      "iodepth",
					      "ioengine",
					      "loops",
					      "name",
					      "nr_files",
					      "nrfiles",
					      "number_ios",
					      "numjobs",
					      "offset",
					      "offset_increment",
					      "opendir",
					      "ramp_time",
					      "rate",
					      "rate_iops",
					      "read_iolog",
					      "readwrite",
					      "runtime",
					      "rw",
					      "rwmixread",
					      "rwmixwrite",
					      "size",
					      "time_based",
					      "unlink",
					      NULL};

static bool option_is_in(const char *const *list, const char *option)
{
	size_t len = strcspn(option, "= ");

	for (; *list; list++) {
		if (strlen(*list) == len && !strncmp(*list, option, len))
			return true;
	}
	return false;
}

/*
 * Everything of a target that ends up in a job file has to arrive there unchanged: a path
 * cut short would be another file than the one that was checked.
 */
static int check_texts(const struct target *t, struct fault *f)
{
	const char *problem = jobfile_problem(t->path);

	if (problem)
		return fault_set(f, "%s cannot be a target: %s", t->path, problem);
	problem = jobfile_problem(t->ioengine);
	if (problem)
		return fault_set(f, "%s cannot be an engine: %s", t->ioengine, problem);
	for (size_t i = 0; i < t->n_options; i++) {
		problem = jobfile_problem(t->options[i]);
		if (problem)
			return fault_set(f, "\"%s\" cannot be a target option: %s", t->options[i],
					 problem);
		if (option_is_in(not_for_targets, t->options[i]))
			return fault_set(
				f,
				"\"%s\" cannot be a target option: it would change where or what "
				"is measured; that is for the profile and for run's own options",
				t->options[i]);
	}
	return 0;
}

int target_parse(struct target *t, const char *text, const char *const *plugin_dirs,
		 struct fault *f)
{
	char *copy = mem_copy(text), *eq = strchr(copy, '='), *engine, *colon, *comma;
	int ret = -1;

	*t = (struct target){0};
	engine = eq ? eq + 1 : copy;
	/* external:/x/fio-y.so:PATH has a colon and a path before the one that counts */
	colon = strncmp(engine, EXTERNAL, strlen(EXTERNAL)) ? strchr(engine, ':')
							    : strstr(engine, ".so:");
	if (colon && *colon == '.')
		colon += 3;
	if (!eq || !colon || colon == engine || !colon[1]) {
		fault_set(f, "--target wants NAME=ENGINE:PATH[,option...], not \"%s\"", text);
		goto out;
	}
	*eq = '\0';
	*colon = '\0';
	comma = strchr(colon + 1, ',');
	if (comma) {
		*comma = '\0';
		split_options(t, comma + 1);
	}
	if (!is_name(copy)) {
		fault_set(
			f,
			"a target's name is made of letters, digits, \".\", \"_\" and \"-\", not \"%s\"",
			copy);
		goto out;
	}
	t->name = mem_copy(copy);
	t->engine = mem_copy(engine);
	t->path = absolute(colon + 1, f);
	ret = !t->path || set_engine(t, plugin_dirs, f) || check_texts(t, f) || inspect(t, f) ? -1
											      : 0;
out:
	free(copy);
	return ret;
}

/* A folder that is not there yet is like the one that it would be made in. */
static void expect_folder(struct target *t, const char *dir)
{
	char *above = target_existing(dir);

	t->path = mem_copy(dir);
	t->kind = TARGET_DIRECTORY;
	t->block_bytes = 512;
	t->direct = takes_direct(above, true);
	t->stand_in = stand_in_folder(above);
	free(above);
}

int target_embedded(struct target *t, const char *dir, const char *const *plugin_dirs, bool dry,
		    struct fault *f)
{
	*t = (struct target){.embedded = true};
	t->name = mem_copy("scratch");
	t->engine = mem_copy("uring");
	if (dry && access(dir, F_OK)) {
		expect_folder(t, dir);
		return set_engine(t, plugin_dirs, f) || check_texts(t, f) ? -1 : 0;
	}
	if (dry || !mkdir(dir, 0700) || errno == EEXIST)
		t->path = realpath(dir, NULL);
	if (!t->path)
		return fault_set(f, "cannot make the scratch folder %s: %s", dir, strerror(errno));
	return set_engine(t, plugin_dirs, f) || check_texts(t, f) || inspect(t, f) ? -1 : 0;
}

int target_lock(struct target *t, struct fault *f)
{
	int fd = open(t->path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return 0; /* not there yet, or unreadable: fio will say so */
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		bool taken = errno == EWOULDBLOCK; /* else this file system has no locks */

		close(fd);
		return taken ? fault_set(
				       f,
				       "another fiopack run is using %s, or a fio that one left behind: "
				       "wait for it, or name another target",
				       t->path)
			     : 0;
	}
	t->lock = fd;
	return 0;
}

void target_free(struct target *t)
{
	if (t->lock > 0)
		close(t->lock);
	free(t->name);
	free(t->engine);
	free(t->ioengine);
	free(t->path);
	for (size_t i = 0; i < t->n_options; i++)
		free(t->options[i]);
	free(t->options);
	*t = (struct target){0};
}

char *target_vm_path(const struct target *t, unsigned int vm)
{
	if (t->kind == TARGET_DIRECTORY)
		return mem_printf("%s/fiopack-vm%u.dat", t->path, vm);
	if (t->kind == TARGET_FILE && vm > 1)
		return mem_printf("%s.vm%u", t->path, vm);
	return mem_copy(t->path);
}

bool target_is_laid_out(const char *path)
{
	return getxattr(path, MARK, NULL, 0) >= 0;
}

void target_mark_laid_out(const char *path)
{
	/* A file system without extended attributes costs a refill and a --destroy, no more. */
	(void)setxattr(path, MARK, "1", 1, 0);
}

static int check_files(const struct target *t, unsigned int vms, bool destroy, struct fault *f)
{
	int ret = 0;

	for (unsigned int vm = 1; !ret && vm <= vms; vm++) {
		char *path = target_vm_path(t, vm);
		struct stat st;

		/* the files in a folder have names of ours; elsewhere only the mark tells */
		if (!stat(path, &st) && !S_ISREG(st.st_mode))
			ret = fault_set(f, "%s is in the way: it is not a regular file", path);
		else if (t->kind == TARGET_FILE && !destroy && !stat(path, &st) && st.st_size &&
			 !target_is_laid_out(path))
			ret = fault_set(
				f,
				"%s exists and was not made by fiopack, and these runs would "
				"overwrite it: name another file, or pass --destroy",
				path);
		free(path);
	}
	return ret;
}

static int check_signature(const char *path, bool destroy, struct fault *f)
{
	blkid_probe pr = blkid_new_probe_from_filename(path);
	const char *type = NULL;
	int ret = 0;

	if (!pr)
		return fault_set(f, "cannot look for a file system on %s: %s", path,
				 strerror(errno));
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_enable_partitions(pr, 1);
	/* 0: found; -2: several, which is something too; 1: nothing */
	switch (blkid_do_safeprobe(pr)) {
	case 1:
		break;
	case 0:
	case -2:
		if (blkid_probe_lookup_value(pr, "TYPE", &type, NULL) &&
		    blkid_probe_lookup_value(pr, "PTTYPE", &type, NULL))
			type = "more than one";
		if (!destroy)
			ret = fault_set(
				f,
				"%s holds a file system or partition table (%s), which these "
				"runs would destroy: name another device, or pass --destroy",
				path, type);
		break;
	default:
		ret = fault_set(f, "cannot look for a file system on %s", path);
	}
	blkid_free_probe(pr);
	return ret;
}

int target_check_safe(const struct target *t, unsigned int vms, bool changes, bool destroy,
		      struct fault *f)
{
	struct err e = ERR_INIT;
	struct stat st;

	if (t->kind != TARGET_BLOCK)
		return changes ? check_files(t, vms, destroy, f) : 0;
	if (stat(t->path, &st))
		return fault_set(f, "cannot look at %s: %s", t->path, strerror(errno));
	if (safety_check_device(st.st_rdev, t->path, &e))
		return fault_set(f, "will not use %s as a target: %s", t->path, e.text);
	return changes ? check_signature(t->path, destroy, f) : 0;
}
