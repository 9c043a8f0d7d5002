// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the papers as data: finding them, looking things up in them, giving
 * their memory back. Reading and validating a
 * paper.json, and the words in it, are in paper_read.c.
 */
#include "paper.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mem.h"

#ifndef FIOPACK_PROFILES_DIR
#define FIOPACK_PROFILES_DIR "profiles"
#endif

const char *paper_profiles_dir(const char *option)
{
	const char *env = getenv("FIOPACK_PROFILES");

	if (option)
		return option;
	return env && env[0] ? env : FIOPACK_PROFILES_DIR;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool has_paper(const char *profiles_dir, const char *name)
{
	char *path = mem_printf("%s/%s/paper.json", profiles_dir, name);
	bool there = name[0] != '.' && !access(path, F_OK);

	free(path);
	return there;
}

int paper_list(const char *profiles_dir, char ***ids, size_t *n, struct fault *f)
{
	DIR *dir = opendir(profiles_dir);
	struct dirent *entry;

	*ids = NULL;
	*n = 0;
	if (!dir)
		return fault_set(f, "%s: %s (the papers' folder; give it with --profiles)",
				 profiles_dir, strerror(errno));
	while ((entry = readdir(dir))) {
		if (!has_paper(profiles_dir, entry->d_name))
			continue;
		*ids = mem_resize(*ids, *n + 1, sizeof(**ids));
		(*ids)[(*n)++] = mem_copy(entry->d_name);
	}
	closedir(dir);
	if (*n)
		qsort(*ids, *n, sizeof(**ids), compare_names);
	return 0;
}

void paper_free_list(char **ids, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(ids[i]);
	free(ids);
}

FILE *paper_open_job(const struct paper *p, const struct paper_profile *profile, char **name,
		     struct fault *f)
{
	FILE *in;

	if (profile->job) {
		*name = mem_copy(profile->id);
		in = fmemopen(profile->job, strlen(profile->job), "r");
	} else {
		*name = mem_printf("%s/%s", p->dir, profile->file);
		in = fopen(*name, "re");
	}
	if (!in)
		fault_set(f, "cannot read profile %s: %s", *name, strerror(errno));
	return in;
}

const struct paper_profile *paper_find_profile(const struct paper *p, const char *id)
{
	for (size_t i = 0; i < p->n_profiles; i++)
		if (!strcmp(p->profiles[i].id, id))
			return &p->profiles[i];
	return NULL;
}

const struct paper_scenario *paper_find_scenario(const struct paper *p, const char *id)
{
	for (size_t i = 0; i < p->n_scenarios; i++)
		if (!strcmp(p->scenarios[i].id, id))
			return &p->scenarios[i];
	return NULL;
}

const struct paper_profile *paper_find_whole(const struct paper *p, const char *id, size_t len)
{
	for (size_t i = 0; i < p->n_profiles; i++)
		for (size_t k = 0; k < p->profiles[i].n_parts; k++)
			if (!strncmp(p->profiles[i].parts[k].id, id, len) &&
			    !p->profiles[i].parts[k].id[len])
				return &p->profiles[i];
	return NULL;
}

const struct paper_figure *paper_find_figure(const struct paper *p,
					     const struct paper_profile *profile,
					     const struct paper_scenario *scenario,
					     struct paper_cell cell)
{
	for (size_t i = 0; i < p->n_figures; i++) {
		const struct paper_figure *fig = &p->figures[i];

		if (fig->profile == profile && fig->scenario == scenario &&
		    fig->metric == cell.metric && fig->direction == cell.direction)
			return fig;
	}
	return NULL;
}

static void free_profile(struct paper_profile *p)
{
	for (size_t i = 0; i < p->n_parts; i++)
		free_profile(&p->parts[i]);
	free(p->parts);
	for (size_t i = 0; i < p->n_assumed; i++) {
		free(p->assumed[i].what);
		free(p->assumed[i].chosen);
		free(p->assumed[i].why);
	}
	free(p->assumed);
	free(p->id);
	free(p->file);
	free(p->job);
	free(p->title);
}

static void free_table(struct paper_table *t)
{
	for (size_t i = 0; i < t->n_rows; i++)
		free(t->rows[i].cells);
	free(t->rows);
	free(t->scenarios);
	free(t->id);
	free(t->title);
}

void paper_free(struct paper *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->n_scenarios; i++) {
		free(p->scenarios[i].id);
		free(p->scenarios[i].title);
	}
	for (size_t i = 0; i < p->n_profiles; i++)
		free_profile(&p->profiles[i]);
	for (size_t i = 0; i < p->n_figures; i++) {
		free(p->figures[i].unit);
		free(p->figures[i].shown);
		free(p->figures[i].why);
	}
	for (size_t i = 0; i < p->n_tables; i++)
		free_table(&p->tables[i]);
	for (size_t i = 0; i < p->n_contradictions; i++) {
		free(p->contradictions[i].profiles);
		free(p->contradictions[i].text);
	}
	paper_free_list(p->not_stated, p->n_not_stated);
	free(p->scenarios);
	free(p->profiles);
	free(p->figures);
	free(p->tables);
	free(p->contradictions);
	free(p->id);
	free(p->dir);
	free(p->text);
	free(p->title);
	free(p->publisher);
	free(p->document);
	free(p->source_note);
	free(p->testbed);
	free(p->load_generator);
	free(p);
}
