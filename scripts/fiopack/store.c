// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the results folder on disk: where it is, who works in it, and that nothing in
 * it is ever half-written: a name that says "complete" is given after the data is on
 * the medium. What run.json says is record.c's.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/fio_reader.h"
#include "../normalize/mem.h"
#include "store.h"
#include "target.h"

/* Bring a file, or the names in a folder, to the medium; relative to the folder `at`. */
static int sync_path(int at, const char *path)
{
	int fd = openat(at, path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -1;
	ret = fsync(fd);
	/* some file systems cannot do it for a folder; they need not */
	if (ret && (errno == EINVAL || errno == ENOTSUP))
		ret = 0;
	close(fd);
	return ret;
}

static int sync_folder_of(const char *path)
{
	char *dir = target_folder_of(path);
	int ret = sync_path(AT_FDCWD, dir);

	free(dir);
	return ret;
}

int store_make_dirs(const char *path, struct fault *f)
{
	char *copy = mem_copy(path);
	int ret = 0;

	for (char *s = copy + 1; !ret; s++) {
		char c = *s;

		if (c != '/' && c != '\0')
			continue;
		*s = '\0';
		if (mkdir(copy, 0755) ? errno != EEXIST : sync_folder_of(copy))
			ret = fault_set(f, "cannot make folder %s: %s", copy, strerror(errno));
		*s = c;
		if (!c)
			break;
	}
	free(copy);
	return ret;
}

static int must_be_empty(const char *path, struct fault *f)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int ret = 0;

	if (!d)
		return errno == ENOENT
			       ? 0
			       : fault_set(f, "cannot look into %s: %s", path, strerror(errno));
	while (!ret && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			ret = fault_set(f, "%s is not empty: results go to a new or empty folder",
					path);
	}
	closedir(d);
	return ret;
}

/* The folder that a results folder would have that is called so, or NULL. Caller frees. */
static char *absolute(const char *dir, struct fault *f)
{
	char *cwd = *dir == '/' ? mem_copy("") : getcwd(NULL, 0), *full;

	if (!cwd)
		fault_set(f, "cannot tell the current folder: %s", strerror(errno));
	full = cwd ? mem_printf("%s%s%s", cwd, *cwd ? "/" : "", dir) : NULL;
	free(cwd);
	return full;
}

char *store_create(const char *wanted, bool dry, struct fault *f)
{
	char stamp[64], *dir, *full;
	time_t now = time(NULL);
	struct tm tm;

	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", gmtime_r(&now, &tm));
	dir = wanted ? mem_copy(wanted) : mem_printf("results/%s", stamp);
	/* two runs within a second */
	for (int i = 2; !wanted && !access(dir, F_OK); i++) {
		free(dir);
		dir = mem_printf("results/%s-%d", stamp, i);
	}
	full = absolute(dir, f);
	free(dir);
	if (!full || must_be_empty(full, f))
		goto bad;
	if (dry) {
		dir = target_existing(full);
		if (access(dir, W_OK))
			fault_set(f, "cannot make folder %s in %s: %s", full, dir, strerror(errno));
		free(dir);
		if (f->text[0])
			goto bad;
		return full;
	}
	if (store_make_dirs(full, f))
		goto bad;
	dir = realpath(full, NULL);
	if (!dir)
		fault_set(f, "cannot find %s: %s", full, strerror(errno));
	free(full);
	return dir;
bad:
	free(full);
	return NULL;
}

int store_lock(const char *root, struct fault *f)
{
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return fault_set(f, "cannot look into %s: %s", root, strerror(errno));
	/* any other error: this file system has no locks */
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
		close(fd);
		return fault_set(f, "another fiopack run is at work in %s: wait for it", root);
	}
	return fd;
}

int store_write_json(const char *root, const char *name, json_t *j, struct fault *f)
{
	char *path = mem_printf("%s/%s", root, name), *tmp = mem_printf("%s.new", path);
	FILE *out = fopen(tmp, "we");
	int ret = 0;

	if (!out || json_dumpf(j, out, JSON_INDENT(2)) || fputc('\n', out) == EOF || fflush(out) ||
	    fsync(fileno(out)))
		ret = fault_set(f, "cannot write %s: %s", tmp, strerror(errno));
	if (out && fclose(out) && !ret)
		ret = fault_set(f, "cannot write %s: %s", tmp, strerror(errno));
	if (!ret && (rename(tmp, path) || sync_folder_of(path)))
		ret = fault_set(f, "cannot write %s: %s", path, strerror(errno));
	if (ret)
		unlink(tmp);
	json_decref(j);
	free(tmp);
	free(path);
	return ret;
}

static void count_job(void *count, const struct reader_job *job)
{
	(void)job;
	++*(size_t *)count;
}

static void ignore_document(void *count, const struct reader_document *doc)
{
	(void)count;
	(void)doc;
}

bool store_is_whole(const char *place, struct fault *f)
{
	char *path = mem_printf("%s/fio.json", place);
	size_t jobs = 0;
	const struct reader_sink sink = {count_job, ignore_document, &jobs};

	if (!reader_read(path, &sink, f) && !jobs)
		fault_set(f, "%s: fio ran no job", path);
	free(path);
	return !f->text[0];
}

/* Everything in a folder, then the folder. */
static int sync_dir(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;
	int ret = d ? 0 : -1;

	while (!ret && (e = readdir(d))) {
		if (e->d_type != DT_DIR)
			ret = sync_path(dirfd(d), e->d_name);
	}
	if (!ret)
		ret = sync_path(dirfd(d), ".");
	if (d)
		closedir(d);
	return ret;
}

int store_settle(const char *partial, const char *place, struct fault *f)
{
	if (sync_dir(partial))
		return fault_set(f, "cannot bring %s to the disk: %s", partial, strerror(errno));
	store_remove_dir(place);
	if (rename(partial, place) || sync_folder_of(place))
		return fault_set(f, "cannot rename %s: %s", partial, strerror(errno));
	return 0;
}

void store_note_failure(const char *place, const char *sentence)
{
	char *dir = mem_printf("%s.failed", place), *log = mem_printf("%s/fio.log", dir);
	struct fault ignored = {""};
	FILE *out;

	store_remove_dir(dir);
	if (!store_make_dirs(dir, &ignored)) {
		out = fopen(log, "we");
		if (out) {
			fprintf(out, "%s\n", sentence);
			fclose(out);
		}
	}
	free(log);
	free(dir);
}

void store_remove_dir(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
			(void)unlinkat(dirfd(d), e->d_name, 0);
	}
	if (d)
		closedir(d);
	(void)rmdir(path);
}
