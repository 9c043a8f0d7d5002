// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the values of a study: what is known of a cell, and if not, why. How a
 * study comes about from folders and files is in study_load.c.
 */
#include "study.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

/* A part of a profile has run when the profile has. */
static bool has_line(const struct results_run *run, const struct study_line *line)
{
	const char *name = line->whole ? line->whole->id : line->name;

	return !strcmp(name, run->profile) && line->scenario_id &&
	       !strcmp(line->scenario_id, run->scenario);
}

bool study_is_line_of(const struct study_line *line, const struct results_run *run)
{
	return !line->whole && has_line(run, line);
}

bool study_part_has(const struct study_part *part, const struct study_line *line)
{
	for (size_t i = 0; i < part->folder->n_runs; i++) {
		const struct results_run *run = &part->folder->runs[i];

		if (run->target == part->target && run->state != RESULTS_NOT_RUN &&
		    has_line(run, line))
			return true;
	}
	return false;
}

struct study_cell *study_at(const struct study *s, size_t line, size_t target)
{
	return &s->cells[line * s->n_targets + target];
}

static enum study_gap find_io(const struct study_cell *c, enum direction d,
			      const struct series_io **io)
{
	if (c->state != STUDY_MEASURED)
		return STUDY_NOTHING_MEASURED;
	*io = &c->series.io[d];
	return (*io)->ios ? STUDY_KNOWN : STUDY_NO_IO;
}

static enum study_gap find_latency(const struct study_cell *c, enum direction d,
				   const struct latency **latency)
{
	const struct series_io *io = NULL;
	enum study_gap gap = find_io(c, d, &io);

	if (gap)
		return gap;
	*latency = &io->latency;
	/* a mean over some of the I/Os is not the mean */
	return (*latency)->unmeasured || !(*latency)->n ? STUDY_NO_LATENCY : STUDY_KNOWN;
}

enum study_gap study_value(const struct study_cell *c, enum metric metric, enum direction d,
			   double *value)
{
	const struct latency *latency = NULL;
	const struct series_io *io = NULL;
	enum study_gap gap = find_io(c, d, &io);

	if (gap)
		return gap;
	switch (metric) {
	case METRIC_IOPS:
		return spread_mean(&io->iops, value) ? STUDY_KNOWN : STUDY_NO_RATE;
	case METRIC_BANDWIDTH:
		return spread_mean(&io->bandwidth, value) ? STUDY_KNOWN : STUDY_NO_RATE;
	default:
		gap = find_latency(c, d, &latency);
		if (!gap)
			*value = latency->mean;
		return gap;
	}
}

enum study_gap study_percentile(const struct study_cell *c, enum direction d, double percent,
				double *ns)
{
	const struct series_io *io = NULL;
	enum study_gap gap = find_io(c, d, &io);
	uint64_t v = 0;

	if (gap)
		return gap;
	if (!latency_percentile(&io->latency, percent, &v))
		return io->latency.unmeasured && !io->latency.hist.n ? STUDY_NO_LATENCY
								     : STUDY_NO_HISTOGRAM;
	*ns = (double)v;
	return STUDY_KNOWN;
}

enum study_gap study_latency_max(const struct study_cell *c, enum direction d, double *ns)
{
	const struct latency *latency = NULL;
	enum study_gap gap = find_latency(c, d, &latency);

	if (!gap)
		*ns = (double)latency->max;
	return gap;
}

enum study_gap study_in_flight(const struct study_cell *c, double *in_flight)
{
	double iops = 0, ns = 0;
	enum study_gap gap = study_value(c, METRIC_IOPS, DIRECTION_ALL, &iops);

	if (!gap)
		gap = study_value(c, METRIC_LATENCY_MEAN, DIRECTION_ALL, &ns);
	if (!gap)
		*in_flight = iops * ns / 1e9;
	return gap;
}

double study_rate_limit(const struct study_line *line, const struct study_cell *c)
{
	const struct paper_profile *p = line->profile;
	double per_vm = 0;

	if (!p || !c->run)
		return 0;
	if (!p->n_parts)
		return (double)p->rate_iops * p->threads * (double)c->run->vms;
	for (size_t i = 0; i < p->n_parts; i++) {
		if (!p->parts[i].rate_iops)
			return 0;
		per_vm += (double)p->parts[i].rate_iops * p->parts[i].threads;
	}
	return per_vm * (double)c->run->vms;
}

size_t study_directions(const struct study_cell *c, enum direction out[MODEL_DIRECTIONS])
{
	size_t n = 0;

	if (c->state != STUDY_MEASURED)
		return 0;
	for (int d = DIRECTION_READ; d <= DIRECTION_TRIM; d++)
		if (c->series.io[d].ios)
			out[n++] = (enum direction)d;
	/* the sum is a line of its own only where it is not the only direction */
	if (n != 1 && c->series.io[DIRECTION_ALL].ios)
		out[n++] = DIRECTION_ALL;
	return n;
}

bool study_is_short(const struct study_cell *c)
{
	/* fio stops within a tick of the time asked for; 5 % leaves room for very short runs */
	return c->state == STUDY_MEASURED && c->series.asked_ms &&
	       (double)c->series.shortest_ms < 0.95 * (double)c->series.asked_ms;
}

void study_free(struct study *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n_lines * s->n_targets; i++) {
		series_free(&s->cells[i].series);
		free(s->cells[i].reason);
		free(s->cells[i].version);
	}
	for (size_t i = 0; i < s->n_lines; i++) {
		free(s->lines[i].name);
		free(s->lines[i].scenario_id);
	}
	for (size_t i = 0; i < s->n_targets; i++) {
		free(s->targets[i].name);
		free(s->targets[i].engine);
		free(s->targets[i].parts);
	}
	free(s->cells);
	free(s->lines);
	free(s->targets);
	free(s->version.text);
	paper_free_list(s->unmatched, s->n_unmatched);
	paper_free_list(s->unreadable, s->n_unreadable);
	for (size_t i = 0; i < s->n_folders; i++)
		results_free(s->folders[i]);
	free(s->folders);
	paper_free(s->paper);
	free(s);
}
