// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the way from bytes to JSON events: finding documents among other text,
 * mending what fio prints that is not JSON, feeding yajl, byte positions in
 * errors. What the documents mean is left to the readers.
 */
#include "json_stream.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <yajl/yajl_parse.h>

#include "mem.h"

#define CHUNK	   (128 * 1024)
#define KEY_MAX	   256 /* the longest key fio writes has some 30 bytes */
#define TOKEN_MAX  16  /* room for "-infinity" */
#define LONGEST_NO "-infinity"

enum place {
	BETWEEN, /* outside any document */
	OPENING, /* after a '{' outside any document: only a '"' makes it one */
	INSIDE,
	STRING,
	ESCAPE, /* after a backslash in a string */
};

struct stream {
	const char *path;
	const struct stream_handler *handler;
	struct fault *fault;
	yajl_handle yajl;
	bool stopped; /* a callback refused; the fault is set */

	/* the filter before yajl */
	enum place place;
	unsigned int open; /* brackets not closed yet */
	char token[TOKEN_MAX];
	size_t token_len;
	uint64_t document_at; /* byte of the '{' */
	long documents;

	/* the events after yajl */
	unsigned int depth;
	bool in_array[STREAM_MAX_DEPTH + 1];
	char key[KEY_MAX];
};

static int emit(struct stream *s, enum stream_type type, const char *text, size_t len)
{
	struct stream_event ev = {
		.type = type,
		.depth = s->depth,
		.key = s->depth && s->in_array[s->depth - 1] ? "" : s->key,
		.text = text,
		.len = len,
	};
	int refused = s->handler->event(s->handler->ctx, &ev, s->fault);

	s->key[0] = '\0';
	s->stopped |= refused != 0;
	return !refused;
}

static int begin(struct stream *s, enum stream_type type)
{
	if (s->depth >= STREAM_MAX_DEPTH) {
		fault_set(s->fault, "%s: nested deeper than %d levels, not written by fio", s->path,
			  STREAM_MAX_DEPTH);
		s->stopped = true;
		return 0;
	}
	if (!emit(s, type, NULL, 0))
		return 0;
	s->in_array[s->depth++] = type == STREAM_ARRAY;
	return 1;
}

static int on_end(void *ctx)
{
	struct stream *s = ctx;

	s->depth--;
	s->key[0] = '\0';
	return emit(s, STREAM_END, NULL, 0);
}

static int on_map(void *ctx)
{
	return begin(ctx, STREAM_OBJECT);
}

static int on_array(void *ctx)
{
	return begin(ctx, STREAM_ARRAY);
}

static int on_key(void *ctx, const unsigned char *key, size_t len)
{
	struct stream *s = ctx;

	/* a longer key is none that a reader knows: an empty one is ignored like it */
	if (len >= sizeof(s->key))
		len = 0;
	memcpy(s->key, key, len);
	s->key[len] = '\0';
	return 1;
}

static int on_null(void *ctx)
{
	return emit(ctx, STREAM_OTHER, NULL, 0);
}

static int on_boolean(void *ctx, int value)
{
	(void)value;
	return emit(ctx, STREAM_OTHER, NULL, 0);
}

/* Numbers as text: a double would round counts above 2^53. */
static int on_number(void *ctx, const char *text, size_t len)
{
	return emit(ctx, STREAM_NUMBER, text, len);
}

static int on_string(void *ctx, const unsigned char *text, size_t len)
{
	return emit(ctx, STREAM_STRING, (const char *)text, len);
}

static void *yajl_new(void *ctx, size_t size)
{
	(void)ctx;
	return mem_new(size, 1);
}

static void *yajl_resize(void *ctx, void *p, size_t size)
{
	(void)ctx;
	return mem_resize(p, size, 1);
}

static void yajl_drop(void *ctx, void *p)
{
	(void)ctx;
	free(p);
}

/* yajl does not check what its allocator returns, so it gets one that never fails. */
static yajl_alloc_funcs allocator = {
	.malloc = yajl_new,
	.realloc = yajl_resize,
	.free = yajl_drop,
};

static const yajl_callbacks callbacks = {
	.yajl_null = on_null,
	.yajl_boolean = on_boolean,
	.yajl_number = on_number,
	.yajl_string = on_string,
	.yajl_start_map = on_map,
	.yajl_map_key = on_key,
	.yajl_end_map = on_end,
	.yajl_start_array = on_array,
	.yajl_end_array = on_end,
};

static int report_parse_error(struct stream *s, uint64_t at)
{
	unsigned char *why;
	size_t len;

	if (s->stopped)
		return -1;
	why = yajl_get_error(s->yajl, 0, NULL, 0);
	len = why ? strcspn((char *)why, "\n") : 0;
	fault_set(s->fault, "%s: broken JSON at byte %" PRIu64 ": %.*s", s->path, at, (int)len,
		  why ? (char *)why : "");
	if (why)
		yajl_free_error(s->yajl, why);
	return -1;
}

/* Hand over bytes that stand at `at` in the file. */
static int feed(struct stream *s, const char *bytes, size_t len, uint64_t at)
{
	if (!len)
		return 0;
	if (yajl_parse(s->yajl, (const unsigned char *)bytes, len) == yajl_status_ok)
		return 0;
	return report_parse_error(s, at + yajl_get_bytes_consumed(s->yajl));
}

static int open_document(struct stream *s)
{
	s->yajl = yajl_alloc(&callbacks, &allocator, s);
	/* fio copies names as they are, so a Latin-1 name must not end the report */
	yajl_config(s->yajl, yajl_dont_validate_strings, 1);
	s->depth = 0;
	s->key[0] = '\0';
	s->open = 1;
	return feed(s, "{", 1, s->document_at);
}

