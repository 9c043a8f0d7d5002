// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of job files: what is read from a profile, replaced, refused and written
 * back, and how paths that fio would misread are escaped.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "scripts/fiopack/jobfile.h"

/* Reads `text` as a profile of the name "p". */
static int read_text(struct jobfile_parts *parts, const char *text, struct fault *f)
{
	FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int ret;

	assert_non_null(in);
	ret = jobfile_read(parts, in, "p", f);
	fclose(in);
	return ret;
}

static void merges_global_and_section(void **state)
{
	struct jobfile_parts parts;
	struct fault f = {""};
	struct jobfile *j;

	(void)state;
	assert_int_equal(
		read_text(&parts,
			  "# head\n; more\n\n[global]\nblocksize=8k\n thread \n iodepth = 4\n"
			  "[x]\nbs=4k\nrw=randread\n",
			  &f),
		0);
	assert_int_equal(parts.n, 1);
	j = &parts.list[0];
	assert_string_equal(j->section, "x");
	assert_string_equal(jobfile_get(j, "bs"), "4k");
	assert_string_equal(jobfile_get(j, "blocksize"), "4k");
	assert_string_equal(jobfile_get(j, "thread"), "");
	assert_int_equal(jobfile_number(j, "iodepth", 1), 4);
	assert_int_equal(jobfile_number(j, "numjobs", 7), 7);
	assert_int_equal(jobfile_number(j, "bs", 1), 0);
	assert_null(jobfile_get(j, "size"));
	assert_int_equal(j->n, 4);
	jobfile_free_parts(&parts);
}

/* Each section has [global]'s options, and none of another section's. */
static void keeps_sections_apart(void **state)
{
	struct jobfile_parts parts;
	struct fault f = {""};
	struct jobfile common;
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	(void)state;
	assert_int_equal(read_text(&parts,
				   "[global]\nbs=8k\nthread\ndirect=1\n[a]\nrw=read\nrate_iops=6\n"
				   "[b]\nrw=write\nbs=4k\nthread=1\n",
				   &f),
			 0);
	assert_int_equal(parts.n, 2);
	assert_string_equal(parts.list[0].section, "a");
	assert_string_equal(jobfile_get(&parts.list[0], "rw"), "read");
	assert_string_equal(jobfile_get(&parts.list[0], "bs"), "8k");
	assert_string_equal(jobfile_get(&parts.list[1], "rw"), "write");
	assert_string_equal(jobfile_get(&parts.list[1], "bs"), "4k");
	assert_null(jobfile_get(&parts.list[1], "rate_iops"));

	/* what is common is what is there in both, with the same value or none in both */
	jobfile_copy(&common, &parts.list[0]);
	jobfile_keep_common(&common, &parts.list[1]);
	assert_int_equal(common.n, 1);
	assert_string_equal(jobfile_get(&common, "direct"), "1");
	out = open_memstream(&text, &size);
	assert_non_null(out);
	jobfile_print(&parts.list[1], &common, out);
	fclose(out);
	assert_string_equal(text, "bs=4k\nthread=1\nrw=write\n");
	free(text);
	jobfile_free(&common);
	jobfile_free_parts(&parts);
}

