// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/safety on loop devices of scratch files that the test makes: unused, mounted
 * (by number, by source, with blanks in the path), partitioned, swap, held. What the
 * kernel here cannot do is played in a mount namespace of a child process.
 */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/safety.h"

static char dir[64];  /* scratch folder */
static char loop[64]; /* the device on it, "" when there is none */
static const char *why_not;

/* Run a shell command; true when it ends with status 0. */
static bool __attribute__((format(printf, 1, 2))) sh(const char *fmt, ...)
{
	char cmd[1024];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(cmd, sizeof(cmd), fmt, ap);
	va_end(ap);
	return n > 0 && (size_t)n < sizeof(cmd) && system(cmd) == 0;
}

static bool new_loop(char *name, size_t size, const char *file)
{
	char cmd[256];
	FILE *p;
	bool got;

	name[0] = '\0';
	snprintf(cmd, sizeof(cmd),
		 "truncate -s 16M %s/%s && losetup --show -P -f %s/%s 2>/dev/null", dir, file, dir,
		 file);
	p = popen(cmd, "r");
	if (!p)
		return false;
	got = fgets(name, (int)size, p) != NULL;
	name[strcspn(name, "\n")] = '\0';
	return pclose(p) == 0 && got;
}

static int make_loop(void **state)
{
	(void)state;
	strcpy(dir, "/var/tmp/fiopack-test.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	if (geteuid())
		why_not = "loop devices need root";
	else if (!new_loop(loop, sizeof(loop), "disk"))
		why_not = "no loop device to be had";
	return 0;
}

static int drop_loop(void **state)
{
	(void)state;
	if (loop[0])
		sh("losetup -d %s", loop);
	return sh("rm -rf %s", dir) ? 0 : -1;
}

static void need_loop(void)
{
	if (why_not) {
		print_message("# skipped: %s\n", why_not);
		skip();
	}
}

static dev_t number(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_true(S_ISBLK(st.st_mode));
	return st.st_rdev;
}

/* The device is in use, and the sentence has all of these (NULL ends them). */
static void assert_busy(const char *path, const char *a, const char *b, const char *c)
{
	struct err e = ERR_INIT;

	assert_int_equal(safety_check_device(number(path), path, &e), -EBUSY);
	assert_int_equal(e.code, EBUSY);
	assert_non_null(strstr(e.text, a));
	if (b)
		assert_non_null(strstr(e.text, b));
	if (c)
		assert_non_null(strstr(e.text, c));
	/* nobody has to listen */
	assert_int_equal(safety_check_device(number(path), path, NULL), -EBUSY);
}

static void assert_free(const char *path)
{
	struct err e = ERR_INIT;

	assert_int_equal(safety_check_device(number(path), path, &e), 0);
	assert_string_equal(e.text, "");
}

static void unused(void **state)
{
	(void)state;
	need_loop();
	assert_free(loop);
}

static void not_in_sysfs(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(safety_check_device(makedev(4093, 77), "/dev/ghost", &e), -ENOENT);
	assert_non_null(strstr(e.text, "/dev/ghost"));
	assert_non_null(strstr(e.text, "sysfs"));
}

static void mounted(void **state)
{
	char point[128];

	(void)state;
	need_loop();
	assert_true(sh("mkfs.ext4 -q -F %s", loop));
	snprintf(point, sizeof(point), "%s/a mount\\with\tall", dir);
	assert_int_equal(mkdir(point, 0700), 0);
	if (mount(loop, point, "ext4", 0, "")) {
		print_message("# skipped: mount: %s\n", strerror(errno));
		skip();
	}
	assert_busy(loop, loop, "is mounted on", point);
	assert_int_equal(umount2(point, 0), 0);
	assert_free(loop);
}

/* btrfs shows a number of its own: the source is what tells */
static void mounted_by_source(void **state)
{
	char point[128];

	(void)state;
	need_loop();
	snprintf(point, sizeof(point), "%s/source", dir);
	assert_int_equal(mkdir(point, 0700), 0);
	if (mount(loop, point, "tmpfs", 0, "size=64k")) {
		print_message("# skipped: mount: %s\n", strerror(errno));
		skip();
	}
	assert_busy(loop, "is mounted on", point, NULL);
	assert_int_equal(umount2(point, 0), 0);
	assert_free(loop);
}

static void partition_mounted(void **state)
{
	char part[80], point[128];

	(void)state;
	need_loop();
	snprintf(part, sizeof(part), "%sp1", loop);
	if (!sh("addpart %s 1 2048 16384 2>/dev/null", loop) || access(part, F_OK)) {
		print_message("# skipped: no partitions on loop devices here\n");
		skip();
	}
	assert_free(loop); /* a partition alone is no use */
	assert_free(part);
	assert_true(sh("mkfs.ext4 -q -F %s", part));
	snprintf(point, sizeof(point), "%s/part", dir);
	assert_int_equal(mkdir(point, 0700), 0);
	assert_int_equal(mount(part, point, "ext4", 0, ""), 0);
	assert_busy(loop, part, loop, point);
	assert_busy(part, part, point, NULL);
	assert_int_equal(umount2(point, 0), 0);
	assert_true(sh("delpart %s 1", loop));
	assert_free(loop);
}

static void active_swap(void **state)
{
	(void)state;
	need_loop();
	assert_true(sh("mkswap %s >/dev/null 2>&1", loop));
	assert_free(loop);
	if (swapon(loop, 0)) {
		print_message("# skipped: swapon: %s\n", strerror(errno));
		skip();
	}
	assert_busy(loop, loop, "is active swap", NULL);
	assert_int_equal(swapoff(loop), 0);
	assert_free(loop);
}

/*
 * In a child with its own mounts, cover 'path' with an empty memory file system, make
 * 'entry' in it (a directory; NULL for none), and check. The sentence goes to 'said'.
 */
static int check_with(const char *path, const char *entry, struct err *said)
{
	int to[2], status;
	pid_t pid;

	assert_int_equal(pipe(to), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		char made[512];
		struct err e = ERR_INIT;
		dev_t dev = number(loop);

		if (unshare(CLONE_NEWNS) || mount("none", "/", "none", MS_REC | MS_PRIVATE, "") ||
		    mount("none", path, "tmpfs", 0, ""))
			_exit(77);
		if (entry) {
			snprintf(made, sizeof(made), "%s/%s", path, entry);
			if (mkdir(made, 0700))
				_exit(77);
		}
		safety_check_device(dev, loop, &e);
		_exit(write(to[1], &e, sizeof(e)) != (ssize_t)sizeof(e));
	}
	close(to[1]);
	memset(said, 0, sizeof(*said));
	assert_true(read(to[0], said, sizeof(*said)) >= 0);
	close(to[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		print_message("# skipped: no mount namespaces here\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	return said->code;
}

static void held(void **state)
{
	char holders[128];
	struct err e;
	dev_t dev;

	(void)state;
	need_loop();
	dev = number(loop);
	snprintf(holders, sizeof(holders), "/sys/dev/block/%u:%u/holders", major(dev), minor(dev));
	assert_int_equal(check_with(holders, "dm-77", &e), EBUSY);
	assert_non_null(strstr(e.text, "is held by /dev/dm-77"));
	assert_int_equal(check_with(holders, NULL, &e), 0);
}

/* What cannot be found out is no permission to write. */
static void no_way_to_know(void **state)
{
	struct err e;

	(void)state;
	need_loop();
	assert_int_equal(check_with("/proc", NULL, &e), ENOENT);
	assert_non_null(strstr(e.text, "mountinfo"));
	assert_int_equal(check_with("/sys", NULL, &e), ENOENT);
	assert_non_null(strstr(e.text, "sysfs"));
}

/* What only the kernel knows of: here another program's claim. */
static void claimed(void **state)
{
	int fd;

	(void)state;
	need_loop();
	fd = open(loop, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_busy(loop, loop, "in use by the kernel or another program", NULL);
	close(fd);
	assert_free(loop);
}

/* A real device mapper, where the kernel has one. */
static void held_by_device_mapper(void **state)
{
	(void)state;
	need_loop();
	if (!sh("dmsetup create fiopack-unit-%d --table '0 16384 linear %s 0' >/dev/null 2>&1",
		(int)getpid(), loop)) {
		print_message("# skipped: no device mapper here\n");
		skip();
	}
	assert_busy(loop, "is held by /dev/dm-", loop, NULL);
	assert_true(sh("dmsetup remove fiopack-unit-%d", (int)getpid()));
	assert_free(loop);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unused),
		cmocka_unit_test(not_in_sysfs),
		cmocka_unit_test(mounted),
		cmocka_unit_test(mounted_by_source),
		cmocka_unit_test(partition_mounted),
		cmocka_unit_test(active_swap),
		cmocka_unit_test(held),
		cmocka_unit_test(no_way_to_know),
		cmocka_unit_test(claimed),
		cmocka_unit_test(held_by_device_mapper),
	};

	return cmocka_run_group_tests_name("safety", tests, make_loop, drop_loop);
}
