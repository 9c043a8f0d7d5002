// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns child processes and the signals around them. fio runs in a process group of
 * its own, so that Ctrl-C reaches it once, from us, and its results are complete
 * or gone, never half there.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "spawn.h"

/* How much of a short-lived program's output is kept. */
#define OUTPUT_MAX ((size_t)64 << 10)

/* How long fio may take to write its results after SIGINT before it is killed. */
#define GRACE_S 30

static bool interrupted;
static sigset_t before, watched;

void spawn_prepare(void)
{
	sigemptyset(&watched);
	sigaddset(&watched, SIGCHLD);
	sigaddset(&watched, SIGINT);
	sigaddset(&watched, SIGTERM);
	sigaddset(&watched, SIGHUP);
	sigprocmask(SIG_BLOCK, &watched, &before);
	/* a file over ulimit -f is then an error with a sentence, for us and for fio */
	signal(SIGXFSZ, SIG_IGN);
}

bool spawn_interrupted(void)
{
	struct timespec none = {0, 0};
	sigset_t stop = watched;
	int sig;

	sigdelset(&stop, SIGCHLD);
	sig = sigtimedwait(&stop, NULL, &none);
	if (sig > 0)
		interrupted = true;
	return interrupted;
}

static void child(const struct spawn *s, pid_t parent, int report)
{
	int log =
		chdir(s->dir) ? -1 : open(s->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	int null = log < 0 ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
	int code = errno; /* of the first that failed */

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM); /* no fio is left behind when we are killed */
	if (getppid() != parent)
		_exit(127); /* we were, before that */
	for (size_t i = 0; s->env && s->env[i]; i += 2)
		setenv(s->env[i], s->env[i + 1], 1);
	if (s->keep)
		fcntl(s->keep, F_SETFD, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (null >= 0) {
		if (dup2(null, 0) >= 0 && dup2(log, 1) >= 0 && dup2(log, 2) >= 0)
			execv(s->argv[0], (char *const *)s->argv);
		code = errno;
	}
	if (write(report, &code, sizeof(code)) != (ssize_t)sizeof(code))
		_exit(126);
	_exit(127);
}

static time_t now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static int exit_code(int status)
{
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Wait for the child, ending it when asked to. */
static enum spawn_end watch(const struct spawn *s, pid_t pid, int *status)
{
	enum spawn_end end = SPAWN_EXITED;
	time_t start = now_s(), stopped = 0;
	int raw;

	for (;;) {
		struct timespec second = {1, 0};
		int sig = sigtimedwait(&watched, NULL, &second);
		time_t t = now_s();

		/* also when the child has ended just now: the request is for what follows then */
		if (sig == SIGINT || sig == SIGTERM || sig == SIGHUP)
			interrupted = true;
		if (waitpid(pid, &raw, WNOHANG) == pid) {
			*status = exit_code(raw);
			return end;
		}
		if (interrupted) {
			end = SPAWN_INTERRUPTED;
		} else if (end == SPAWN_EXITED && s->limit_s && t - start > (time_t)s->limit_s) {
			end = SPAWN_TIMED_OUT;
		}
		if (end != SPAWN_EXITED && !stopped) {
			stopped = t;
			kill(-pid, SIGINT);
		} else if (stopped && t - stopped > GRACE_S) {
			kill(-pid, SIGKILL);
		}
		if (s->tick && end == SPAWN_EXITED)
			s->tick(s->arg, (unsigned int)(t - start));
	}
}

enum spawn_end spawn_run(const struct spawn *s, int *status, struct fault *f)
{
	pid_t pid, self = getpid();
	int report[2], code = 0;

	*status = 0;
	if (pipe2(report, O_CLOEXEC)) {
		fault_set(f, "cannot start %s: %s", s->argv[0], strerror(errno));
		return SPAWN_FAILED;
	}
	pid = fork();
	if (pid < 0) {
		fault_set(f, "cannot start %s: %s", s->argv[0], strerror(errno));
		close(report[0]);
		close(report[1]);
		return SPAWN_FAILED;
	}
	if (!pid)
		child(s, self, report[1]);
	setpgid(pid, pid); /* both sides set it, whoever comes first */
	close(report[1]);
	/* the pipe closes on a good exec; until then it may carry the reason of a bad one */
	if (read(report[0], &code, sizeof(code)) == (ssize_t)sizeof(code)) {
		close(report[0]);
		waitpid(pid, NULL, 0);
		fault_set(f, "cannot run %s: %s", s->argv[0], strerror(code));
		return SPAWN_FAILED;
	}
	close(report[0]);
	return watch(s, pid, status);
}

char *spawn_output(const char *const *argv, int *status)
{
	char *text = mem_new(OUTPUT_MAX + 1, 1);
	size_t len = 0;
	int out[2], raw = 0;
	ssize_t n;
	pid_t pid;

	*status = 127;
	if (pipe2(out, O_CLOEXEC))
		return text;
	pid = fork();
	if (!pid) {
		if (dup2(out[1], STDOUT_FILENO) >= 0 && dup2(out[1], STDERR_FILENO) >= 0)
			execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(out[1]);
	/* read to the end even when there is no room left, so that the program is not cut off */
	while (pid > 0) {
		char rest[4096];
		bool room = len < OUTPUT_MAX;

		n = room ? read(out[0], text + len, OUTPUT_MAX - len)
			 : read(out[0], rest, sizeof(rest));
		if (n > 0)
			len += room ? (size_t)n : 0;
		else if (!n || errno != EINTR)
			break;
	}
	close(out[0]);
	if (pid > 0 && waitpid(pid, &raw, 0) == pid)
		*status = exit_code(raw);
	return text;
}