static void refuses_what_is_no_profile(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"rw=read\n", "no job section"},
		{"[a]\nbs=4k\n", "does not say rw="},
		{"[a]\nrw=read\n[b]\nbs=4k\n", "section [b] does not say rw="},
		{"[a]\nrw=read\n[a]\nrw=write\n", "line 3: section [a] is there twice"},
		{"[a]\nrw=read\n[global]\nbs=4k\n", "line 3: [global] has to come first"},
		{"[a\nrw=read\n", "line 1: a section without"},
		{"[a]\nrw=read\nioengine=psync\n", "does not set ioengine"},
		{"[a]\nrw=read\nfilename=/x\n", "does not set filename"},
		{"[a]\ninclude other.fio\n", "include is not possible"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jobfile_parts parts;
		struct fault f = {""};

		assert_int_equal(read_text(&parts, cases[i].text, &f), -1);
		if (!strstr(f.text, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", f.text, cases[i].says);
		jobfile_free_parts(&parts);
	}
}

static void sets_and_removes(void **state)
{
	struct jobfile j = {0}, copy;

	(void)state;
	jobfile_set(&j, "a", "1");
	jobfile_set(&j, "b", NULL);
	jobfile_set(&j, "c", "3");
	jobfile_set(&j, "a", jobfile_get(&j, "a")); /* its own value */
	jobfile_copy(&copy, &j);
	jobfile_remove(&j, "b");
	jobfile_remove(&j, "nosuch");
	assert_int_equal(j.n, 2);
	assert_string_equal(jobfile_get(&j, "c"), "3");
	assert_int_equal(copy.n, 3);
	assert_string_equal(jobfile_get(&copy, "a"), "1");
	jobfile_free(&j);
	jobfile_free(&copy);
}

static void knows_what_changes_a_target(void **state)
{
	static const char *const changes[] = {"write",	"randwrite", "rw",	 "readwrite",
					      "randrw", "trim",	     "randtrim", "trimwrite"};
	static const char *const reads[] = {"read", "randread"};

	(void)state;
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct jobfile j = {0};

		jobfile_set(&j, "rw", changes[i]);
		assert_true(jobfile_changes_target(&j));
		/* of these, the mixes read too: rw, readwrite, randrw */
		assert_int_equal(jobfile_reads_target(&j) != 0, i >= 2 && i <= 4);
		jobfile_free(&j);
	}
	for (size_t i = 0; i < sizeof(reads) / sizeof(reads[0]); i++) {
		struct jobfile j = {0};

		jobfile_set(&j, "rw", reads[i]);
		assert_false(jobfile_changes_target(&j));
		assert_true(jobfile_reads_target(&j));
		jobfile_free(&j);
	}
}

static void escapes_paths(void **state)
{
	struct fault f = {""};
	char *text = NULL;
	size_t size = 0;
	FILE *out;

	(void)state;
	out = open_memstream(&text, &size);
	assert_non_null(out);
	assert_int_equal(jobfile_print_path(out, "filename", "/dev/disk/by-path/pci-0:1\\x y", &f),
			 0);
	fclose(out);
	assert_string_equal(text, "filename=/dev/disk/by-path/pci-0\\:1\\\\x y\n");
	free(text);
}

/* A path that fio would cut short is another file than the one that was checked. */
static void refuses_what_fio_would_misread(void **state)
{
	static const char *const bad[] = {"/tmp/$HOME", "/tmp/a#b",  "/tmp/a;b",  "/tmp/a ",
					  " /tmp/a",	"/tmp/a\nb", "/tmp/a\tb", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct fault f = {""};

		assert_non_null(jobfile_problem(bad[i]));
		assert_int_equal(jobfile_print_path(stdout, "filename", bad[i], &f), -1);
		assert_non_null(strstr(f.text, "job file"));
	}
	assert_null(jobfile_problem("/tmp/a b,c:d\\e=f%g'h\"i"));
}

static void reads_sizes(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{"4096", 4096},
		{"33554432", 33554432},
		{"16k", 16 << 10},
		{"512M", (uint64_t)512 << 20},
		{"10g", (uint64_t)10 << 30},
		{"4T", (uint64_t)4 << 40},
		{"9223372036854775807", INT64_MAX},
		{"9223372036854775808", 0},
		{"8388608t", 0},
		{"99999999999g", 0},
		{"-1g", 0},
		{" 1g", 0},
		{"1gb", 0},
		{"10q", 0},
		{"g", 0},
		{"", 0},
		{"80%", 0},
		{"0", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (jobfile_size(cases[i].text) != cases[i].bytes)
			fail_msg("\"%s\" is not %llu", cases[i].text,
				 (unsigned long long)cases[i].bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(merges_global_and_section),
		cmocka_unit_test(keeps_sections_apart),
		cmocka_unit_test(refuses_what_is_no_profile),
		cmocka_unit_test(sets_and_removes),
		cmocka_unit_test(knows_what_changes_a_target),
		cmocka_unit_test(escapes_paths),
		cmocka_unit_test(reads_sizes),
		cmocka_unit_test(refuses_what_fio_would_misread),
	};

	return cmocka_run_group_tests_name("jobfile", tests, NULL, NULL);
}
