// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns reading small JSON documents with jansson and wording what breaks their
 * rules. The rules are in paper.h and results.h.
 */
#include "document.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

json_t *doc_load(const char *path, struct fault *f)
{
	json_error_t error;
	json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

	if (!root) {
		if (error.line > 0)
			fault_set(f, "%s: line %d: %s", path, error.line, error.text);
		else
			fault_set(f, "%s", error.text);
		return NULL;
	}
	if (!json_is_object(root)) {
		fault_set(f, "%s: must hold one JSON object", path);
		json_decref(root);
		return NULL;
	}
	return root;
}

bool doc_refuse(const struct doc_at *at, const char *fmt, ...)
{
	char sentence[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	fault_set(at->fault, "%s: %s%s%s", at->path, at->where, at->where[0] ? ": " : "", sentence);
	return false;
}

/* *value is NULL for an optional member that is not there. */
static bool find(const struct doc_at *at, const char *key, enum need need, const json_t **value)
{
	*value = json_object_get(at->node, key);
	if (*value && json_is_null(*value))
		*value = NULL;
	if (!*value && need == REQUIRED)
		return doc_refuse(at, "\"%s\" is missing", key);
	return true;
}

bool doc_string(const struct doc_at *at, const char *key, enum need need, char **out)
{
	const json_t *v;

	if (!find(at, key, need, &v))
		return false;
	if (!v)
		return true;
	if (!json_is_string(v))
		return doc_refuse(at, "\"%s\" must be a text", key);
	if (need == REQUIRED && !json_string_value(v)[0])
		return doc_refuse(at, "\"%s\" must not be empty", key);
	*out = mem_copy(json_string_value(v));
	return true;
}

bool doc_uint(const struct doc_at *at, const char *key, enum need need, uint64_t max, uint64_t *out)
{
	const json_t *v;

	if (!find(at, key, need, &v))
		return false;
	if (!v)
		return true;
	if (!json_is_integer(v) || json_integer_value(v) < 0 ||
	    (uint64_t)json_integer_value(v) > max)
		return doc_refuse(at, "\"%s\" must be a whole number of 0 to %llu", key,
				  (unsigned long long)max);
	*out = (uint64_t)json_integer_value(v);
	return true;
}

bool doc_schema(const struct doc_at *root)
{
	uint64_t schema = 0;

	if (!doc_uint(root, "schema", REQUIRED, INT64_MAX, &schema))
		return false;
	return schema == 1 || doc_refuse(root, "schema %llu is not one that this version reads (1)",
					 (unsigned long long)schema);
}

bool doc_number(const struct doc_at *at, const char *key, enum need need, double *out)
{
	const json_t *v;

	if (!find(at, key, need, &v))
		return false;
	if (!v)
		return true;
	if (!json_is_number(v) || json_number_value(v) < 0)
		return doc_refuse(at, "\"%s\" must be a number, not negative", key);
	*out = json_number_value(v);
	return true;
}

bool doc_bool(const struct doc_at *at, const char *key, enum need need, bool *out)
{
	const json_t *v;

	if (!find(at, key, need, &v))
		return false;
	if (!v)
		return true;
	if (!json_is_boolean(v))
		return doc_refuse(at, "\"%s\" must be true or false", key);
	*out = json_is_true(v);
	return true;
}

bool doc_word(const struct doc_at *at, const char *key, enum need need, const char *const *words,
	      unsigned int n, unsigned int *out)
{
	const json_t *v;
	char list[160] = "";

	if (!find(at, key, need, &v))
		return false;
	if (!v)
		return true;
	for (unsigned int i = 0; i < n; i++) {
		if (json_is_string(v) && !strcmp(json_string_value(v), words[i])) {
			*out = i;
			return true;
		}
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s", i ? ", " : "",
			 words[i]);
	}
	return doc_refuse(at, "\"%s\" must be one of %s", key, list);
}

bool doc_object(const struct doc_at *at, const char *key, enum need need, const json_t **out)
{
	const json_t *v;

	*out = NULL;
	if (!find(at, key, need, &v))
		return false;
	if (v && !json_is_object(v))
		return doc_refuse(at, "\"%s\" must be an object", key);
	*out = v;
	return true;
}

bool doc_list(const struct doc_at *at, const char *key, enum need need, const json_t **out)
{
	const json_t *v;

	*out = NULL;
	if (!find(at, key, need, &v))
		return false;
	if (v && !json_is_array(v))
		return doc_refuse(at, "\"%s\" must be a list", key);
	*out = v;
	return true;
}

bool doc_items(const struct doc_at *at, const char *key, enum need need, const json_t **list,
	       size_t *n)
{
	*n = 0;
	if (!doc_list(at, key, need, list))
		return false;
	*n = json_array_size(*list);
	if (need == REQUIRED && !*n)
		return doc_refuse(at, "\"%s\" must not be empty", key);
	return true;
}

bool doc_item(const struct doc_at *at, const char *key, const json_t *list, size_t i,
	      struct doc_at *item, struct doc_where *where)
{
	snprintf(where->text, sizeof(where->text), "%s%s%s[%zu]", at->where,
		 at->where[0] ? "." : "", key, i);
	*item = *at;
	item->where = where->text;
	item->node = json_array_get(list, i);
	return json_is_object(item->node) || doc_refuse(item, "must be an object");
}

bool doc_texts(const struct doc_at *at, const char *key, enum need need, char ***out, size_t *n)
{
	const json_t *list;

	if (!doc_list(at, key, need, &list))
		return false;
	if (!list)
		return true;
	*out = mem_new(json_array_size(list), sizeof(**out));
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *text = json_string_value(json_array_get(list, i));

		if (!text || !text[0])
			return doc_refuse(at, "\"%s\" must be a list of texts", key);
		(*out)[(*n)++] = mem_copy(text);
	}
	return true;
}

bool doc_is_name(const char *text)
{
	if (!text[0] || !strcmp(text, ".") || !strcmp(text, ".."))
		return false;
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("._-", *text))
			return false;
	return true;
}
