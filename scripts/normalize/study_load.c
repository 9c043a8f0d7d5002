// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns putting a study together: lines from the paper, targets and runs from a
 * results folder or from plain files, results from collect.c.
 */
#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "mem.h"
#include "study.h"
#include "study_columns.h"

/* What is shown of a profile that is in none of the paper's tables. */
static const struct paper_cell default_cells[] = {
	{METRIC_IOPS, DIRECTION_ALL},
	{METRIC_LATENCY_MEAN, DIRECTION_ALL},
};

static struct study_line *add_line(struct study *s, const char *name)
{
	struct study_line *line;

	if (!(s->n_lines & (s->n_lines - 1)))
		s->lines = mem_resize(s->lines, s->n_lines ? s->n_lines * 2 : 1, sizeof(*s->lines));
	line = &s->lines[s->n_lines++];
	*line = (struct study_line){
		.name = mem_copy(name),
		.cells = default_cells,
		.n_cells = sizeof(default_cells) / sizeof(default_cells[0]),
	};
	return line;
}

/* After a line: what its profile consists of. */
static void add_part_lines(struct study *s)
{
	const struct study_line of = s->lines[s->n_lines - 1];

	for (size_t i = 0; of.profile && i < of.profile->n_parts; i++) {
		struct study_line *line = add_line(s, of.profile->parts[i].id);

		line->profile = &of.profile->parts[i];
		line->whole = of.profile;
		line->table = of.table;
		line->scenario = of.scenario;
		line->scenario_id = mem_copy(of.scenario_id);
	}
}

static void add_paper_lines(struct study *s)
{
	for (size_t t = 0; t < s->paper->n_tables; t++) {
		const struct paper_table *table = &s->paper->tables[t];

		for (size_t r = 0; r < table->n_rows; r++) {
			const struct paper_row *row = &table->rows[r];

			for (size_t k = 0; k < table->n_scenarios; k++) {
				struct study_line *line = add_line(s, row->profile->id);

				line->profile = row->profile;
				line->table = table;
				line->scenario = table->scenarios[k];
				line->scenario_id = mem_copy(table->scenarios[k]->id);
				line->cells = row->cells;
				line->n_cells = row->n_cells;
				add_part_lines(s);
			}
		}
	}
}

/* Runs of a profile or in a scenario that the paper's tables do not have are shown all the same. */
static void add_other_lines(struct study *s, const struct results *folder)
{
	for (size_t i = 0; i < folder->n_runs; i++) {
		const struct results_run *run = &folder->runs[i];
		struct study_line *line;
		size_t k = 0;

		while (k < s->n_lines && !study_is_line_of(&s->lines[k], run))
			k++;
		if (k < s->n_lines)
			continue;
		line = add_line(s, run->profile);
		line->scenario_id = mem_copy(run->scenario);
		if (s->paper) {
			line->profile = paper_find_profile(s->paper, run->profile);
			line->scenario = paper_find_scenario(s->paper, run->scenario);
			add_part_lines(s);
		}
	}
}

static void add_text(char ***texts, size_t *n, const char *text)
{
	*texts = mem_resize(*texts, *n + 1, sizeof(**texts));
	(*texts)[(*n)++] = mem_copy(text);
}

static void set_reason(struct study_cell *cell, const char *reason)
{
	if (!cell->reason && reason)
		cell->reason = mem_copy(reason);
}

static void finish_cell(struct study_cell *cell)
{
	cell->done = cell->series.n - cell->series.failed;
	cell->failed += cell->series.failed;
	if (cell->series.failed && !cell->reason)
		cell->reason =
			mem_printf("a job ended with error %ld (%s)", cell->series.first_error,
				   strerror((int)cell->series.first_error));
	if (cell->done)
		cell->state = STUDY_MEASURED;
	else if (cell->failed)
		cell->state = STUDY_FAILED;
	if (!cell->in_flight)
		cell->in_flight = cell->series.in_flight;
}

