// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what a printed report consists of and in which order. The tables are
 * built in sheet_tables.c; the emitters only print.
 */
#include "sheet.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engines/version.h"
#include "mem.h"
#include "sheet_tables.h"
#include "units.h"

/* Takes `value` over; NULL is "-": unknown. */
static void add_fact(struct sheet_fact **facts, size_t *n, const char *name, char *value)
{
	*facts = mem_resize(*facts, *n + 1, sizeof(**facts));
	(*facts)[(*n)++] = (struct sheet_fact){name, value ? value : mem_copy("-")};
}

static char *copy_or_null(const char *text)
{
	return text ? mem_copy(text) : NULL;
}

static char *join(char *const *texts, size_t n)
{
	char *all = mem_copy(n ? texts[0] : "");

	for (size_t i = 1; i < n; i++) {
		char *longer = mem_printf("%s; %s", all, texts[i]);

		free(all);
		all = longer;
	}
	return all;
}

static void add_heading(struct sheet *sheet, const struct paper *p)
{
	struct sheet_fact **f = &sheet->heading;
	size_t *n = &sheet->n_heading;

	add_fact(f, n, "Source", mem_printf("%s: %s", p->publisher, p->document));
	if (p->source_note)
		add_fact(f, n, "About it", mem_copy(p->source_note));
	/* of workloads without figures there was none */
	if (p->testbed || p->n_figures)
		add_fact(f, n, "Their testbed", copy_or_null(p->testbed));
	add_fact(f, n, "Their load", copy_or_null(p->load_generator));
	if (p->n_not_stated)
		add_fact(f, n, "Not stated", join(p->not_stated, p->n_not_stated));
	for (size_t i = 0; i < p->n_contradictions; i++)
		if (!p->contradictions[i].n_profiles)
			add_fact(f, n, "Contradiction", mem_copy(p->contradictions[i].text));
}

static char *version_text(const struct study *s)
{
	if (!s->version.text)
		return s->n_folders ? copy_or_null(s->folders[0]->environment.fio_version) : NULL;
	return mem_printf("%s%s", s->version.text,
			  s->version.varies ? " and other versions: compare with care" : "");
}

static char *cpu_text(const struct results_environment *e)
{
	char *cpus = e->cpus ? mem_printf(", %" PRIu64 " logical", e->cpus) : mem_copy("");
	char *nodes = e->numa_nodes ? mem_printf(", %" PRIu64 " NUMA node%s", e->numa_nodes,
						 e->numa_nodes == 1 ? "" : "s")
				    : mem_copy("");
	char *governor = e->governor ? mem_printf(", governor %s", e->governor) : mem_copy("");
	char *text = e->cpu ? mem_printf("%s%s%s%s", e->cpu, cpus, nodes, governor) : NULL;

	free(cpus);
	free(nodes);
	free(governor);
	return text;
}

static char *target_text(const struct results_target *t)
{
	return mem_printf("%s: %s on %s (%s), device %s, model %s, file system %s", t->name,
			  t->engine, t->path ? t->path : "-", t->kind ? t->kind : "-",
			  t->device ? t->device : "-", t->device_model ? t->device_model : "-",
			  t->filesystem ? t->filesystem : "-");
}

static char *started_text(const struct results *r)
{
	return copy_or_null(r->started);
}

static char *resumed_text(const struct results *r)
{
	return r->n_resumed ? join(r->resumed, r->n_resumed) : NULL;
}

static char *host_text(const struct results *r)
{
	return copy_or_null(r->environment.hostname);
}

static char *kernel_text(const struct results *r)
{
	return copy_or_null(r->environment.kernel);
}

static char *processor_text(const struct results *r)
{
	return cpu_text(&r->environment);
}

static char *memory_text(const struct results *r)
{
	uint64_t bytes = r->environment.memory_bytes;

	return bytes ? mem_copy(units_bytes(bytes).s) : NULL;
}

static char *fiopack_text(const struct results *r)
{
	return r->fiopack ? mem_printf("%s, runs made with %s", FIOPACK_VERSION, r->fiopack)
			  : mem_copy(FIOPACK_VERSION);
}

