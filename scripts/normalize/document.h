/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Small JSON documents with rules: every getter checks presence and type and
 * words what is wrong, so readers are lists of getters.
 */
#ifndef NORMALIZE_DOCUMENT_H
#define NORMALIZE_DOCUMENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "fault.h"

enum need { OPTIONAL, REQUIRED };

/* Where a getter reads: `node` is what `path` and `where` ("profiles[2]", "" for the root) name. */
struct doc_at {
	const char *path;
	const char *where;
	const json_t *node;
	struct fault *fault;
};

/* Read a file whose root is an object; NULL with `f` filled. Free with json_decref. */
json_t *doc_load(const char *path, struct fault *f);

/*
 * Getters. An optional member that is absent or null leaves *out as it is and
 * is no error. Return false with the fault filled.
 */
bool doc_string(const struct doc_at *at, const char *key, enum need need, char **out);
bool doc_uint(const struct doc_at *at, const char *key, enum need need, uint64_t max,
	      uint64_t *out);
/* The member "schema", which must be 1. */
bool doc_schema(const struct doc_at *root);
bool doc_number(const struct doc_at *at, const char *key, enum need need, double *out);
bool doc_bool(const struct doc_at *at, const char *key, enum need need, bool *out);
/* One of `n` words; *out is its index. */
bool doc_word(const struct doc_at *at, const char *key, enum need need, const char *const *words,
	      unsigned int n, unsigned int *out);
bool doc_object(const struct doc_at *at, const char *key, enum need need, const json_t **out);
bool doc_list(const struct doc_at *at, const char *key, enum need need, const json_t **out);
/* A list and how many members it has; a required one has at least one. */
bool doc_items(const struct doc_at *at, const char *key, enum need need, const json_t **list,
	       size_t *n);

/* Where a member of a list is, for sentences: "tables[0].rows[2]". */
struct doc_where {
	char text[96];
};

/* Member i of the list `key`, which must be an object; `where` must live as long as `item`. */
bool doc_item(const struct doc_at *at, const char *key, const json_t *list, size_t i,
	      struct doc_at *item, struct doc_where *where);

/* A list of texts, each at least one character. */
bool doc_texts(const struct doc_at *at, const char *key, enum need need, char ***out, size_t *n);

/* A name that may become a part of a path: letters, digits, '.', '_', '-', not "." or "..". */
bool doc_is_name(const char *text);

/* Fill the fault with "<path>: <where>: <sentence>"; returns false. */
bool doc_refuse(const struct doc_at *at, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
