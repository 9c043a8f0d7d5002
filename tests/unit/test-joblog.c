// SPDX-License-Identifier: GPL-2.0-only
/*
 * The objects of engine_log: escaping, one write per object, and what happens when the
 * file cannot be written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/joblog.h"

static char path[] = "/tmp/fiopack-unit.XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* The file's contents; static. */
static const char *contents(void)
{
	static char text[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void writes_whole_objects(void **state)
{
	const char *const flags[] = {"A", "B", NULL}, *const none[] = {NULL};
	struct joblog j = {0};
	struct err e = ERR_INIT;

	(void)state;
	joblog_string(&j, "name", "a\"b\\c\n\x01\xc3\xa4");
	joblog_number(&j, "most", UINT64_MAX);
	joblog_list(&j, "flags", flags);
	joblog_list(&j, "none", none);
	assert_int_equal(joblog_append(&j, path, &e), 0);
	assert_null(j.text);
	joblog_number(&j, "second", 0);
	assert_int_equal(joblog_append(&j, path, &e), 0);
	assert_int_equal(joblog_append(&j, path, &e), 0); /* an empty object */
	assert_string_equal(contents(),
			    "{\"name\":\"a\\\"b\\\\c\\u000a\\u0001\xc3\xa4\","
			    "\"most\":18446744073709551615,\"flags\":[\"A\",\"B\"],\"none\":[]}\n"
			    "{\"second\":0}\n{}\n");
	assert_int_equal(e.code, 0);
}

static void says_what_failed(void **state)
{
	struct joblog j = {0};
	struct err e = ERR_INIT;

	(void)state;
	joblog_number(&j, "a", 1);
	assert_int_equal(joblog_append(&j, "/nosuch/folder/log", &e), -ENOENT);
	assert_null(j.text);
	assert_non_null(strstr(e.text, "engine_log=/nosuch/folder/log"));
	e = (struct err)ERR_INIT;
	joblog_number(&j, "a", 1);
	assert_int_equal(joblog_append(&j, "/dev/full", &e), -ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_whole_objects),
		cmocka_unit_test(says_what_failed),
	};

	return cmocka_run_group_tests_name("joblog", tests, make_file, remove_file);
}