static int close_document(struct stream *s, uint64_t at)
{
	if (yajl_complete_parse(s->yajl) != yajl_status_ok)
		return report_parse_error(s, at);
	yajl_free(s->yajl);
	s->yajl = NULL;
	s->place = BETWEEN;
	s->documents++;
	return s->handler->document_end(s->handler->ctx, s->document_at, s->fault) ? -1 : 0;
}

static bool is_token_byte(unsigned char c)
{
	return isalnum(c) || c == '-' || c == '+' || c == '.';
}

static bool is_not_finite(const char *token)
{
	if (*token == '-' || *token == '+')
		token++;
	return !strcasecmp(token, "nan") || !strcasecmp(token, "inf") ||
	       !strcasecmp(token, "infinity");
}

/* A token that may be NaN has ended before byte `at`; pass it on, or a null in its place. */
static int flush_token(struct stream *s, uint64_t at)
{
	size_t len = s->token_len;

	s->token_len = 0;
	s->token[len] = '\0';
	if (is_not_finite(s->token))
		return feed(s, "null", 4, at - len);
	return feed(s, s->token, len, at - len);
}

/* Between documents: look for a '{' that is followed by a '"'. Returns 1 when one was found. */
static int look_for_document(struct stream *s, char c, uint64_t at)
{
	if (c == '{') {
		s->place = OPENING;
		s->document_at = at;
	} else if (s->place == OPENING && c == '"') {
		return 1;
	} else if (!isspace((unsigned char)c)) {
		s->place = BETWEEN;
	}
	return 0;
}

/* The end of a string, or of the chunk; control characters on the way become blanks. */
static size_t skip_string(struct stream *s, char *chunk, size_t i, size_t n)
{
	for (; i < n; i++) {
		unsigned char c = (unsigned char)chunk[i];

		if (s->place == ESCAPE) {
			s->place = STRING;
		} else if (c == '\\') {
			s->place = ESCAPE;
		} else if (c == '"') {
			s->place = INSIDE;
			return i + 1;
		}
		if (c < 0x20)
			chunk[i] = ' ';
	}
	return n;
}

/*
 * One chunk through the filter. [from, i) are bytes that yajl has not been
 * given yet and that may go to it as they are.
 */
static int filter(struct stream *s, char *chunk, size_t n, uint64_t base)
{
	size_t from = 0, i = 0;

	while (i < n) {
		unsigned char c = (unsigned char)chunk[i];

		if (s->place == BETWEEN || s->place == OPENING) {
			if (look_for_document(s, (char)c, base + i)) {
				if (open_document(s))
					return -1;
				s->place = STRING;
				from = i;
			}
			i++;
			continue;
		}
		if (s->place == STRING || s->place == ESCAPE) {
			i = skip_string(s, chunk, i, n);
			continue;
		}
		/* letters and signs outside strings: keep them back until the token is whole */
		if (s->token_len ? is_token_byte(c) : isalpha(c) || c == '-' || c == '+') {
			if (!s->token_len && feed(s, chunk + from, i - from, base + from))
				return -1;
			s->token[s->token_len++] = (char)c;
			from = ++i;
			/* too long to be one of ours: a number goes on as it came */
			if (s->token_len > strlen(LONGEST_NO)) {
				if (flush_token(s, base + i))
					return -1;
				while (i < n && is_token_byte((unsigned char)chunk[i]))
					i++;
			}
			continue;
		}
		if (s->token_len && flush_token(s, base + i))
			return -1;
		i++;
		if (c == '"') {
			s->place = STRING;
		} else if (c == '{' || c == '[') {
			s->open++;
		} else if (c == '}' || c == ']') {
			if (--s->open)
				continue;
			if (feed(s, chunk + from, i - from, base + from) ||
			    close_document(s, base + i))
				return -1;
			from = i;
		}
	}
	/* text between documents is never yajl's; in a document the rest is */
	if (s->place == BETWEEN || s->place == OPENING || s->token_len)
		return 0;
	return feed(s, chunk + from, n - from, base + from);
}

static long finish(struct stream *s, uint64_t size)
{
	if (s->yajl)
		return fault_set(s->fault,
				 "%s: truncated: the JSON document that begins at byte %" PRIu64
				 " does not end by byte %" PRIu64 ", where the file does",
				 s->path, s->document_at, size);
	if (!size)
		return fault_set(s->fault, "%s: the file is empty", s->path);
	if (!s->documents)
		return fault_set(s->fault, "%s: no JSON document in %" PRIu64 " bytes of text",
				 s->path, size);
	return s->documents;
}

long stream_read(const char *path, const struct stream_handler *handler, struct fault *f)
{
	struct stream s = {.path = path, .handler = handler, .fault = f};
	FILE *file = fopen(path, "rb");
	uint64_t at = 0;
	char *chunk;
	long result = -1;
	size_t n;

	if (!file)
		return fault_set(f, "%s: %s", path, strerror(errno));
	chunk = mem_new(CHUNK, 1);
	while ((n = fread(chunk, 1, CHUNK, file)) > 0) {
		if (filter(&s, chunk, n, at))
			goto out;
		at += n;
	}
	if (ferror(file)) {
		fault_set(f, "%s: read failed at byte %" PRIu64 ": %s", path, at, strerror(errno));
		goto out;
	}
	result = finish(&s, at);
out:
	if (s.yajl)
		yajl_free(s.yajl);
	free(chunk);
	fclose(file);
	return result;
}
