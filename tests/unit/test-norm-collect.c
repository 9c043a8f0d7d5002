// SPDX-License-Identifier: GPL-2.0-only
/*
 * collect.c: which documents are states of one run and which are repeats, which
 * jobs are VMs of one profile, and how many I/Os the options kept in flight.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "scripts/normalize/collect.h"

static FILE *begin(char *path)
{
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	assert_non_null(file);
	return file;
}

/* A document with one job that has done `ios` I/Os, printed at `ms` after `elapsed` seconds. */
static void put(FILE *file, const char *name, unsigned int ms, unsigned int elapsed,
		unsigned int ios)
{
	fprintf(file,
		"{ \"fio version\": \"fio-3.33\", \"timestamp_ms\": %u, \"jobs\": [ { "
		"\"jobname\": \"%s\", \"elapsed\": %u, \"read\": { \"total_ios\": %u, "
		"\"io_bytes\": %u, \"iops\": 1, \"runtime\": 1000 } } ] }\n",
		1000000 + ms, name, elapsed, ios, ios);
}

static size_t repeats_of_two(unsigned int ms, unsigned int elapsed, unsigned int ios,
			     const char *name)
{
	char path[] = "/tmp/test-norm-collect.XXXXXX";
	FILE *file = begin(path);
	struct collect c = {0};
	struct fault f = {""};
	size_t n;

	put(file, "a", 0, 5, 100);
	put(file, name, ms, elapsed, ios);
	fclose(file);
	assert_int_equal(collect_file(&c, path, NULL, &f), 0);
	collect_finish(&c);
	n = collect_find(&c, "a")->series.n;
	collect_free(&c);
	unlink(path);
	return n;
}

static void states_and_repeats(void **state)
{
	(void)state;
	/* the clock and the elapsed time went on together */
	assert_int_equal(repeats_of_two(3000, 8, 200, "a"), 1);
	assert_int_equal(repeats_of_two(3900, 8, 200, "a"), 1);
	assert_int_equal(repeats_of_two(0, 5, 100, "a"), 1);
	/* the elapsed time began again */
	assert_int_equal(repeats_of_two(5200, 5, 100, "a"), 2);
	assert_int_equal(repeats_of_two(8200, 8, 200, "a"), 2);
	/* fewer I/Os than before, or other jobs */
	assert_int_equal(repeats_of_two(3000, 8, 99, "a"), 2);
	assert_int_equal(repeats_of_two(3000, 8, 200, "b"), 1);
}

static const char *const all_vms[] = {"x.vm1", "x.vm2"};

static void vms_are_added_once(void **state)
{
	struct collect c = {0};
	struct fault f = {""};
	const struct collect_group *g;
	double mean = 0;

	(void)state;
	/* two runs of two VMs, each VM's results in a file of its own */
	for (size_t vm = 0; vm < 2; vm++) {
		char path[] = "/tmp/test-norm-collect.XXXXXX";
		FILE *file = begin(path);

		put(file, all_vms[vm], 0, 5, 100);
		put(file, all_vms[vm], 9000, 5, 100);
		fclose(file);
		assert_int_equal(collect_file(&c, path, NULL, &f), 0);
		unlink(path);
	}
	collect_finish(&c);
	assert_int_equal(c.n_groups, 1);
	g = collect_find(&c, "x");
	assert_non_null(g);
	assert_int_equal(g->series.n, 2);
	assert_true(spread_mean(&g->series.io[DIRECTION_READ].iops, &mean));
	assert_true(mean == 2);
	collect_free(&c);
}

static uint64_t in_flight_of(const char *jobs)
{
	char path[] = "/tmp/test-norm-collect.XXXXXX";
	FILE *file = begin(path);
	struct collect c = {0};
	struct fault f = {""};
	uint64_t in_flight;

	fprintf(file, "{ \"fio version\": \"fio-3.33\", \"jobs\": [ %s ] }", jobs);
	fclose(file);
	assert_int_equal(collect_file(&c, path, "all", &f), 0);
	collect_finish(&c);
	in_flight = collect_find(&c, "all")->series.in_flight;
	collect_free(&c);
	unlink(path);
	return in_flight;
}

#define JOB(name, options) "{ \"jobname\": \"" name "\", \"job options\": { " options " } }"
#define D8N2		   "\"iodepth\": \"8\", \"numjobs\": \"2\""

static void depth(void **state)
{
	(void)state;
	/* one entry for both jobs, one for each, two sections */
	assert_int_equal(in_flight_of(JOB("a", D8N2)), 16);
	assert_int_equal(in_flight_of(JOB("a", D8N2) "," JOB("a", D8N2)), 16);
	assert_int_equal(in_flight_of(JOB("a", D8N2) "," JOB("b", D8N2)), 32);
	assert_int_equal(in_flight_of(JOB("a", D8N2 ", \"ioengine\": \"psync\"")), 2);
	assert_int_equal(in_flight_of(JOB("a", "")), 1);
}

static void failure_is_worded(void **state)
{
	struct collect c = {0};
	struct fault f = {""};

	(void)state;
	assert_int_equal(collect_file(&c, "/nonexistent/file", NULL, &f), -1);
	assert_string_equal(f.text, "/nonexistent/file: No such file or directory");
	collect_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_and_repeats),
		cmocka_unit_test(vms_are_added_once),
		cmocka_unit_test(depth),
		cmocka_unit_test(failure_is_worded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
