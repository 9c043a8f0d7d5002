// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the text of fio job files: reading a profile and writing options back. What
 * the options mean is left to fio, with three exceptions that the runner must
 * understand: rw, numjobs and iodepth.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../normalize/mem.h"
#include "jobfile.h"

/* fio's second names for options that a profile or a target may set. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{"blocksize", "bs"},
	{"readwrite", "rw"},
	{"nr_files", "nrfiles"},
	{"io_depth", "iodepth"},
};

static const char *canonical(const char *name)
{
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		if (!strcmp(name, aliases[i].alias))
			return aliases[i].name;
	}
	return name;
}

static struct job_option *find(const struct jobfile *j, const char *name)
{
	name = canonical(name);
	for (size_t i = 0; i < j->n; i++) {
		if (!strcmp(j->options[i].name, name))
			return &j->options[i];
	}
	return NULL;
}

void jobfile_remove(struct jobfile *j, const char *name)
{
	struct job_option *o = find(j, name);

	if (!o)
		return;
	free(o->name);
	free(o->value);
	memmove(o, o + 1, (size_t)(&j->options[j->n] - (o + 1)) * sizeof(*o));
	j->n--;
}

void jobfile_set(struct jobfile *j, const char *name, const char *value)
{
	char *copy = value ? mem_copy(value) : NULL; /* value may be the old one */
	struct job_option *o = find(j, name);

	if (o) {
		free(o->value);
		o->value = copy;
		return;
	}
	j->options = mem_resize(j->options, j->n + 1, sizeof(*j->options));
	j->options[j->n].name = mem_copy(canonical(name));
	j->options[j->n].value = copy;
	j->n++;
}

const char *jobfile_get(const struct jobfile *j, const char *name)
{
	const struct job_option *o = find(j, name);

	if (!o)
		return NULL;
	return o->value ? o->value : "";
}

unsigned int jobfile_number(const struct jobfile *j, const char *name, unsigned int otherwise)
{
	const char *text = jobfile_get(j, name);
	unsigned long n;
	char *end;

	if (!text)
		return otherwise;
	if (!isdigit((unsigned char)text[0]))
		return 0;
	errno = 0;
	n = strtoul(text, &end, 10);
	return errno || *end || n > 1000000 ? 0 : (unsigned int)n;
}

int jobfile_changes_target(const struct jobfile *j)
{
	const char *rw = jobfile_get(j, "rw");

	/* fio's names: read, write, trim, randX, rw, randrw, readwrite, trimwrite ... */
	return rw && (strstr(rw, "write") || strstr(rw, "trim") || strstr(rw, "rw"));
}

int jobfile_reads_target(const struct jobfile *j)
{
	const char *rw = jobfile_get(j, "rw");

	return rw && (strstr(rw, "read") || strstr(rw, "rw"));
}

uint64_t jobfile_size(const char *text)
{
	static const char units[] = "kmgt";
	unsigned int shift = 0;
	unsigned long long n;
	const char *unit;
	char *end;

	if (!isdigit((unsigned char)text[0]))
		return 0;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (*end) {
		unit = strchr(units, tolower((unsigned char)*end));
		if (!unit || end[1])
			return 0;
		shift = 10 * (unsigned int)(unit - units + 1);
	}
	return errno || n > (unsigned long long)INT64_MAX >> shift ? 0 : n << shift;
}

void jobfile_copy(struct jobfile *to, const struct jobfile *from)
{
	*to = (struct jobfile){0};
	for (size_t i = 0; i < from->n; i++)
		jobfile_set(to, from->options[i].name, from->options[i].value);
}

void jobfile_free(struct jobfile *j)
{
	for (size_t i = 0; i < j->n; i++) {
		free(j->options[i].name);
		free(j->options[i].value);
	}
	free(j->options);
	free(j->section);
	*j = (struct jobfile){0};
}

void jobfile_free_parts(struct jobfile_parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		jobfile_free(&parts->list[i]);
	free(parts->list);
	*parts = (struct jobfile_parts){0};
}

static char *trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return s;
}

/* A profile while it is being read. */
struct reader {
	struct jobfile_parts *parts;
	struct jobfile global;
	const char *path;
	unsigned int line;
	struct fault *fault;
};

