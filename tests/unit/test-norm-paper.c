// SPDX-License-Identifier: GPL-2.0-only
/*
 * paper.c and paper_read.c: every paper in profiles/ can be read and is complete:
 * the job files are there, each figure is in a table. Broken papers are in
 * tests/data/normalize/invalid.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "scripts/normalize/paper.h"

/* From the root of the sources, where tests run; SRC says so when they run elsewhere. */
static const char *profiles_dir(void)
{
	static char dir[4096];
	const char *src = getenv("SRC");

	snprintf(dir, sizeof(dir), "%s/profiles", src ? src : ".");
	return dir;
}

static bool is_shown(const struct paper *p, const struct paper_figure *f)
{
	for (size_t t = 0; t < p->n_tables; t++)
		for (size_t r = 0; r < p->tables[t].n_rows; r++)
			for (size_t i = 0; i < p->tables[t].rows[r].n_cells; i++) {
				const struct paper_row *row = &p->tables[t].rows[r];

				if (row->profile == f->profile &&
				    row->cells[i].metric == f->metric &&
				    row->cells[i].direction == f->direction)
					return true;
			}
	return false;
}

static void check_paper(const struct paper *p)
{
	for (size_t i = 0; i < p->n_profiles; i++) {
		char path[8192];

		snprintf(path, sizeof(path), "%s/%s", p->dir, p->profiles[i].file);
		if (access(path, R_OK))
			fail_msg("%s is not there", path);
	}
	for (size_t i = 0; i < p->n_figures; i++)
		if (!is_shown(p, &p->figures[i]))
			fail_msg("%s: figure %zu is in no table", p->id, i);
}

static void all_papers(void **state)
{
	struct fault f = {""};
	char **ids = NULL;
	size_t n = 0;

	(void)state;
	assert_int_equal(paper_list(profiles_dir(), &ids, &n, &f), 0);
	assert_true(n > 0);
	for (size_t i = 0; i < n; i++) {
		struct paper *p = paper_load(profiles_dir(), ids[i], &f);

		if (!p)
			fail_msg("%s", f.text);
		check_paper(p);
		paper_free(p);
	}
	paper_free_list(ids, n);
}

static void r640(void **state)
{
	struct fault f = {""};
	struct paper *p = paper_load(profiles_dir(), "r640", &f);
	const struct paper_profile *profile;
	const struct paper_figure *figure;

	(void)state;
	assert_non_null(p);
	assert_int_equal(p->n_profiles, 4);
	assert_int_equal(p->n_figures, 6);
	profile = paper_find_profile(p, "B4-T2-O32-W0-PR");
	assert_non_null(profile);
	assert_int_equal(profile->threads * profile->outstanding, 64);
	figure = paper_find_figure(p, profile, &p->scenarios[0],
				   (struct paper_cell){METRIC_IOPS, DIRECTION_READ});
	assert_non_null(figure);
	assert_true(figure->value == 2953095);
	figure = paper_find_figure(p, profile, &p->scenarios[0],
				   (struct paper_cell){METRIC_LATENCY_MEAN, DIRECTION_READ});
	assert_non_null(figure);
	assert_true(figure->value == 242e3);
	assert_false(figure->comparable);
	assert_null(paper_find_profile(p, "B4"));
	assert_null(paper_find_scenario(p, "none"));
	paper_free(p);
}

static void where_papers_are(void **state)
{
	struct fault f = {""};
	char **ids;
	size_t n;

	(void)state;
	setenv("FIOPACK_PROFILES", "/from/env", 1);
	assert_string_equal(paper_profiles_dir("/given"), "/given");
	assert_string_equal(paper_profiles_dir(NULL), "/from/env");
	setenv("FIOPACK_PROFILES", "", 1);
	assert_string_not_equal(paper_profiles_dir(NULL), "");
	unsetenv("FIOPACK_PROFILES");
	assert_int_equal(paper_list("/nonexistent", &ids, &n, &f), -1);
	assert_non_null(strstr(f.text, "/nonexistent: No such file"));
	assert_null(paper_load("/nonexistent", "../x", &f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_papers),
		cmocka_unit_test(r640),
		cmocka_unit_test(where_papers_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