static void read_run(struct study *s, struct study_cell *cell, const struct study_part *part,
		     const struct results_run *run, struct collect *collect)
{
	struct fault fault = {""};
	char *path;

	cell->planned++;
	if (!cell->run) {
		cell->run = run;
		/* three 32-bit numbers from run.json: two of them always fit, the third may not */
		if (__builtin_mul_overflow(run->vms * run->numjobs, run->iodepth, &cell->in_flight))
			cell->in_flight = 0;
	}
	if (run->state == RESULTS_FAILED) {
		cell->failed++;
		set_reason(cell, run->reason);
	}
	if (run->state != RESULTS_DONE)
		return;
	path = results_json_path(part->folder, run);
	if (collect_file(collect, path, run->profile, &fault)) {
		cell->failed++;
		set_reason(cell, fault.text);
		add_text(&s->unreadable, &s->n_unreadable, fault.text);
	}
	free(path);
}

/* The series of that name moves into the cell. */
static void take_group(struct study_cell *cell, struct collect *collect, const char *name)
{
	struct collect_group *group = collect_find(collect, name);

	if (group) {
		cell->series = group->series;
		group->series = (struct series){0};
	}
	finish_cell(cell);
}

/* The cell of a line and, from the same files, those of its parts. */
static void read_cell(struct study *s, size_t line, size_t target)
{
	struct collect collect = {.paper = s->paper};
	struct study_cell *cell = study_at(s, line, target);
	const struct study_target *t = &s->targets[target];
	const struct paper_profile *profile = s->lines[line].profile;
	bool any = false;

	for (size_t k = 0; k < t->n_parts; k++)
		any |= study_part_has(&t->parts[k], &s->lines[line]);
	for (size_t k = 0; k < t->n_parts; k++) {
		const struct study_part *part = &t->parts[k];

		/* what one folder has planned and not made, another one may have made */
		if (any && !study_part_has(part, &s->lines[line]))
			continue;
		for (size_t i = 0; i < part->folder->n_runs; i++) {
			const struct results_run *run = &part->folder->runs[i];

			if (run->target == part->target && study_is_line_of(&s->lines[line], run))
				read_run(s, cell, part, run, &collect);
		}
	}
	collect_finish(&collect);
	if (collect.version.text)
		cell->version = mem_copy(collect.version.text);
	fact_merge(&s->version, collect.version.text);
	s->version.varies |= collect.version.varies;
	for (size_t i = 1; profile && i <= profile->n_parts; i++) {
		struct study_cell *part = study_at(s, line + i, target);

		part->planned = cell->planned;
		part->run = cell->run;
		part->failed = cell->failed;
		set_reason(part, cell->reason);
		take_group(part, &collect, s->lines[line + i].name);
	}
	take_group(cell, &collect, s->lines[line].name);
	collect_free(&collect);
}

static bool load_paper(struct study *s, const char *profiles_dir, const char *id, struct fault *f)
{
	if (!id)
		return true;
	s->paper = paper_load(profiles_dir, id, f);
	return s->paper != NULL;
}

/* One after the other; a folder is counted before anything can fail, so it is freed. */
static bool load_folders(struct study *s, char *const *dirs, size_t n, struct fault *f)
{
	s->folders = mem_new(n, sizeof(*s->folders));
	for (; s->n_folders < n; s->n_folders++) {
		s->folders[s->n_folders] = results_load(dirs[s->n_folders], f);
		if (!s->folders[s->n_folders])
			return false;
	}
	return true;
}

/* The paper that all folders are of. False with `f` filled when there is none. */
static bool common_paper(const struct study *s, const char **paper, struct fault *f)
{
	*paper = s->folders[0]->paper;
	for (size_t i = 1; i < s->n_folders; i++) {
		const char *other = s->folders[i]->paper;

		if (!mem_same(*paper, other))
			return !fault_set(
				f,
				"%s is of the paper %s and %s of %s: one report is of one "
				"paper (--paper ID names it)",
				s->folders[0]->root, *paper ? *paper : "(none)",
				s->folders[i]->root, other ? other : "(none)");
	}
	return true;
}