static int begin_section(struct reader *r, char *name)
{
	char *end = strchr(name, ']');
	struct jobfile *part;

	if (!end)
		return fault_set(r->fault, "%s: line %u: a section without \"]\"", r->path,
				 r->line);
	*end = '\0';
	if (!strcmp(name, "global")) {
		/* fio would apply it to the sections after it only */
		if (r->parts->n)
			return fault_set(r->fault,
					 "%s: line %u: [global] has to come first in a profile",
					 r->path, r->line);
		return 0;
	}
	for (size_t i = 0; i < r->parts->n; i++) {
		if (!strcmp(r->parts->list[i].section, name))
			return fault_set(r->fault, "%s: line %u: section [%s] is there twice",
					 r->path, r->line, name);
	}
	r->parts->list = mem_resize(r->parts->list, r->parts->n + 1, sizeof(*r->parts->list));
	part = &r->parts->list[r->parts->n++];
	jobfile_copy(part, &r->global);
	part->section = mem_copy(name);
	return 0;
}

static int read_line(struct reader *r, char *line)
{
	struct jobfile *into = r->parts->n ? &r->parts->list[r->parts->n - 1] : &r->global;
	char *eq;

	r->line++;
	if (!*line || *line == '#' || *line == ';')
		return 0;
	if (*line == '[')
		return begin_section(r, line + 1);
	eq = strchr(line, '=');
	if (eq)
		*eq = '\0';
	line = trim(line);
	if (!strncmp(line, "include", 7))
		return fault_set(r->fault, "%s: line %u: include is not possible in a profile",
				 r->path, r->line);
	if (!strcmp(canonical(line), "ioengine") || !strcmp(line, "filename"))
		return fault_set(
			r->fault,
			"%s: line %u: a profile does not set %s; that comes from the target",
			r->path, r->line, line);
	jobfile_set(into, line, eq ? trim(eq + 1) : NULL);
	return 0;
}

int jobfile_read(struct jobfile_parts *parts, FILE *in, const char *path, struct fault *f)
{
	struct reader r = {.parts = parts, .path = path, .fault = f};
	char *line = NULL;
	size_t cap = 0;
	int ret = 0;

	*parts = (struct jobfile_parts){0};
	while (!ret && getline(&line, &cap, in) > 0)
		ret = read_line(&r, trim(line));
	if (!ret && ferror(in))
		ret = fault_set(f, "cannot read profile %s: %s", path, strerror(errno));
	free(line);
	jobfile_free(&r.global);
	if (!ret && !parts->n)
		ret = fault_set(f, "%s has no job section", path);
	for (size_t i = 0; !ret && i < parts->n; i++) {
		if (!jobfile_get(&parts->list[i], "rw"))
			ret = fault_set(f, "%s: section [%s] does not say rw=", path,
					parts->list[i].section);
	}
	return ret;
}

static bool has_same(const struct jobfile *j, const struct job_option *o)
{
	const struct job_option *theirs = find(j, o->name);

	return theirs && !theirs->value == !o->value &&
	       (!o->value || !strcmp(theirs->value, o->value));
}

void jobfile_keep_common(struct jobfile *j, const struct jobfile *other)
{
	for (size_t i = j->n; i-- > 0;) {
		if (!has_same(other, &j->options[i]))
			jobfile_remove(j, j->options[i].name);
	}
}

void jobfile_print(const struct jobfile *j, const struct jobfile *known, FILE *out)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct job_option *o = &j->options[i];

		if (known && has_same(known, o))
			continue;
		if (o->value)
			fprintf(out, "%s=%s\n", o->name, o->value);
		else
			fprintf(out, "%s\n", o->name);
	}
}

const char *jobfile_problem(const char *text)
{
	size_t len = strlen(text);

	if (!len)
		return "it is empty";
	if (strpbrk(text, "#;"))
		return "fio cuts a job file's lines at \"#\" and \";\"";
	if (strchr(text, '$'))
		return "fio expands \"$\" in job files";
	if (isspace((unsigned char)text[0]) || isspace((unsigned char)text[len - 1]))
		return "fio drops blanks at its ends";
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text))
			return "it has a control character in it";
	}
	return NULL;
}

int jobfile_print_path(FILE *out, const char *name, const char *path, struct fault *f)
{
	const char *problem = jobfile_problem(path);

	if (problem)
		return fault_set(f, "%s cannot stand in a job file: %s", path, problem);
	fprintf(out, "%s=", name);
	for (; *path; path++) {
		if (*path == ':' || *path == '\\')
			putc('\\', out); /* fio separates file names with ":" */
		putc(*path, out);
	}
	putc('\n', out);
	return 0;
}
