// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns finding and ending processes that a fio of ours left behind. fio's jobs are
 * processes in sessions of their own unless the job file says thread: neither a
 * process group nor a death signal reaches them when fio is killed outright. What
 * they do inherit is the environment, so that is where they are marked.
 */
#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "strays.h"

/* How long a killed process may take to go: it may be in a system call on a slow device. */
#define PATIENCE_S 10
#define STEP_NS	   (50 * 1000 * 1000)

/* Is "name=value" a member of a process's environment? */
static bool is_marked(long pid, const char *mark)
{
	char *path = mem_printf("/proc/%ld/environ", pid), *member = NULL;
	FILE *in = fopen(path, "re");
	bool found = false;
	size_t cap = 0;

	while (in && !found && getdelim(&member, &cap, '\0', in) > 0)
		found = !strcmp(member, mark);
	if (in)
		fclose(in);
	free(member);
	free(path);
	return found;
}

/* The descriptor is of the process that was looked at, whoever gets its number next. */
static bool end_marked(long pid, const char *mark)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	bool marked = is_marked(pid, mark);

	if (marked && (fd < 0 || syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0)))
		kill((pid_t)pid, SIGKILL); /* before Linux 5.3 */
	if (fd >= 0)
		close(fd);
	return marked;
}

/* One of those that are still there, or 0. */
static long end_all(const char *mark)
{
	DIR *d = opendir("/proc");
	struct dirent *e;
	long last = 0;

	while (d && (e = readdir(d))) {
		long pid = isdigit((unsigned char)e->d_name[0]) ? strtol(e->d_name, NULL, 10) : 0;

		if (pid && pid != (long)getpid() && end_marked(pid, mark))
			last = pid;
	}
	if (d)
		closedir(d);
	return last;
}

int strays_end(const char *root, struct fault *f)
{
	const struct timespec step = {0, STEP_NS};
	char *mark = mem_printf("%s=%s", STRAYS_MARK, root);
	long pid = end_all(mark);

	for (int i = 0; pid && i < PATIENCE_S * (1000000000 / STEP_NS); i++) {
		nanosleep(&step, NULL);
		pid = end_all(mark);
	}
	free(mark);
	return pid ? fault_set(
			     f,
			     "process %ld, left behind by a fio of this run, does not end: end it "
			     "first, it may still write to the target",
			     pid)
		   : 0;
}
