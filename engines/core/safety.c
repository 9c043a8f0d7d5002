// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the question whether a block device is in use. Whether to ask, and what
 * overrides the answer, is left to the callers.
 *
 * The mount table and the swap table are matched by device number, not by name:
 * a device has many names (/dev/disk/by-id/..., /dev/mapper/...).
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "core/safety.h"

/* The tables write blanks, tabs, newlines and backslashes in a path as \ooo. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; to++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
		    s[3] >= '0' && s[3] <= '7') {
			*to = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*to = *s++;
		}
	}
	*to = '\0';
}

static bool is_node_of(const char *path, dev_t dev)
{
	struct stat st;

	return path[0] == '/' && !stat(path, &st) && S_ISBLK(st.st_mode) && st.st_rdev == dev;
}

/*
 * proc_pid_mountinfo(5): "36 35 98:0 /root /mount/point options [optional] - type source opts".
 * The source is looked at as well as the number, because btrfs and some stacked
 * file systems show an anonymous number.
 */
static bool mounted_here(char *line, dev_t dev, const char **where)
{
	unsigned maj, min;
	char *save, *tok, *point = NULL, *source;
	int field = 0;
	bool number = false;

	for (tok = strtok_r(line, " ", &save); tok && strcmp(tok, "-");
	     tok = strtok_r(NULL, " ", &save), field++) {
		if (field == 2 && sscanf(tok, "%u:%u", &maj, &min) == 2)
			number = makedev(maj, min) == dev;
		if (field == 4)
			point = tok;
	}
	if (!tok || !point)
		return false;
	(void)strtok_r(NULL, " ", &save); /* file system type */
	source = strtok_r(NULL, " ", &save);
	if (source)
		unescape(source);
	if (!number && !(source && is_node_of(source, dev)))
		return false;
	unescape(point);
	*where = point;
	return true;
}

static int check_mounts(dev_t dev, const char *what, struct err *e)
{
	FILE *f = fopen("/proc/self/mountinfo", "re");
	const char *where;
	char *line = NULL;
	size_t cap = 0;
	int ret = 0;

	if (!f)
		return err_set(e, errno,
			       "cannot read /proc/self/mountinfo to see whether %s is mounted",
			       what);
	while (!ret && getline(&line, &cap, f) > 0) {
		if (mounted_here(line, dev, &where))
			ret = err_set(e, EBUSY, "%s is mounted on %s: unmount it first", what,
				      where);
	}
	free(line);
	fclose(f);
	return ret;
}

static int check_swap(dev_t dev, const char *what, struct err *e)
{
	FILE *f = fopen("/proc/swaps", "re");
	char *line = NULL;
	size_t cap = 0;
	int ret = 0;

	if (!f) /* a kernel without swap has no such file */
		return errno == ENOENT ? 0 : err_set(e, errno, "cannot read /proc/swaps");
	while (!ret && getline(&line, &cap, f) > 0) {
		line[strcspn(line, " \t\n")] = '\0';
		unescape(line);
		if (is_node_of(line, dev))
			ret = err_set(e, EBUSY, "%s is active swap: swapoff it first", what);
	}
	free(line);
	fclose(f);
	return ret;
}

static int check_holders(const char *sysdir, const char *what, struct err *e)
{
	char dir[512];
	struct dirent *d;
	int ret = 0;
	DIR *h;

	snprintf(dir, sizeof(dir), "%s/holders", sysdir);
	h = opendir(dir);
	if (!h)
		return errno == ENOENT ? 0 : err_set(e, errno, "cannot read %s", dir);
	while (!ret && (d = readdir(h))) {
		if (d->d_name[0] != '.')
			ret = err_set(
				e, EBUSY,
				"%s is held by /dev/%s (device mapper, md or bcache): stop that "
				"device first",
				what, d->d_name);
	}
	closedir(h);
	return ret;
}

static int check_one(dev_t dev, const char *sysdir, const char *what, struct err *e)
{
	int ret = check_mounts(dev, what, e);

	if (!ret)
		ret = check_swap(dev, what, e);
	if (!ret)
		ret = check_holders(sysdir, what, e);
	return ret;
}

static int sys_dev(const char *sysdir, dev_t *dev)
{
	unsigned maj, min;
	char file[600];
	FILE *f;
	int n;

	snprintf(file, sizeof(file), "%s/dev", sysdir);
	f = fopen(file, "re");
	if (!f)
		return -errno;
	n = fscanf(f, "%u:%u", &maj, &min);
	fclose(f);
	if (n != 2)
		return -EIO;
	*dev = makedev(maj, min);
	return 0;
}

static int check_partitions(const char *sysdir, const char *path, struct err *e)
{
	char part[512], mark[600], what[512];
	struct dirent *d;
	int ret = 0;
	dev_t dev = 0;
	DIR *s = opendir(sysdir);

	if (!s)
		return err_set(e, errno, "cannot read %s to find the partitions of %s", sysdir,
			       path);
	while (!ret && (d = readdir(s))) {
		if (d->d_name[0] == '.' || strlen(d->d_name) > 64)
			continue;
		snprintf(part, sizeof(part), "%s/%s", sysdir, d->d_name);
		snprintf(mark, sizeof(mark), "%s/partition", part);
		if (access(mark, F_OK))
			continue;
		snprintf(what, sizeof(what), "partition /dev/%s of %s", d->d_name, path);
		ret = sys_dev(part, &dev);
		if (ret)
			err_set(e, ret, "cannot read the device number of %s", what);
		else
			ret = check_one(dev, part, what, e);
	}
	closedir(s);
	return ret;
}

/*
 * The kernel lets one party at a time claim a block device (a mount, a holder, an O_EXCL
 * open); a claim of a partition also counts for the whole disk. Another job of ours may
 * be asking at the same moment, hence the retries.
 */
static int check_claim(const char *path, struct err *e)
{
	const struct timespec pause = {0, 20 * 1000 * 1000};

	for (int i = 0;; i++) {
		int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		if (errno != EBUSY)
			return 0; /* what cannot be opened cannot be harmed: the job will say why */
		if (i == 10)
			return err_set(
				e, EBUSY,
				"%s is in use by the kernel or another program (a mount in another "
				"namespace, an external journal, a pool or array member, a virtual "
				"machine): release it first",
				path);
		nanosleep(&pause, NULL);
	}
}

int safety_check_device(dev_t dev, const char *path, struct err *e)
{
	char sysdir[64];
	int ret;

	snprintf(sysdir, sizeof(sysdir), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	if (access(sysdir, F_OK))
		return err_set(
			e, errno,
			"cannot find %s in sysfs (%s), so there is no telling whether it is in use",
			path, sysdir);
	ret = check_one(dev, sysdir, path, e);
	if (!ret)
		ret = check_partitions(sysdir, path, e);
	if (!ret)
		ret = check_claim(path, e);
	return ret;
}
