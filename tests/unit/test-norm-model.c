// SPDX-License-Identifier: GPL-2.0-only
/*
 * model.c: the pooled statistics of groups are those of all their values taken
 * together; unknown parts make a sum unknown; failed runs do not count.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "scripts/normalize/model.h"

static struct latency latency_of(const double *values, size_t n)
{
	struct latency l = {.n = n, .min = UINT64_MAX};

	for (size_t i = 0; i < n; i++)
		l.mean += values[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		l.m2 += (values[i] - l.mean) * (values[i] - l.mean);
		if (values[i] < (double)l.min)
			l.min = (uint64_t)values[i];
		if (values[i] > (double)l.max)
			l.max = (uint64_t)values[i];
	}
	return l;
}

static void pooling_is_exact(void **state)
{
	/* unequal sizes and distant means: what an average of averages gets wrong */
	const double values[] = {1, 2, 3, 1000, 1010, 990, 1005, 7, 5e6, 5e6 + 3};
	struct latency all = latency_of(values, 10), parts = {0};
	const size_t cuts[] = {0, 3, 7, 8, 10};

	(void)state;
	for (size_t i = 0; i + 1 < sizeof(cuts) / sizeof(cuts[0]); i++) {
		struct latency part = latency_of(values + cuts[i], cuts[i + 1] - cuts[i]);

		latency_merge(&parts, &part);
	}
	assert_int_equal(parts.n, all.n);
	assert_int_equal(parts.min, all.min);
	assert_int_equal(parts.max, all.max);
	assert_true(fabs(parts.mean - all.mean) < 1e-9 * all.mean);
	assert_true(fabs(latency_stddev(&parts) - latency_stddev(&all)) <
		    1e-9 * latency_stddev(&all));
}

static void deviation_of_few(void **state)
{
	const double one[] = {5};
	struct latency l = latency_of(one, 1);

	(void)state;
	assert_true(latency_stddev(&l) == 0);
	l = (struct latency){0};
	assert_true(latency_stddev(&l) == 0);
}

static void unknown_is_not_zero(void **state)
{
	struct io_stats sum = {0};
	const struct io_stats known = {.ios = 1, .iops = 5, .bandwidth = 7};
	const struct io_stats unknown = {.ios = 1, .iops = -1, .bandwidth = 7};

	(void)state;
	io_merge(&sum, &known);
	io_merge(&sum, &unknown);
	io_merge(&sum, &known);
	assert_true(sum.iops < 0);
	assert_true(sum.bandwidth == 21);
	assert_int_equal(sum.ios, 3);
}

static void repeats_are_averaged(void **state)
{
	struct sample runs[3] = {0};
	struct series series = {0};
	double mean = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		runs[i].jobs = 1;
		runs[i].io[DIRECTION_WRITE].ios = 10;
		runs[i].io[DIRECTION_WRITE].iops = 100.0 * (double)(i + 1);
	}
	runs[2].failed_jobs = 1;
	runs[2].first_error = 5;
	for (size_t i = 0; i < 3; i++)
		series_add(&series, &runs[i]);
	assert_int_equal(series.n, 3);
	assert_int_equal(series.failed, 1);
	assert_int_equal(series.first_error, 5);
	assert_true(spread_mean(&series.io[DIRECTION_WRITE].iops, &mean));
	assert_true(mean == 150);
	assert_true(series.io[DIRECTION_WRITE].iops.min == 100);
	assert_true(series.io[DIRECTION_WRITE].iops.max == 200);
	assert_true(spread_mean(&series.io[DIRECTION_ALL].iops, &mean));
	assert_true(mean == 150);
	assert_false(spread_mean(&series.io[DIRECTION_READ].iops, &mean));
	series_free(&series);
}

static void part_of_a_histogram_is_none(void **state)
{
	struct latency whole = {.n = 2}, rest = {.n = 1, .no_hist = true};
	uint64_t ns = 0;

	(void)state;
	hist_set(&whole.hist, 10, 2);
	assert_true(latency_percentile(&whole, 50, &ns));
	latency_merge(&whole, &rest);
	assert_false(latency_percentile(&whole, 50, &ns));
	latency_free(&whole);
}

static void facts_that_differ(void **state)
{
	struct sample s = {0};

	(void)state;
	fact_merge(&s.engine, NULL);
	assert_null(s.engine.text);
	fact_merge(&s.engine, "uring");
	fact_merge(&s.engine, "uring");
	assert_false(s.engine.varies);
	fact_merge(&s.engine, "psync");
	assert_true(s.engine.varies);
	sample_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pooling_is_exact),
		cmocka_unit_test(deviation_of_few),
		cmocka_unit_test(unknown_is_not_zero),
		cmocka_unit_test(repeats_are_averaged),
		cmocka_unit_test(part_of_a_histogram_is_none),
		cmocka_unit_test(facts_that_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