/* The paper that the folders name; they may have it with them. */
static bool load_own_paper(struct study *s, char *const *dirs, const char *profiles_dir,
			   struct fault *f)
{
	const char *id;

	if (!common_paper(s, &id, f))
		return false;
	if (id)
		s->paper = paper_load_kept(dirs, s->n_folders, profiles_dir, id, f);
	return !id || s->paper;
}

struct study *study_from_results(char *const *dirs, size_t n, const char *profiles_dir,
				 const char *paper, struct fault *f)
{
	struct study *s = mem_new(1, sizeof(*s));

	if (!load_folders(s, dirs, n, f) ||
	    !(paper ? load_paper(s, profiles_dir, paper, f)
		    : load_own_paper(s, dirs, profiles_dir, f)) ||
	    !study_add_columns(s, f)) {
		study_free(s);
		return NULL;
	}
	if (s->paper)
		add_paper_lines(s);
	for (size_t i = 0; i < n; i++)
		add_other_lines(s, s->folders[i]);
	s->cells = mem_new(s->n_lines * s->n_targets, sizeof(*s->cells));
	for (size_t line = 0; line < s->n_lines; line++)
		for (size_t target = 0; !s->lines[line].whole && target < s->n_targets; target++)
			read_cell(s, line, target);
	return s;
}

/* Plain files have one target, known by the engine if that is the same everywhere. */
static void add_file_target(struct study *s, const struct collect *collect)
{
	struct fact engine = {0};

	for (size_t i = 0; i < collect->n_groups; i++) {
		fact_merge(&engine, collect->groups[i].series.engine.text);
		engine.varies |= collect->groups[i].series.engine.varies;
	}
	s->targets = mem_new(1, sizeof(*s->targets));
	s->n_targets = 1;
	if (engine.text && !engine.varies)
		s->targets[0].engine = mem_copy(engine.text);
	s->targets[0].name = mem_copy(s->targets[0].engine ? s->targets[0].engine : "fio");
	free(engine.text);
}

/* The series moves into the cell. */
static void take_series(struct study_cell *cell, struct series *series)
{
	cell->planned = series->n;
	cell->series = *series;
	*series = (struct series){0};
	finish_cell(cell);
}

/* A plain file does not say which scenario it is of: the first line of its name. */
static void match_group(struct study *s, struct collect_group *group)
{
	for (size_t i = 0; i < s->n_lines; i++) {
		if (study_at(s, i, 0)->planned || strcmp(s->lines[i].name, group->name))
			continue;
		take_series(study_at(s, i, 0), &group->series);
		return;
	}
	add_text(&s->unmatched, &s->n_unmatched, group->name);
}

struct study *study_from_files(char *const *files, size_t n, const char *profiles_dir,
			       const char *paper, struct fault *f)
{
	struct study *s = mem_new(1, sizeof(*s));
	struct collect collect = {0};
	bool ok = load_paper(s, profiles_dir, paper, f);

	collect.paper = s->paper;
	for (size_t i = 0; ok && i < n; i++)
		ok = !collect_file(&collect, files[i], NULL, f);
	if (ok && !collect.jobs)
		ok = !fault_set(f, "%s: fio ran no job: \"jobs\" is empty", files[0]);
	if (ok) {
		collect_finish(&collect);
		fact_merge(&s->version, collect.version.text);
		s->version.varies = collect.version.varies;
		if (s->paper)
			add_paper_lines(s);
		else
			for (size_t i = 0; i < collect.n_groups; i++)
				add_line(s, collect.groups[i].name);
		add_file_target(s, &collect);
		s->cells = mem_new(s->n_lines, sizeof(*s->cells));
		for (size_t i = 0; i < collect.n_groups; i++)
			if (s->paper)
				match_group(s, &collect.groups[i]);
			else
				take_series(study_at(s, i, 0), &collect.groups[i].series);
	} else {
		study_free(s);
		s = NULL;
	}
	collect_free(&collect);
	return s;
}
