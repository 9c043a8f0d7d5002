// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/err: the first failure stays, codes come back negative whatever their sign was,
 * and a sentence that is too long is cut, not written past its end.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "core/err.h"

static void first_sentence_stays(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(e.code, 0);
	assert_string_equal(e.text, "");
	assert_int_equal(err_set(&e, ENOENT, "no %s in %d", "file", 7), -ENOENT);
	assert_int_equal(e.code, ENOENT);
	assert_string_equal(e.text, "no file in 7");
	/* the later one is dropped, but the caller gets its own code back */
	assert_int_equal(err_set(&e, EIO, "later"), -EIO);
	assert_int_equal(e.code, ENOENT);
	assert_string_equal(e.text, "no file in 7");
}

static void either_sign(void **state)
{
	struct err e = ERR_INIT;

	(void)state;
	assert_int_equal(err_set(&e, -EPERM, "x"), -EPERM);
	assert_int_equal(e.code, EPERM);
	assert_int_equal(err_set(NULL, -EBUSY, "x"), -EBUSY);
}

static void nobody_listens(void **state)
{
	(void)state;
	assert_int_equal(err_set(NULL, EINVAL, "%s", "dropped"), -EINVAL);
}

static void long_sentence_is_cut(void **state)
{
	struct {
		struct err e;
		char after[16];
	} s;
	char want[2 * sizeof(s.e.text)];

	(void)state;
	memset(&s, 0x5a, sizeof(s));
	s.e = (struct err)ERR_INIT;
	memset(want, 'x', sizeof(want));
	want[sizeof(want) - 1] = '\0';
	assert_int_equal(err_set(&s.e, EINVAL, "%s", want), -EINVAL);
	assert_int_equal(strlen(s.e.text), sizeof(s.e.text) - 1);
	for (size_t i = 0; i < sizeof(s.after); i++)
		assert_int_equal(s.after[i], 0x5a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_sentence_stays),
		cmocka_unit_test(either_sign),
		cmocka_unit_test(nobody_listens),
		cmocka_unit_test(long_sentence_is_cut),
	};

	return cmocka_run_group_tests_name("err", tests, NULL, NULL);
}
