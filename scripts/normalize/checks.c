// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the verdicts on measurements. The papers' own contradictions are data
 * of paper.json and are not judged here.
 */
#include "checks.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "units.h"

/* IOPS x latency may differ from the configured depth by this much before it is worth a word. */
#define LITTLE_TOLERANCE 0.10

/* What a workload reaches of the rate that it holds back to; a short run has few I/Os to count. */
#define RATE_TOLERANCE 0.10

__attribute__((format(printf, 5, 6))) static void add(struct checks *checks, enum verdict verdict,
						      const char *name, const char *about,
						      const char *fmt, ...)
{
	struct check *check;
	char *reason;
	va_list ap;

	va_start(ap, fmt);
	reason = mem_vprintf(fmt, ap);
	va_end(ap);
	checks->list = mem_resize(checks->list, checks->n + 1, sizeof(*checks->list));
	check = &checks->list[checks->n++];
	*check = (struct check){
		.verdict = verdict,
		.name = name,
		.about = mem_copy(about),
		.reason = reason,
	};
	checks->count[verdict]++;
}

static void check_runs(struct checks *checks, const struct study_cell *c, const char *about)
{
	if (c->failed)
		add(checks, VERDICT_FAIL, "runs", about, "%zu of %zu runs failed: %s", c->failed,
		    c->planned, c->reason ? c->reason : "no reason was recorded");
	else if (c->done < c->planned)
		add(checks, VERDICT_WARN, "runs", about, "%zu of %zu runs are there", c->done,
		    c->planned);
	else
		add(checks, VERDICT_OK, "runs", about, "%zu of %zu runs, no job failed", c->done,
		    c->planned);
}

static void check_io_errors(struct checks *checks, const struct study_cell *c, const char *about)
{
	if (c->series.io_errors)
		add(checks, VERDICT_FAIL, "io_errors", about,
		    "%" PRIu64 " I/Os failed and the jobs went on (continue_on_error)",
		    c->series.io_errors);
}

static void check_did_something(struct checks *checks, const struct study_cell *c,
				const char *about)
{
	enum direction directions[MODEL_DIRECTIONS];

	if (!study_directions(c, directions))
		add(checks, VERDICT_FAIL, "io", about, "the runs ended well without any I/O");
}

/* fio's names for what a profile describes; "readwrite" is an alias of "rw". */
static bool is_workload(const struct paper_profile *p, const char *rw)
{
	bool random = p->pattern == PATTERN_RANDOM;

	if (!p->write_percent)
		return !strcmp(rw, random ? "randread" : "read");
	if (p->write_percent == 100)
		return !strcmp(rw, random ? "randwrite" : "write");
	return !strcmp(rw, random ? "randrw" : "rw") || (!random && !strcmp(rw, "readwrite"));
}

/* Results can be of another job than the name of their folder or of the job says. */
static void check_workload(struct checks *checks, const struct study_line *line,
			   const struct study_cell *c, const char *about)
{
	const char *rw = c->series.rw.text;

	/* parts are judged one by one */
	if (!line->profile || line->profile->n_parts || !rw ||
	    (!c->series.rw.varies && is_workload(line->profile, rw)))
		return;
	add(checks, VERDICT_FAIL, "workload", about,
	    "the job ran rw=%s%s, which is not the profile's", rw,
	    c->series.rw.varies ? " and others" : "");
}

static void check_runtime(struct checks *checks, const struct study_cell *c, const char *about)
{
	double ran = (double)c->series.shortest_ms / 1000,
	       asked = (double)c->series.asked_ms / 1000;

	if (!c->series.asked_ms)
		return;
	if (study_is_short(c))
		add(checks, VERDICT_WARN, "runtime", about,
		    "the shortest job ran %.3g s of the %.3g s asked for", ran, asked);
	else
		add(checks, VERDICT_OK, "runtime", about, "%.3g s of %.3g s", ran, asked);
}

