// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the wording of footnotes and which of them apply. Numbering is in
 * notes.c; where the marks go is decided in sheet.c and records.c.
 */
#include "explain.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "units.h"

/* What sets the figures of a profile other than the target. */
static void explain_profile(const struct paper_profile *p, struct notes *notes, struct marks *marks)
{
	char *names = mem_copy(p->n_parts ? p->parts[0].id : "");

	for (size_t i = 1; i < p->n_parts; i++) {
		char *longer = mem_printf("%s%s%s", names, i + 1 < p->n_parts ? ", " : " and ",
					  p->parts[i].id);

		free(names);
		names = longer;
	}
	if (p->n_parts)
		notes_mark(notes, marks,
			   "%s is %s at once: its rates are their sum, its latency is over all "
			   "their I/Os.",
			   p->id, names);
	if (p->rate_iops)
		notes_mark(notes, marks, "%s holds back to %u IOPS per thread.", p->id,
			   p->rate_iops);
	for (size_t i = 0; i < p->n_parts; i++)
		explain_profile(&p->parts[i], notes, marks);
	free(names);
}

void explain_line(const struct study *s, const struct study_line *line, struct notes *notes,
		  struct marks *marks)
{
	const struct paper_profile *p = line->profile;

	if (!s->paper)
		return;
	if (!p) {
		notes_mark(notes, marks, "Not a profile of the paper \"%s\".", s->paper->id);
		return;
	}
	explain_profile(p, notes, marks);
	for (size_t i = 0; i < p->n_assumed; i++)
		notes_mark(notes, marks, "Assumed, %s: %s; %s.", p->assumed[i].what,
			   p->assumed[i].chosen, p->assumed[i].why);
	if (!s->n_folders && s->paper->n_scenarios > 1 && line->scenario)
		notes_mark(notes, marks,
			   "Plain files do not name a scenario: taken as the first that the table "
			   "has for the profile.");
}

void explain_figure(const struct paper_figure *figure, struct notes *notes, struct marks *marks)
{
	if (!figure->comparable)
		notes_mark(notes, marks,
			   "The published %s is not comparable with a client-side one: %s.",
			   figure->metric == METRIC_LATENCY_MEAN ? "latency" : "figure",
			   figure->why);
	if (figure->stated == STATED_OVER || figure->stated == STATED_UNDER)
		notes_mark(notes, marks,
			   "Published as a bound (> over, < under): a ratio is to the bound.");
	if (figure->stated == STATED_ABOUT)
		notes_mark(notes, marks, "Published as an approximate figure (~).");
}

void explain_published(const struct study *s, const struct study_line *line, struct notes *notes,
		       struct marks *marks)
{
	if (!s->paper || !line->scenario)
		return;
	for (size_t i = 0; i < line->n_cells; i++) {
		const struct paper_figure *figure =
			paper_find_figure(s->paper, line->profile, line->scenario, line->cells[i]);

		if (figure)
			explain_figure(figure, notes, marks);
	}
	for (size_t i = 0; i < s->paper->n_contradictions; i++) {
		const struct paper_contradiction *c = &s->paper->contradictions[i];

		for (size_t k = 0; k < c->n_profiles; k++)
			if (c->profiles[k] == line->profile)
				notes_mark(notes, marks, "In the paper: %s.", c->text);
	}
}

static bool differ(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : a != b;
}

static const char *known(const char *text)
{
	return text ? text : "unknown";
}

/* "5 s after a ramp of 1 s", or less where less is known. Caller frees. */
static char *times(double runtime_s, double ramp_s)
{
	if (ramp_s < 0)
		return mem_printf("%g s", runtime_s);
	return mem_printf("%g s after a ramp of %g s", runtime_s, ramp_s);
}

static void explain_times(const struct results_options *o, struct notes *notes, struct marks *marks)
{
	char *ran = times(o->runtime_s, o->ramp_s);
	char *asked = times(o->asked_runtime_s, o->asked_ramp_s);
	bool differs = o->runtime_s >= 0 && o->asked_runtime_s >= 0 &&
		       (o->runtime_s != o->asked_runtime_s || o->ramp_s != o->asked_ramp_s);

	if (differs)
		notes_mark(notes, marks, "%s%s, where the profiles have %s%s.",
			   o->quick ? "Quick run, times shortened: " : "Run for ", ran, asked,
			   o->quick ? "; not a steady state" : "");
	else if (o->quick && o->runtime_s >= 0)
		notes_mark(notes, marks, "Quick run, times shortened: %s; not a steady state.",
			   ran);
	else if (o->quick)
		notes_mark(notes, marks, "Quick run, times shortened; not a steady state.");
	free(asked);
	free(ran);
}

