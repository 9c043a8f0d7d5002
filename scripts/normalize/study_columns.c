// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the columns of a study of results folders: what is one target, what are
 * repeats, and how columns are told apart by name.
 */
#include "study_columns.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "mem.h"

/* What only one of two folders knows is no difference. */
static bool differs(const char *a, const char *b)
{
	return a && b && strcmp(a, b);
}

static bool same_texts(char *const *a, size_t n_a, char *const *b, size_t n_b)
{
	for (size_t i = 0; n_a == n_b && i < n_a; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return n_a == n_b;
}

static bool is_same_target(const struct study_part *a, const struct study_part *b)
{
	const struct results_environment *e = &a->folder->environment, *g = &b->folder->environment;
	const struct results_target *t = a->target, *u = b->target;

	return !strcmp(t->name, u->name) && !strcmp(t->engine, u->engine) &&
	       mem_same(t->kind, u->kind) && t->embedded == u->embedded &&
	       (t->embedded || mem_same(t->path, u->path)) &&
	       mem_same(t->device_model, u->device_model) &&
	       mem_same(t->filesystem, u->filesystem) && !differs(t->device_id, u->device_id) &&
	       mem_same(e->hostname, g->hostname) && mem_same(e->cpu, g->cpu) && e->cpus == g->cpus;
}

static bool same_conditions(const struct study_part *a, const struct study_part *b)
{
	const struct results_environment *e = &a->folder->environment, *g = &b->folder->environment;
	const struct results_options *o = &a->folder->options, *p = &b->folder->options;
	const struct results_target *t = a->target, *u = b->target;

	return mem_same(e->kernel, g->kernel) && mem_same(e->fio_version, g->fio_version) &&
	       mem_same(e->governor, g->governor) &&
	       mem_same(a->folder->fiopack, b->folder->fiopack) && mem_same(t->plugin, u->plugin) &&
	       t->direct == u->direct && t->working_set_bytes == u->working_set_bytes &&
	       o->quick == p->quick && o->vms == p->vms &&
	       !(o->runtime_s < p->runtime_s || o->runtime_s > p->runtime_s) &&
	       !(o->ramp_s < p->ramp_s || o->ramp_s > p->ramp_s);
}

enum overlap { APART, REPEATS, CLASH };

/* Do two parts fill the same cells, and if so, with repeats? */
static enum overlap find_overlap(const struct study_part *a, const struct study_part *b)
{
	enum overlap found = APART;

	for (size_t i = 0; i < a->folder->n_runs; i++) {
		const struct results_run *r = &a->folder->runs[i];

		for (size_t k = 0; k < b->folder->n_runs; k++) {
			const struct results_run *q = &b->folder->runs[k];

			if (r->target != a->target || q->target != b->target ||
			    r->state == RESULTS_NOT_RUN || q->state == RESULTS_NOT_RUN ||
			    strcmp(r->profile, q->profile) || strcmp(r->scenario, q->scenario))
				continue;
			if (!same_texts(r->job, r->n_job, q->job, q->n_job) ||
			    !same_conditions(a, b))
				return CLASH;
			found = REPEATS;
		}
	}
	return found;
}

static bool is_same_folder(const struct results *a, const struct results *b)
{
	struct stat x, y;

	return !stat(a->root, &x) && !stat(b->root, &y) && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

/* 1: it fits, 0: it does not, -1: `f` is filled */
static int fits(const struct study_target *column, const struct study_part *part, struct fault *f)
{
	for (size_t i = 0; i < column->n_parts; i++) {
		const struct study_part *there = &column->parts[i];

		if (!is_same_target(there, part))
			return 0;
		switch (find_overlap(there, part)) {
		case APART:
			break;
		case CLASH:
			return 0;
		case REPEATS:
			if (there->folder->started &&
			    mem_same(there->folder->started, part->folder->started))
				return fault_set(
					f,
					"%s and %s hold the same runs, begun in the same second: "
					"one is a copy of the other",
					there->folder->root, part->folder->root);
		}
	}
	return 1;
}

static bool add_part(struct study *s, const struct study_part *part, struct fault *f)
{
	struct study_target *column;
	int fit = 0;
	size_t i;

	for (i = 0; i < s->n_targets; i++) {
		fit = fits(&s->targets[i], part, f);
		if (fit)
			break;
	}
	if (fit < 0)
		return false;
	if (i == s->n_targets) {
		s->targets = mem_resize(s->targets, ++s->n_targets, sizeof(*s->targets));
		s->targets[i] = (struct study_target){.name = mem_copy(part->target->name),
						      .engine = mem_copy(part->target->engine)};
	}
	column = &s->targets[i];
	column->parts = mem_resize(column->parts, column->n_parts + 1, sizeof(*column->parts));
	column->parts[column->n_parts++] = *part;
	return true;
}

/* Does a column before or after this one have its name, and is it of the same host? */
static bool has_namesake(const struct study *s, size_t column, bool same_host)
{
	const struct study_target *t = &s->targets[column];

	for (size_t i = 0; i < s->n_targets; i++) {
		const struct study_part *other = s->targets[i].parts;

		if (i != column && !strcmp(other->target->name, t->parts->target->name) &&
		    (!same_host || mem_same(other->folder->environment.hostname,
					    t->parts->folder->environment.hostname)))
			return true;
	}
	return false;
}

static void name_apart(struct study *s)
{
	for (size_t i = 0; i < s->n_targets; i++) {
		struct study_target *t = &s->targets[i];
		const struct results *folder = t->parts->folder;
		char *name;

		if (!has_namesake(s, i, false))
			continue;
		name = has_namesake(s, i, true) || !folder->environment.hostname
			       ? mem_printf("%s in %s", t->name, folder->root)
			       : mem_printf("%s on %s", t->name, folder->environment.hostname);
		free(t->name);
		t->name = name;
	}
}

bool study_add_columns(struct study *s, struct fault *f)
{
	for (size_t i = 0; i < s->n_folders; i++) {
		const struct results *folder = s->folders[i];

		for (size_t k = 0; k < i; k++)
			if (is_same_folder(s->folders[k], folder))
				return !fault_set(f, "%s is given twice", folder->root);
		for (size_t k = 0; k < folder->n_targets; k++) {
			const struct study_part part = {folder, &folder->targets[k]};

			if (!add_part(s, &part, f))
				return false;
		}
	}
	name_apart(s);
	return true;
}
