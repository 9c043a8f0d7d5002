// SPDX-License-Identifier: GPL-2.0-only
/*
 * notes.c: each text has one number, marks are printed in order and as ranges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "scripts/normalize/notes.h"

static void numbering(void **state)
{
	struct notes notes = {0};
	struct marks a = {0}, b = {0}, none = {0};
	char *text;

	(void)state;
	for (int i = 1; i <= 7; i++)
		notes_mark(&notes, i == 5 ? &b : &a, "note %d", i);
	notes_mark(&notes, &a, "note %d", 3);
	assert_int_equal(notes.n, 7);
	text = marks_text(&a);
	assert_string_equal(text, "[1-4,6,7]");
	free(text);
	marks_merge(&b, &a);
	text = marks_text(&b);
	assert_string_equal(text, "[1-7]");
	free(text);
	text = marks_text(&none);
	assert_string_equal(text, "");
	free(text);
	marks_free(&a);
	marks_free(&b);
	notes_free(&notes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbering)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