static bool ran_parts(const struct study *s)
{
	for (size_t i = 0; i < s->n_lines; i++)
		for (size_t k = 0; s->lines[i].whole && k < s->n_targets; k++)
			if (study_at(s, i, k)->planned)
				return true;
	return false;
}

static void explain_working_set(const struct study *s, const struct study_target *target,
				const struct study_part *part, struct notes *notes,
				struct marks *marks)
{
	const struct results_options *o = &part->folder->options;
	uint64_t ours = part->target->working_set_bytes, each;
	char *vms;

	if (!ours || !s->paper)
		return;
	each = part->target->vm_size ? part->target->vm_size : o->vm_size;
	vms = o->vms && each ? mem_printf(" (%llu VM%s of %s)", (unsigned long long)o->vms,
					  o->vms == 1 ? "" : "s", units_bytes(each).s)
			     : mem_copy("");
	if (each && o->asked_vm_size && each != o->asked_vm_size)
		notes_mark(notes, marks, "Each VM works in %s on %s, where the profiles have %s%s.",
			   units_bytes(each).s, target->name, units_bytes(o->asked_vm_size).s,
			   ran_parts(s) ? "; the regions of a profile's parts are scaled alike"
					: "");
	/* nothing published, nothing to compare the working set with */
	if (!s->paper->n_figures)
		notes_mark(notes, marks, "Working set of %s on %s%s.", units_bytes(ours).s,
			   target->name, vms);
	for (size_t i = 0; s->paper->n_figures && i < s->paper->n_profiles; i++) {
		uint64_t theirs = s->paper->profiles[i].working_set_bytes;

		if (!theirs)
			notes_mark(notes, marks,
				   "Working set of %s on %s%s; the paper does not state its own.",
				   units_bytes(ours).s, target->name, vms);
		else if (theirs > ours)
			notes_mark(notes, marks, "Working set of %s on %s%s; the paper's is %s.",
				   units_bytes(ours).s, target->name, vms, units_bytes(theirs).s);
	}
	free(vms);
}

/* In which of several folders, and what of the machine is another in these. */
static void explain_folder(const struct study *s, const struct results *r, struct notes *notes,
			   struct marks *marks)
{
	const struct results_environment *e = &r->environment;
	bool host = false, kernel = false, fio = false, vms = false;
	char *hosts, *kernels, *fios, *sizes;

	if (s->n_folders < 2)
		return;
	for (size_t i = 0; i < s->n_folders; i++) {
		const struct results_environment *o = &s->folders[i]->environment;

		host |= differ(e->hostname, o->hostname);
		kernel |= differ(e->kernel, o->kernel);
		fio |= differ(e->fio_version, o->fio_version);
		vms |= r->options.vms != s->folders[i]->options.vms;
	}
	hosts = host ? mem_printf(" on %s", known(e->hostname)) : mem_copy("");
	kernels = kernel ? mem_printf(", kernel %s", known(e->kernel)) : mem_copy("");
	fios = fio ? mem_printf(", %s", known(e->fio_version)) : mem_copy("");
	sizes = vms ? mem_printf(", %llu VM%s", (unsigned long long)r->options.vms,
				 r->options.vms == 1 ? "" : "s")
		    : mem_copy("");
	notes_mark(notes, marks, "Measured in %s%s%s%s%s.", r->root, hosts, kernels, fios, sizes);
	free(sizes);
	free(fios);
	free(kernels);
	free(hosts);
}

static void explain_part(const struct study *s, const struct study_target *target,
			 const struct study_part *part, struct notes *notes, struct marks *marks)
{
	const struct results_target *t = part->target;

	explain_folder(s, part->folder, notes, marks);
	if (t->embedded)
		notes_mark(notes, marks,
			   "%s is a scratch file made for the run, not a device set aside for it.",
			   target->name);
	if (t->emulated)
		notes_mark(notes, marks,
			   "%s is EMULATED: it stands in for hardware that is not there, so its "
			   "figures say nothing about such hardware.",
			   target->name);
	if (t->direct_known && !t->direct)
		notes_mark(notes, marks,
			   "%s was used buffered: it refused O_DIRECT, so the page cache is part "
			   "of the figures.",
			   target->name);
	explain_times(&part->folder->options, notes, marks);
	explain_working_set(s, target, part, notes, marks);
	for (size_t i = 0; i < t->n_notes; i++)
		notes_mark(notes, marks, "%s: %s", target->name, t->notes[i]);
}

void explain_target(const struct study *s, const struct study_target *target, struct notes *notes,
		    struct marks *marks)
{
	/* else it is a cell's matter which of them it is of */
	if (target->n_parts == 1)
		explain_part(s, target, &target->parts[0], notes, marks);
}

/* A cell of a column that is of several folders. */
static void explain_parts(const struct study *s, const struct study_line *line,
			  const struct study_target *target, struct notes *notes,
			  struct marks *marks)
{
	for (size_t i = 0; target->n_parts > 1 && i < target->n_parts; i++)
		if (study_part_has(&target->parts[i], line))
			explain_part(s, target, &target->parts[i], notes, marks);
}