static void check_littles_law(struct checks *checks, const struct study_cell *c, const char *about)
{
	double in_flight = 0, configured = (double)c->in_flight, ratio;

	if (!c->in_flight || study_in_flight(c, &in_flight))
		return;
	ratio = in_flight / configured;
	if (ratio >= 1 - LITTLE_TOLERANCE && ratio <= 1 + LITTLE_TOLERANCE)
		add(checks, VERDICT_OK, "littles_law", about,
		    "IOPS x mean latency is %s I/Os in flight of %s configured",
		    units_short(in_flight).s, units_count(configured).s);
	else
		add(checks, VERDICT_WARN, "littles_law", about,
		    "IOPS x mean latency is %s I/Os in flight, %.0f %% of the %s configured: %s",
		    units_short(in_flight).s, 100 * ratio, units_count(configured).s,
		    ratio < 1 ? "the queue was not kept full, or time passed outside of the I/Os"
			      : "more than was configured, so one of the three is not what it "
				"seems");
}

static void check_rate(struct checks *checks, const struct study_cell *c, double limit,
		       const char *about)
{
	/* each job may be an I/O ahead or behind, which is much of a slow rate in a short run */
	double seconds = (double)c->series.shortest_ms / 1000, iops = 0;
	double slack =
		RATE_TOLERANCE * limit + (seconds > 0 ? (double)c->series.jobs / seconds : 0);
	bool slow, fast;

	if (study_value(c, METRIC_IOPS, DIRECTION_ALL, &iops))
		return;
	slow = iops < limit - slack;
	fast = iops > limit + slack;
	add(checks, slow || fast ? VERDICT_WARN : VERDICT_OK, "rate", about,
	    "%s IOPS of the %s that the workload holds back to%s", units_short(iops).s,
	    units_short(limit).s, slow ? ": the target did not keep up" : "");
}

/* The workload, or a part of it, does no more than so many IOPS. */
static bool holds_back(const struct paper_profile *p)
{
	bool any = p->rate_iops;

	for (size_t i = 0; i < p->n_parts; i++)
		any |= holds_back(&p->parts[i]);
	return any;
}

static void check_measured(struct checks *checks, const struct study_line *line,
			   const struct study_cell *c, const char *about)
{
	double limit = study_rate_limit(line, c);

	check_did_something(checks, c, about);
	check_workload(checks, line, c, about);
	if (limit > 0)
		check_rate(checks, c, limit, about);
	if (line->whole)
		return; /* the rest is about the jobs of the whole */
	check_io_errors(checks, c, about);
	check_runtime(checks, c, about);
	/* such a one does not keep its queue full */
	if (!line->profile || !holds_back(line->profile))
		check_littles_law(checks, c, about);
}

void checks_run(const struct study *s, struct checks *checks)
{
	for (size_t line = 0; line < s->n_lines; line++) {
		for (size_t target = 0; target < s->n_targets; target++) {
			const struct study_cell *c = study_at(s, line, target);
			const char *scenario = s->lines[line].scenario_id;
			char *about;

			if (!c->planned)
				continue;
			if (s->paper && s->paper->n_scenarios > 1 && scenario)
				about = mem_printf("%s, %s, on %s", s->lines[line].name, scenario,
						   s->targets[target].name);
			else
				about = mem_printf("%s on %s", s->lines[line].name,
						   s->targets[target].name);
			if (!s->lines[line].whole)
				check_runs(checks, c, about);
			if (c->state == STUDY_MEASURED)
				check_measured(checks, &s->lines[line], c, about);
			free(about);
		}
	}
}

const char *checks_word(enum verdict v)
{
	static const char *const words[] = {"ok", "warn", "FAIL"};

	return words[v];
}

void checks_free(struct checks *checks)
{
	for (size_t i = 0; i < checks->n; i++) {
		free(checks->list[i].about);
		free(checks->list[i].reason);
	}
	free(checks->list);
	*checks = (struct checks){0};
}
