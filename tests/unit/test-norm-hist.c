// SPDX-License-Identifier: GPL-2.0-only
/*
 * hist.c: bins stay sorted, merging is the sum by key, percentiles are where
 * the running count reaches the share. What fio prints for the same bins is
 * checked in tests/normalize/merge.t.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scripts/normalize/hist.h"

static void set_keeps_order(void **state)
{
	struct hist h = {0};

	(void)state;
	hist_set(&h, 30, 3);
	hist_set(&h, 10, 1);
	hist_set(&h, 20, 2);
	hist_set(&h, 10, 7); /* a key given twice: the last counts */
	assert_int_equal(h.n, 3);
	for (size_t i = 1; i < h.n; i++)
		assert_true(h.bins[i - 1].key < h.bins[i].key);
	assert_int_equal(h.bins[0].count, 7);
	assert_int_equal(hist_total(&h), 12);
	hist_free(&h);
}

/* All ways in which keys of two histograms can interleave, against a plain array. */
static void merge_is_sum_by_key(void **state)
{
	(void)state;
	for (unsigned int a = 0; a < 64; a++) {
		for (unsigned int b = 0; b < 64; b++) {
			struct hist dst = {0}, src = {0};
			size_t n = 0;

			for (unsigned int k = 0; k < 6; k++) {
				if (a >> k & 1)
					hist_set(&dst, k, 1);
				if (b >> k & 1)
					hist_set(&src, k, 10);
			}
			hist_merge(&dst, &src);
			for (unsigned int k = 0; k < 6; k++) {
				uint64_t want = (a >> k & 1) + 10 * (b >> k & 1);

				if (!want)
					continue;
				assert_int_equal(dst.bins[n].key, k);
				assert_int_equal(dst.bins[n++].count, want);
			}
			assert_int_equal(dst.n, n);
			hist_free(&dst);
			hist_free(&src);
		}
	}
}

static void percentile_of_few(void **state)
{
	struct hist h = {0};
	uint64_t ns = 0;

	(void)state;
	assert_false(hist_percentile(&h, 50, &ns));
	hist_set(&h, 5, 0); /* an empty bin is no answer */
	assert_false(hist_percentile(&h, 50, &ns));
	hist_set(&h, 10, 50);
	hist_set(&h, 20, 49);
	hist_set(&h, 30, 1);
	assert_true(hist_percentile(&h, 0.01, &ns));
	assert_int_equal(ns, 10);
	assert_true(hist_percentile(&h, 50, &ns));
	assert_int_equal(ns, 10);
	assert_true(hist_percentile(&h, 50.1, &ns));
	assert_int_equal(ns, 20);
	assert_true(hist_percentile(&h, 99, &ns));
	assert_int_equal(ns, 20);
	assert_true(hist_percentile(&h, 100, &ns));
	assert_int_equal(ns, 30);
	hist_free(&h);
}

static void counts_do_not_wrap(void **state)
{
	struct hist a = {0}, b = {0};
	uint64_t ns = 0;

	(void)state;
	/* more than a double can tell apart: one I/O decides the median */
	hist_set(&a, 1, (UINT64_C(1) << 62) + 1);
	hist_set(&a, 2, UINT64_C(1) << 62);
	assert_true(hist_percentile(&a, 50, &ns));
	assert_int_equal(ns, 1);
	hist_set(&b, 2, UINT64_MAX);
	hist_merge(&a, &b);
	assert_true(a.bins[1].count == UINT64_MAX);
	assert_true(hist_total(&a) == UINT64_MAX);
	hist_free(&a);
	hist_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(set_keeps_order),
		cmocka_unit_test(merge_is_sum_by_key),
		cmocka_unit_test(percentile_of_few),
		cmocka_unit_test(counts_do_not_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
