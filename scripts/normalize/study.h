/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one report is about: the lines of the paper's tables (or, without a
 * paper, the names of the jobs), the targets, and for each pair what was
 * measured. The parts of a profile are lines of their own that follow it.
 */
#ifndef NORMALIZE_STUDY_H
#define NORMALIZE_STUDY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fault.h"
#include "model.h"
#include "paper.h"
#include "results.h"

struct study_line {
	char *name;			       /* the profile's id, or the job's name */
	const struct paper_profile *profile;   /* or a part of one; NULL: not the paper's */
	const struct paper_profile *whole;     /* what the profile is a part of; NULL: of none */
	const struct paper_table *table;       /* NULL: in none of the paper's tables */
	const struct paper_scenario *scenario; /* NULL: unknown to the paper, or no paper */
	char *scenario_id;		       /* NULL: no paper */
	const struct paper_cell *cells;	       /* what the table's cell shows, at least one */
	size_t n_cells;
};

/* A target of one results folder. */
struct study_part {
	const struct results *folder;
	const struct results_target *target;
};

/*
 * A column of the tables. With several results folders it may be put together from one target of
 * each of them, see study_columns.h.
 */
struct study_target {
	char *name;   /* no other column has it */
	char *engine; /* NULL: unknown or several */
	struct study_part *parts;
	size_t n_parts; /* 0: plain files */
};

enum study_state { STUDY_NOT_RUN, STUDY_FAILED, STUDY_MEASURED };

struct study_cell {
	enum study_state state;
	struct series series;
	size_t planned; /* runs; 0: nothing was asked for */
	size_t done;	/* runs that are in the series' statistics */
	size_t failed;
	char *reason;		       /* why a run failed; NULL: unknown */
	char *version;		       /* fio's; NULL: unknown */
	const struct results_run *run; /* how it was run; NULL: likewise */
	uint64_t in_flight;	       /* as configured, all jobs; 0: unknown */
};

struct study {
	struct paper *paper; /* NULL: none */
	struct results **folders;
	size_t n_folders; /* 0: plain files */
	struct study_line *lines;
	size_t n_lines;
	struct study_target *targets;
	size_t n_targets;
	struct study_cell *cells; /* n_lines x n_targets */
	struct fact version;	  /* fio's, as its own output says */
	char **unmatched;	  /* names of jobs that are no profile of the paper */
	size_t n_unmatched;
	char **unreadable; /* a sentence for each run whose result could not be read */
	size_t n_unreadable;
};

/*
 * From results folders, all of one paper. `paper` overrides the one they name. A run
 * that cannot be read is a failed run and a sentence in `unreadable`. NULL
 * with `f` filled when a folder itself or the paper cannot be read.
 */
struct study *study_from_results(char *const *dirs, size_t n, const char *profiles_dir,
				 const char *paper, struct fault *f);

/* From fio's JSON files; `paper` may be NULL. NULL with `f` filled when any cannot be read. */
struct study *study_from_files(char *const *files, size_t n, const char *profiles_dir,
			       const char *paper, struct fault *f);

/* Is it a run of this profile in this scenario? */
bool study_is_line_of(const struct study_line *line, const struct results_run *run);

/* Has a run of this line been made, or has it failed, on this part? */
bool study_part_has(const struct study_part *part, const struct study_line *line);

struct study_cell *study_at(const struct study *s, size_t line, size_t target);

/* Why a value is not there. */
enum study_gap {
	STUDY_KNOWN,
	STUDY_NOTHING_MEASURED, /* not run, or failed */
	STUDY_NO_IO,		/* no I/O of this direction */
	STUDY_NO_RATE,		/* fio gave no rate, nor a runtime to take it from */
	STUDY_NO_LATENCY,	/* latency was not measured */
	STUDY_NO_HISTOGRAM,	/* no histogram, or not one of all I/Os */
};

enum study_gap study_value(const struct study_cell *c, enum metric metric, enum direction d,
			   double *value);
enum study_gap study_percentile(const struct study_cell *c, enum direction d, double percent,
				double *ns);
enum study_gap study_latency_max(const struct study_cell *c, enum direction d, double *ns);

/* I/Os in flight by Little's law: IOPS x mean latency, over all directions. */
enum study_gap study_in_flight(const struct study_cell *c, double *in_flight);

/* IOPS that the line's threads hold back to, over all VMs; 0: not limited, or VMs not known. */
double study_rate_limit(const struct study_line *line, const struct study_cell *c);

/* The directions in which the cell has I/O. Returns how many were put into `out`. */
size_t study_directions(const struct study_cell *c, enum direction out[MODEL_DIRECTIONS]);

/* The run was shorter than what was asked for by more than fio's own granularity. */
bool study_is_short(const struct study_cell *c);

void study_free(struct study *s);

#endif
