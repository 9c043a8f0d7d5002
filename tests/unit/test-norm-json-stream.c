// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_stream.c: documents among other text, what is mended, positions in
 * errors, and that no result depends on where the reader's chunks end.
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

#include "scripts/normalize/json_stream.h"

#define CHUNK (128 * 1024) /* the reader's */

/* All events as text: "key=value;" with braces, one string. */
struct trace {
	char text[4096];
	uint64_t offsets[4];
	size_t documents;
};

static void put(struct trace *t, const char *text, size_t len)
{
	size_t at = strlen(t->text);

	if (at + len < sizeof(t->text)) {
		memcpy(t->text + at, text, len);
		t->text[at + len] = '\0';
	}
}

static int on_event(void *ctx, const struct stream_event *ev, struct fault *f)
{
	static const char *const marks[] = {"{", "[", "}", "", "'", "?"};
	struct trace *t = ctx;

	(void)f;
	put(t, ev->key, strlen(ev->key));
	if (ev->key[0])
		put(t, "=", 1);
	put(t, marks[ev->type], strlen(marks[ev->type]));
	if (ev->text)
		put(t, ev->text, ev->len);
	put(t, ";", 1);
	return 0;
}

static int on_document(void *ctx, uint64_t offset, struct fault *f)
{
	struct trace *t = ctx;

	(void)f;
	if (t->documents < 4)
		t->offsets[t->documents] = offset;
	t->documents++;
	put(t, "|", 1);
	return 0;
}

/* `blanks` spaces, then the text, as a file through the reader. */
static long read_text(const char *text, size_t blanks, struct trace *t, struct fault *f)
{
	const struct stream_handler handler = {on_event, on_document, t};
	char path[] = "/tmp/test-norm-stream.XXXXXX";
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	long n;

	assert_non_null(file);
	fprintf(file, "%*s%s", (int)blanks, "", text);
	fclose(file);
	*t = (struct trace){0};
	*f = (struct fault){""};
	n = stream_read(path, &handler, f);
	unlink(path);
	return n;
}

static void mended(void **state)
{
	static const char text[] = "fio: warning {x}\n{ \"a\": -nan, \"b\": [nan, inf, -inf, 1e5], "
				   "\"c\": \"x\ty\\\"z\", \"d\": true }\n--\n"
				   "{ \"e\": 18446744073709551615, \"f\": -1.5e-3 }trailer";
	static const char want[] = "{;a=?;b=[;?;?;?;1e5;};c='x y\"z;d=?;};|"
				   "{;e=18446744073709551615;f=-1.5e-3;};|";
	struct fault f = {""};
	struct trace t = {0};

	(void)state;
	assert_int_equal(read_text(text, 0, &t, &f), 2);
	assert_string_equal(t.text, want);
	assert_int_equal(t.offsets[0], 17);
	assert_int_equal(t.offsets[1], strstr(text, "{ \"e\"") - text);

	/* the same with the end of a chunk between any two bytes */
	for (size_t cut = 0; cut <= strlen(text); cut++) {
		assert_int_equal(read_text(text, CHUNK - cut, &t, &f), 2);
		assert_string_equal(t.text, want);
	}
}

static void refused(const char *text, const char *sentence)
{
	struct fault f = {""};
	struct trace t = {0};

	assert_int_equal(read_text(text, 0, &t, &f), -1);
	if (!strstr(f.text, sentence))
		fail_msg("\"%s\" gave \"%s\", not \"%s\"", text, f.text, sentence);
}

static void refusals(void **state)
{
	(void)state;
	refused("", "the file is empty");
	refused("no { JSON } at all", "no JSON document in 18 bytes");
	refused("{}", "no JSON document");
	refused("xx{ \"a\": 1", "begins at byte 2 does not end by byte 10");
	refused("{ \"a\": \"unterminated", "truncated");
	refused("{ \"a\": \"\\", "truncated");
	refused("{ \"a\": na", "truncated");
	refused("{ \"a\": nano }", "broken JSON at byte");
	refused("{ \"a\": 1 ]", "broken JSON at byte 9");
	refused("{ \"a\" 1 }", "broken JSON at byte");
	refused("{ \"a\": 1, }", "broken JSON at byte");
	refused("{ \"a\": infinitely }", "broken JSON at byte");
	refused("{ \"a\": --1 }", "broken JSON at byte");
}

static void depth_is_bounded(void **state)
{
	char text[1024] = "{\"a\":";

	(void)state;
	memset(text + 5, '[', 900);
	refused(text, "nested deeper than 64 levels");
}

/* No way of cutting or of changing a byte of a document may do more than fail. */
static void damaged(void **state)
{
	static const char text[] = "w {\"jobs\":[{\"a\":-nan,\"b\":\"x\\u00e9\"}]}{\"c\":[1,{}]}";
	struct fault f = {""};
	struct trace t = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(text) - 1; i++) {
		char copy[sizeof(text)];

		memcpy(copy, text, sizeof(text));
		copy[i] = '\0';
		read_text(copy, 0, &t, &f);
		for (int c = 1; c < 256; c += 3) {
			memcpy(copy, text, sizeof(text));
			copy[i] = (char)c;
			read_text(copy, 0, &t, &f);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mended),
		cmocka_unit_test(refusals),
		cmocka_unit_test(depth_is_bounded),
		cmocka_unit_test(damaged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
