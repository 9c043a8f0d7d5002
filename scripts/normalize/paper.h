/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A paper: the profiles it ran and the figures it published, as read from
 * <profiles>/<id>/paper.json. A lab adds a paper of its own by adding a folder.
 *
 * paper.json, all keys; "?" marks optional ones (null counts as absent):
 *
 *   schema            1
 *   id                the folder's name: letters, digits, '.', '_', '-'
 *   title             one line
 *   source            { publisher, document, note? }
 *   testbed?          one line: what was measured
 *   load_generator?   one line: what the load came from
 *   working_set_bytes?  total bytes of the paper's files; absent: not stated
 *   assumed?          [ { what, chosen, why } ]: of every profile, as below
 *   scenarios         [ { id, title, vms? } ], the first is the default one.
 *                     vms: how many VMs (or clients) ran at once, all nodes
 *                     together; absent: not stated
 *   profiles          [ { id, file | job, title, threads?, outstanding?, block_bytes,
 *                         write_percent, pattern, rate_iops?,
 *                         working_set_bytes?, parts?,
 *                         assumed? [ { what, chosen, why } ] } ]
 *                     file: the job file's name in the same folder; or
 *                     job: its text.
 *                     threads per VM (or client), outstanding per thread,
 *                     write_percent of 0..100, pattern: random, sequential
 *                     (each thread its own stream) or interlocked (the
 *                     threads share one offset). threads and outstanding may
 *                     be absent where the paper does not state them.
 *                     rate_iops: the IOPS that a thread holds back to.
 *                     parts: [ { id, title, threads?, ... rate_iops? } ], what
 *                     each VM runs at once: the sections of the job file, in
 *                     order, by the same names ("SQL.log" of profile SQL). The
 *                     keys from threads to rate_iops are then the parts'.
 *                     assumed: what the paper leaves open, the value the job
 *                     file chose, and the reason; after those of all profiles.
 *   figures?          [ { profile, scenario, metric, direction?, value, unit,
 *                         stated, shown?, latency_source?, comparable?, why? } ]
 *                     metric: iops, bandwidth, latency_mean.
 *                     direction: read, write; absent: all I/O together.
 *                     unit: IOPS; B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s;
 *                     ns, us, ms, s.
 *                     stated: exact (as printed), over, under, about.
 *                     shown: the cell as the paper prints it, when value and
 *                     unit alone would print it otherwise ("2.5M IOPS").
 *                     latency_source: host, client, unknown.
 *                     comparable: false when the figure must not be divided
 *                     by ours, with the reason in why.
 *   tables            [ { id, title, scenarios?, rows [ { profile,
 *                         cell [ { metric, direction? } ] } ] } ]
 *                     A row is printed once for each of the table's scenarios
 *                     (all of the paper's when absent). The first metric of
 *                     the cell is the one that the ratio is of.
 *   not_stated?       [ text ]: what the paper leaves open
 *   does_not_add_up?  [ { profiles? [ id ], text } ]: contradictions within
 *                     the paper; without profiles it is about the whole paper
 */
#ifndef NORMALIZE_PAPER_H
#define NORMALIZE_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fault.h"

enum metric { METRIC_IOPS, METRIC_BANDWIDTH, METRIC_LATENCY_MEAN };

/* DIRECTION_ALL is "all I/O together"; the others index per-direction statistics. */
enum direction { DIRECTION_READ, DIRECTION_WRITE, DIRECTION_TRIM, DIRECTION_ALL };

enum pattern { PATTERN_RANDOM, PATTERN_SEQUENTIAL, PATTERN_INTERLOCKED };

enum stated { STATED_EXACT, STATED_OVER, STATED_UNDER, STATED_ABOUT };

enum latency_source { LATENCY_UNKNOWN, LATENCY_HOST, LATENCY_CLIENT };

struct paper_scenario {
	char *id;
	char *title;
	uint64_t vms; /* 0: not stated */
};

struct paper_assumption {
	char *what;
	char *chosen;
	char *why;
};

struct paper_profile {
	char *id;
	char *file; /* name of the job file inside the paper's folder; NULL: see job */
	char *job;  /* the text of the job file; NULL: in file */
	char *title;
	unsigned int threads;	  /* per VM; 0: the paper does not state it */
	unsigned int outstanding; /* per thread; 0: the paper does not state it */
	uint64_t block_bytes;
	unsigned int write_percent;
	enum pattern pattern;
	unsigned int rate_iops;	    /* per thread; 0: not limited */
	uint64_t working_set_bytes; /* 0: not stated */
	struct paper_assumption *assumed;
	size_t n_assumed;
	/* Run at once on each VM; then the numbers from threads to rate_iops are theirs alone. */
	struct paper_profile *parts; /* id, title and those numbers are set */
	size_t n_parts;
};

struct paper_figure {
	const struct paper_profile *profile;
	const struct paper_scenario *scenario;
	enum metric metric;
	enum direction direction;
	double value; /* in base units: I/O per second, bytes per second, nanoseconds */
	double value_as_stated;
	char *unit;  /* as stated */
	char *shown; /* NULL: print value and unit */
	enum stated stated;
	enum latency_source latency_source;
	bool comparable;
	char *why; /* NULL when comparable */
};

struct paper_cell {
	enum metric metric;
	enum direction direction;
};

struct paper_row {
	const struct paper_profile *profile;
	struct paper_cell *cells;
	size_t n_cells; /* at least 1 */
};

struct paper_table {
	char *id;
	char *title;
	const struct paper_scenario **scenarios;
	size_t n_scenarios;
	struct paper_row *rows;
	size_t n_rows;
};

struct paper_contradiction {
	const struct paper_profile **profiles;
	size_t n_profiles; /* 0: about the paper as a whole */
	char *text;
};

struct paper {
	char *id;
	char *dir;  /* <profiles>/<id>; a job file is <dir>/<profile.file> */
	char *text; /* the whole paper.json when it is in no folder of profiles, else NULL */
	char *title;
	char *publisher;
	char *document;
	char *source_note;	    /* may be NULL */
	char *testbed;		    /* may be NULL */
	char *load_generator;	    /* may be NULL */
	uint64_t working_set_bytes; /* 0: not stated */
	struct paper_scenario *scenarios;
	size_t n_scenarios; /* at least 1 */
	struct paper_profile *profiles;
	size_t n_profiles; /* at least 1 */
	struct paper_figure *figures;
	size_t n_figures;
	struct paper_table *tables;
	size_t n_tables;
	char **not_stated;
	size_t n_not_stated;
	struct paper_contradiction *contradictions;
	size_t n_contradictions;
};

/*
 * The folder that holds the papers: `option` if not NULL, else the environment
 * variable FIOPACK_PROFILES if set and not empty, else the build's default.
 */
const char *paper_profiles_dir(const char *option);

/*
 * The ids of the papers in `profiles_dir` (the folders with a paper.json),
 * sorted. Returns 0 and a list for paper_free_list, or -1 with `f` filled
 * when the folder cannot be read.
 */
int paper_list(const char *profiles_dir, char ***ids, size_t *n, struct fault *f);
void paper_free_list(char **ids, size_t n);

/*
 * Read and validate <profiles_dir>/<id>/paper.json. Returns NULL with `f`
 * filled (one sentence naming the file) when it is missing, is not JSON or
 * breaks the rules above. Free with paper_free, which takes NULL too.
 */
struct paper *paper_load(const char *profiles_dir, const char *id, struct fault *f);
void paper_free(struct paper *p);

/*
 * A paper that is in no folder: from the text of a paper.json, whose profiles have a
 * `job` and no `file`; and from paper.json in `n` results folders, where the runner has
 * kept such texts: what each of them has, once. paper_load_kept falls back on paper_load
 * where there is none.
 */
struct paper *paper_parse(const char *text, struct fault *f);
struct paper *paper_load_kept(char *const *results, size_t n, const char *profiles_dir,
			      const char *id, struct fault *f);

/*
 * A profile's job file, to be read and closed, or NULL with `f` filled. `name` (for
 * sentences; the caller frees it) is set in both cases.
 */
FILE *paper_open_job(const struct paper *p, const struct paper_profile *profile, char **name,
		     struct fault *f);

/* NULL when the paper has no such id. */
const struct paper_profile *paper_find_profile(const struct paper *p, const char *id);
const struct paper_scenario *paper_find_scenario(const struct paper *p, const char *id);

/* The profile that has a part named `len` bytes of `id`, or NULL. */
const struct paper_profile *paper_find_whole(const struct paper *p, const char *id, size_t len);

/* The published figure, or NULL when the paper gives none. */
const struct paper_figure *paper_find_figure(const struct paper *p,
					     const struct paper_profile *profile,
					     const struct paper_scenario *scenario,
					     struct paper_cell cell);

/* The words paper.json uses. */
const char *paper_metric_name(enum metric m);
const char *paper_direction_name(enum direction d); /* read, write, trim, all */
const char *paper_pattern_name(enum pattern p);
const char *paper_stated_name(enum stated s);
const char *paper_latency_source_name(enum latency_source s);

#endif