/* T threads x O outstanding may have been run as other jobs x depth. */
static void explain_concurrency(const struct study_target *target, const struct results_run *run,
				struct notes *notes, struct marks *marks)
{
	unsigned long long threads = run->threads, outstanding = run->outstanding;
	unsigned long long jobs = run->numjobs, depth = run->iodepth;
	bool synchronous = target->n_parts && target->parts[0].target->synchronous;

	if (!jobs && synchronous)
		notes_mark(notes, marks,
			   "%s is synchronous, one I/O at a time: the threads x outstanding of "
			   "each part ran as that many jobs of depth 1.",
			   target->engine);
	if (!threads || !outstanding || !jobs || !depth ||
	    (threads == jobs && outstanding == depth))
		return;
	if (synchronous)
		notes_mark(notes, marks,
			   "%s is synchronous, one I/O at a time: per VM, %llu threads x %llu "
			   "outstanding ran as %llu jobs of depth %llu.",
			   target->engine, threads, outstanding, jobs, depth);
	else
		notes_mark(notes, marks,
			   "%s: per VM, %llu threads x %llu outstanding ran as %llu jobs of depth "
			   "%llu.",
			   target->name, threads, outstanding, jobs, depth);
}

/* Rates grow with the number of VMs, until something is busy. */
static void explain_vms(const struct study_line *line, const struct study_target *target,
			const struct results_run *run, struct notes *notes, struct marks *marks)
{
	uint64_t theirs = line->scenario ? line->scenario->vms : 0;

	if (theirs && run->vms && run->vms != theirs)
		notes_mark(notes, marks, "Run with %llu VM%s on %s, where the paper has %llu (%s).",
			   (unsigned long long)run->vms, run->vms == 1 ? "" : "s", target->name,
			   (unsigned long long)theirs, line->scenario->title);
}

void explain_cell(const struct study *s, const struct study_line *line,
		  const struct study_target *target, const struct study_cell *cell,
		  struct notes *notes, struct marks *marks)
{
	const char *reason = cell->reason ? cell->reason : "no reason was recorded";

	explain_parts(s, line, target, notes, marks);
	if (cell->state == STUDY_NOT_RUN) {
		notes_mark(notes, marks, "Not run.");
		return;
	}
	if (cell->state == STUDY_FAILED)
		notes_mark(notes, marks, "FAILED, %s on %s: %s.", line->name, target->name, reason);
	else if (cell->failed)
		notes_mark(notes, marks, "%zu of %zu runs of %s on %s FAILED and are left out: %s.",
			   cell->failed, cell->planned, line->name, target->name, reason);
	if (cell->done && cell->done + cell->failed < cell->planned)
		notes_mark(notes, marks, "%zu of %zu runs of %s on %s are there.", cell->done,
			   cell->planned, line->name, target->name);
	if (cell->run) {
		explain_vms(line, target, cell->run, notes, marks);
		explain_concurrency(target, cell->run, notes, marks);
	} else if (cell->done > 1) {
		notes_mark(notes, marks,
			   "%zu results of %s are taken as repeats, so rates are their mean; hosts "
			   "that ran at the same time would have to be added up instead.",
			   cell->done, line->name);
	}
	if (cell->series.several_groups && !cell->run)
		notes_mark(
			notes, marks,
			"Jobs of %s are in several reporting groups of fio: they are added as jobs "
			"that ran together, which is wrong if a stonewall kept them apart.",
			line->name);
}

void explain_gap(enum study_gap gap, struct notes *notes, struct marks *marks)
{
	switch (gap) {
	case STUDY_KNOWN:
	case STUDY_NOTHING_MEASURED:
		break;
	case STUDY_NO_IO:
		notes_mark(notes, marks, "No I/O of this direction was done.");
		break;
	case STUDY_NO_RATE:
		notes_mark(notes, marks, "fio gave neither a rate nor a runtime to take it from.");
		break;
	case STUDY_NO_LATENCY:
		notes_mark(notes, marks,
			   "Latency was not measured, or not of all jobs (gtod_reduce or "
			   "disable_lat).");
		break;
	case STUDY_NO_HISTOGRAM:
		notes_mark(notes, marks,
			   "No percentiles: not all I/Os are in a histogram "
			   "(--output-format=json+ with lat_percentiles=1 writes it).");
		break;
	}
}

void explain_percentiles(const struct study_cell *cell, enum direction d, struct notes *notes,
			 struct marks *marks)
{
	if (cell->series.io[d].latency.completion_only)
		notes_mark(notes, marks,
			   "Percentiles are of completion latency only: there is no histogram of "
			   "total latency (lat_percentiles=1 writes it).");
}
