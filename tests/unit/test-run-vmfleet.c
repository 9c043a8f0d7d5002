// SPDX-License-Identifier: GPL-2.0-only
/*
 * VMFleet's names: which are meant as such, what each letter becomes, and that what is
 * no name is refused whatever it is.
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
#include "scripts/fiopack/vmfleet.h"

static struct paper *paper_of(const char *name, struct fault *f)
{
	char copy[128];
	char *names[] = {copy};

	snprintf(copy, sizeof(copy), "%s", name);
	return vmfleet_paper(names, 1, f);
}

static void names_are_told_from_papers(void **state)
{
	static const char *const meant[] = {
		"B8-T4-O16-W30-PR", "b8t4o16w30pr", "b8", "T4-O16", "B-8", "x-O16", "W999"};
	static const char *const not [] = {
		"r640", "azs216", "r640/B4-T2-O32-W0-PR", "nosuchpaper", "", "-", "block", "4k"};

	(void)state;
	for (size_t i = 0; i < sizeof(meant) / sizeof(meant[0]); i++) {
		if (!vmfleet_is_meant("/nosuch", meant[i]))
			fail_msg("%s is no name", meant[i]);
	}
	for (size_t i = 0; i < sizeof(not ) / sizeof(not [0]); i++) {
		if (vmfleet_is_meant("/nosuch", not [i]))
			fail_msg("%s is a name", not [i]);
	}
}

static void letters_become_a_profile(void **state)
{
	struct fault f = {""};
	struct paper *p = paper_of("B64t2O3-w25-PSIiops400", &f);
	const struct paper_profile *pr;

	(void)state;
	if (!p)
		fail_msg("%s", f.text);
	assert_int_equal(p->n_profiles, 1);
	assert_int_equal(p->n_figures, 0);
	assert_non_null(p->text);
	pr = &p->profiles[0];
	assert_string_equal(pr->id, "B64-T2-O3-W25-PSI-IOPS400");
	assert_int_equal(pr->block_bytes, 65536);
	assert_int_equal(pr->threads, 2);
	assert_int_equal(pr->outstanding, 3);
	assert_int_equal(pr->write_percent, 25);
	assert_int_equal(pr->pattern, PATTERN_INTERLOCKED);
	assert_int_equal(pr->rate_iops, 400);
	paper_free(p);
}

/* The job is one that fio reads, with the options of the letters. */
static void the_job_is_a_profile(void **state)
{
	static const struct {
		const char *name, *rw, *writes, *numjobs, *iodepth, *map, *rate;
	} cases[] = {
		{"B4-T2-O32-W0-PR", "randread", NULL, "2", "32", "1", NULL},
		{"B4-T2-O32-W100-PR", "randwrite", NULL, "2", "32", "1", NULL},
		{"B4-T2-O32-W1-PR", "randrw", "1", "2", "32", "1", NULL},
		{"B4-T2-O32-W0-PS", "read", NULL, "2", "32", NULL, NULL},
		{"B4-T2-O32-W99-PS", "rw", "99", "2", "32", NULL, NULL},
		{"B4-T2-O32-W100-PSI", "write", NULL, "1", "64", NULL, NULL},
		{"B4-T2-O32-W0-PR-IOPS7", "randread", NULL, "2", "32", "1", "7"},
		/* both threads in one job: so is what they hold back to */
		{"B4-T2-O32-W0-PSI-IOPS7", "read", NULL, "1", "64", NULL, "14"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct jobfile_parts parts;
		struct fault f = {""};
		struct paper *p = paper_of(cases[i].name, &f);
		const struct jobfile *j;
		char *name;
		FILE *in;

		assert_non_null(p);
		in = paper_open_job(p, &p->profiles[0], &name, &f);
		assert_non_null(in);
		assert_int_equal(jobfile_read(&parts, in, name, &f), 0);
		assert_int_equal(parts.n, 1);
		j = &parts.list[0];
		assert_string_equal(j->section, cases[i].name);
		assert_string_equal(jobfile_get(j, "rw"), cases[i].rw);
		assert_string_equal(jobfile_get(j, "bs"), "4k");
		assert_string_equal(jobfile_get(j, "numjobs"), cases[i].numjobs);
		assert_string_equal(jobfile_get(j, "iodepth"), cases[i].iodepth);
		assert_int_equal(!jobfile_get(j, "rwmixwrite"), !cases[i].writes);
		if (cases[i].writes)
			assert_string_equal(jobfile_get(j, "rwmixwrite"), cases[i].writes);
		assert_int_equal(!jobfile_get(j, "norandommap"), !cases[i].map);
		assert_int_equal(!jobfile_get(j, "rate_iops"), !cases[i].rate);
		if (cases[i].rate)
			assert_string_equal(jobfile_get(j, "rate_iops"), cases[i].rate);
		jobfile_free_parts(&parts);
		fclose(in);
		free(name);
		paper_free(p);
	}
}

static void names_are_there_once(void **state)
{
	char a[] = "b4t1o1w0pr", b[] = "B8-T1-O1-W0-PR", c[] = "B4-T1-O1-W0-PR";
	char *names[] = {a, b, c};
	struct fault f = {""};
	struct paper *p = vmfleet_paper(names, 3, &f);

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->n_profiles, 2);
	assert_string_equal(p->profiles[0].id, "B4-T1-O1-W0-PR");
	assert_string_equal(p->profiles[1].id, "B8-T1-O1-W0-PR");
	paper_free(p);
}

/* Every beginning of a name, and every name with one character replaced. */
static void what_is_no_name_is_refused(void **state)
{
	static const char good[] = "B8-T4-O16-W30-PSI-IOPS75", replaced[] = "x-9 %P\x80";
	char text[sizeof(good)];

	(void)state;
	for (size_t len = 0; len + 1 < sizeof(good); len++) {
		for (size_t k = 0; k < sizeof(replaced); k++) {
			struct fault f = {""};
			struct paper *p;

			memcpy(text, good, sizeof(good));
			text[len] = replaced[k]; /* the last is the NUL */
			p = paper_of(text, &f);
			/* either a paper or one sentence that names what was given */
			assert_int_equal(!p, f.text[0] != '\0');
			if (!p && strncmp(f.text + 1, text, strlen(text)))
				fail_msg("%s: %s", text, f.text);
			paper_free(p);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_told_from_papers),
		cmocka_unit_test(letters_become_a_profile),
		cmocka_unit_test(the_job_is_a_profile),
		cmocka_unit_test(names_are_there_once),
		cmocka_unit_test(what_is_no_name_is_refused),
	};

	return cmocka_run_group_tests_name("vmfleet", tests, NULL, NULL);
}