/* One value when it is that of all folders, else one for each. */
static void add_fact_of_folders(struct sheet *sheet, const struct study *s, const char *name,
				char *(*value)(const struct results *r))
{
	char **values = mem_new(s->n_folders, sizeof(*values)), *all;
	bool same = true;

	for (size_t i = 0; i < s->n_folders; i++) {
		values[i] = value(s->folders[i]);
		if (!values[i])
			values[i] = mem_copy("-");
		same &= !strcmp(values[i], values[0]);
	}
	all = same ? mem_copy(values[0]) : mem_copy("");
	for (size_t i = 0; !same && i < s->n_folders; i++) {
		char *longer = mem_printf("%s%s%s (%s)", all, i ? "; " : "", values[i],
					  s->folders[i]->root);

		free(all);
		all = longer;
	}
	add_fact(&sheet->facts, &sheet->n_facts, name, all);
	for (size_t i = 0; i < s->n_folders; i++)
		free(values[i]);
	free(values);
}

static bool was_resumed(const struct study *s)
{
	for (size_t i = 0; i < s->n_folders; i++)
		if (s->folders[i]->n_resumed)
			return true;
	return false;
}

static void add_targets(struct sheet *sheet, const struct study *s)
{
	for (size_t i = 0; i < s->n_folders; i++) {
		const struct results *r = s->folders[i];

		for (size_t k = 0; k < r->n_targets; k++) {
			char *text = target_text(&r->targets[k]);

			if (s->n_folders > 1) {
				char *longer = mem_printf("%s (%s)", text, r->root);

				free(text);
				text = longer;
			}
			add_fact(&sheet->facts, &sheet->n_facts, "Target", text);
		}
	}
}

static void add_facts(struct sheet *sheet, const struct study *s)
{
	struct sheet_fact **f = &sheet->facts;
	size_t *n = &sheet->n_facts;

	/* fio's licence asks that published results name fio and its version */
	add_fact(f, n, "fio", version_text(s));
	if (s->n_folders) {
		add_fact_of_folders(sheet, s, "fiopack", fiopack_text);
		add_fact_of_folders(sheet, s, "Started", started_text);
		if (was_resumed(s))
			add_fact_of_folders(sheet, s, "Resumed", resumed_text);
		add_fact_of_folders(sheet, s, "Host", host_text);
		add_fact_of_folders(sheet, s, "Kernel", kernel_text);
		add_fact_of_folders(sheet, s, "CPU", processor_text);
		add_fact_of_folders(sheet, s, "Memory", memory_text);
		add_targets(sheet, s);
	} else {
		add_fact(f, n, "fiopack", mem_copy(FIOPACK_VERSION));
	}
	if (s->n_unmatched) {
		char *names = join(s->unmatched, s->n_unmatched);

		add_fact(f, n, "Left out",
			 mem_printf("jobs that are no profile of the paper \"%s\": %s",
				    s->paper->id, names));
		free(names);
	}
}

static bool has_other_lines(const struct study *s)
{
	for (size_t i = 0; i < s->n_lines; i++)
		if (!s->lines[i].table)
			return true;
	return false;
}

void sheet_make(struct sheet *sheet, const struct study *s, const struct checks *checks)
{
	const struct paper *p = s->paper;

	*sheet = (struct sheet){.checks = checks};
	sheet->title = p ? mem_printf("%s (%s)", p->title, p->id) : mem_copy("Results of fio");
	sheet->tables = mem_new((p ? p->n_tables : 0) + 2, sizeof(*sheet->tables));
	if (p) {
		add_heading(sheet, p);
		for (size_t i = 0; i < p->n_tables; i++)
			sheet_paper_table(&sheet->tables[sheet->n_tables++], s, &p->tables[i],
					  &sheet->notes);
		if (has_other_lines(s))
			sheet_paper_table(&sheet->tables[sheet->n_tables++], s, NULL,
					  &sheet->notes);
	}
	sheet_detail_table(&sheet->tables[sheet->n_tables++], s, &sheet->notes);
	add_facts(sheet, s);
}

static void free_facts(struct sheet_fact *facts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(facts[i].value);
	free(facts);
}

void sheet_free(struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->n_tables; i++)
		table_free(&sheet->tables[i]);
	free(sheet->tables);
	free_facts(sheet->heading, sheet->n_heading);
	free_facts(sheet->facts, sheet->n_facts);
	notes_free(&sheet->notes);
	free(sheet->title);
	*sheet = (struct sheet){0};
}
