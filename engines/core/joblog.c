// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the format of engine_log and that no two jobs' objects mix. What is worth
 * saying about a job is the engines' subject.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/joblog.h"

static void put(struct joblog *j, const char *s, size_t n)
{
	char *more;

	if (j->failed)
		return;
	if (j->len + n > j->cap) {
		size_t cap = (j->len + n) * 2;

		more = realloc(j->text, cap);
		if (!more) {
			j->failed = ENOMEM;
			return;
		}
		j->text = more;
		j->cap = cap;
	}
	memcpy(j->text + j->len, s, n);
	j->len += n;
}

/* RFC 8259 section 7; bytes above 0x7f are passed on as they are. */
static void put_string(struct joblog *j, const char *s)
{
	char esc[8];

	put(j, "\"", 1);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\') {
			esc[0] = '\\';
			esc[1] = *s;
			put(j, esc, 2);
		} else if ((unsigned char)*s < 0x20) {
			put(j, esc, (size_t)snprintf(esc, sizeof(esc), "\\u%04x", *s));
		} else {
			put(j, s, 1);
		}
	}
	put(j, "\"", 1);
}

static void put_key(struct joblog *j, const char *key)
{
	put(j, j->len ? "," : "{", 1);
	put_string(j, key);
	put(j, ":", 1);
}

void joblog_string(struct joblog *j, const char *key, const char *value)
{
	put_key(j, key);
	put_string(j, value);
}

void joblog_number(struct joblog *j, const char *key, uint64_t value)
{
	char text[24];

	put_key(j, key);
	put(j, text, (size_t)snprintf(text, sizeof(text), "%" PRIu64, value));
}

void joblog_list(struct joblog *j, const char *key, const char *const *values)
{
	put_key(j, key);
	put(j, "[", 1);
	for (size_t i = 0; values[i]; i++) {
		if (i)
			put(j, ",", 1);
		put_string(j, values[i]);
	}
	put(j, "]", 1);
}

int joblog_append(struct joblog *j, const char *path, struct err *e)
{
	int fd, ret = 0;
	ssize_t n;

	put(j, j->len ? "}\n" : "{}\n", j->len ? 2 : 3);
	if (j->failed) {
		ret = err_set(e, j->failed, "no memory for engine_log=%s", path);
		goto out;
	}
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (fd < 0) {
		ret = err_set(e, errno, "cannot write engine_log=%s: %s", path, strerror(errno));
		goto out;
	}
	n = write(fd, j->text, j->len);
	if (n != (ssize_t)j->len)
		ret = err_set(e, n < 0 ? errno : ENOSPC, "cannot write all of engine_log=%s: %s",
			      path, strerror(n < 0 ? errno : ENOSPC));
	close(fd);
out:
	free(j->text);
	*j = (struct joblog){0};
	return ret;
}
