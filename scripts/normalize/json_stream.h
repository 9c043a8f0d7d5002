/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON objects out of a file that may hold more than JSON: fio writes warnings
 * into the same stream, appends document after document, and prints NaN where
 * a division by zero was. Text between documents is skipped, NaN and infinity
 * become null, control characters in strings become blanks; anything else that
 * is not JSON is an error with its byte position. Memory use does not depend
 * on the size of the file.
 */
#ifndef NORMALIZE_JSON_STREAM_H
#define NORMALIZE_JSON_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "fault.h"

#define STREAM_MAX_DEPTH 64

enum stream_type {
	STREAM_OBJECT, /* begins; its members follow, then STREAM_END */
	STREAM_ARRAY,
	STREAM_END, /* of the object or array at this depth; has no key */
	STREAM_NUMBER,
	STREAM_STRING,
	STREAM_OTHER, /* null, true, false, NaN, infinity: no value to use */
};

struct stream_event {
	enum stream_type type;
	unsigned int depth; /* of the value itself: 0 is the document, below STREAM_MAX_DEPTH */
	const char *key;    /* NUL-terminated; "" in an array and for the document */
	const char *text;   /* numbers and strings: not NUL-terminated, valid during the call */
	size_t len;
};

struct stream_handler {
	/* A value. Non-zero stops the reading; `f` must be filled then. */
	int (*event)(void *ctx, const struct stream_event *ev, struct fault *f);
	/* A document that began at byte `offset` is complete. */
	int (*document_end)(void *ctx, uint64_t offset, struct fault *f);
	void *ctx;
};

/*
 * Read a whole file. Returns the number of documents, or -1 with `f` filled
 * (the sentence names `path`).
 */
long stream_read(const char *path, const struct stream_handler *handler, struct fault *f);

#endif
