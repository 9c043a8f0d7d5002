// SPDX-License-Identifier: GPL-2.0-only
/*
 * The list of completed I/Os: order is kept, nothing is told twice or lost, and what waits while
 * something else was told of is told next.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "core/ready.h"

static void *item(uintptr_t i)
{
	return (void *)(i + 1);
}

static void in_order(void **state)
{
	uintptr_t added = 0, fetched = 0;
	struct ready r;

	(void)state;
	assert_int_equal(ready_init(&r, 5), 0); /* not a power of two */
	for (unsigned turn = 0; turn < 1000; turn++) {
		unsigned waiting = ready_next(&r), n;

		assert_int_equal(waiting, added - fetched);
		for (n = turn % 6; n && waiting < 5; n--, waiting++)
			ready_add(&r, item(added++));
		n = ready_give(&r, turn % 4);
		assert_int_equal(n, waiting < turn % 4 ? waiting : turn % 4);
		/* added after the telling: for the next time */
		if (waiting < 5)
			ready_add(&r, item(added++));
		for (unsigned i = 0; i < n; i++)
			assert_ptr_equal(ready_get(&r, i), item(fetched++));
	}
	assert_true(fetched > 1000);
	ready_free(&r);
	assert_null(r.at);
}

/* Told of, and complete again before the next asking: the sanitizers see a list that is too short.
 */
static void twice_before_the_next(void **state)
{
	struct ready r;

	(void)state;
	assert_int_equal(ready_init(&r, 3), 0);
	for (uintptr_t i = 0; i < 3; i++)
		ready_add(&r, item(i));
	assert_int_equal(ready_give(&r, 3), 3);
	for (uintptr_t i = 3; i < 6; i++)
		ready_add(&r, item(i));
	for (unsigned i = 0; i < 3; i++)
		assert_ptr_equal(ready_get(&r, i), item(i));
	assert_int_equal(ready_next(&r), 3);
	assert_int_equal(ready_give(&r, 8), 3);
	for (unsigned i = 0; i < 3; i++)
		assert_ptr_equal(ready_get(&r, i), item(i + 3));
	ready_free(&r);
}

static void one_place(void **state)
{
	struct ready r;

	(void)state;
	assert_int_equal(ready_init(&r, 1), 0);
	assert_int_equal(ready_next(&r), 0);
	assert_int_equal(ready_give(&r, 1), 0);
	ready_add(&r, item(7));
	assert_int_equal(ready_give(&r, 0), 0);
	assert_int_equal(ready_next(&r), 1);
	assert_int_equal(ready_give(&r, 1), 1);
	assert_ptr_equal(ready_get(&r, 0), item(7));
	assert_int_equal(ready_next(&r), 0);
	ready_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(twice_before_the_next),
		cmocka_unit_test(one_place),
	};

	return cmocka_run_group_tests_name("ready", tests, NULL, NULL);
}
