/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What all readers produce and all reports are made of. Three steps:
 *
 *   struct io_stats  one direction of one job
 *   struct sample    one run: jobs (VMs, hosts) that ran at the same time
 *   struct series    the repeats of a run
 *
 * Over the jobs of a run IOPS and bandwidth are added; over repeats they are
 * averaged. Latencies are pooled in both steps: means by their sample counts,
 * standard deviations exactly, histograms by key. Percentiles are never
 * averaged: they are read from the merged histogram.
 *
 * Units: I/O per second, bytes per second, nanoseconds, milliseconds where a
 * name ends in _ms.
 */
#ifndef NORMALIZE_MODEL_H
#define NORMALIZE_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist.h"
#include "paper.h"

#define MODEL_DIRECTIONS 4 /* DIRECTION_READ .. DIRECTION_ALL */

struct latency {
	uint64_t n; /* I/Os that mean, deviation and extremes are of; 0: nothing known */
	double mean;
	double m2; /* sum of squared distances from the mean */
	uint64_t min;
	uint64_t max;
	struct hist hist;
	/* Why something is missing; each is about any contributor. */
	bool unmeasured;      /* I/Os without a latency (gtod_reduce, disable_lat) */
	bool no_hist;	      /* I/Os without a histogram (plain JSON), or one not of all I/Os */
	bool completion_only; /* the histogram is of completion latency, not total */
};

struct io_stats {
	uint64_t ios;
	uint64_t bytes;
	uint64_t short_ios;
	uint64_t runtime_ms;
	double iops;	  /* negative: unknown */
	double bandwidth; /* negative: unknown */
	struct latency latency;
};

/* One fact about all jobs of a run; `varies` when they disagree. */
struct fact {
	char *text; /* NULL: unknown */
	bool varies;
};

struct sample {
	/* DIRECTION_ALL is filled by readers only for unified_rw_reporting=mixed */
	struct io_stats io[MODEL_DIRECTIONS];
	unsigned long jobs;
	unsigned long failed_jobs;
	uint64_t io_errors; /* I/Os that failed in jobs that went on (continue_on_error) */
	long first_error;   /* errno-like code of the first failed job */
	struct fact engine, rw, block_size;
	uint64_t in_flight;   /* as configured, over all jobs; 0: unknown */
	uint64_t shortest_ms; /* runtime of the job that ran shortest */
	uint64_t asked_ms;    /* the longest runtime asked for; 0: unknown */
	bool several_groups;  /* of fio's reporting: the jobs may have run one after the other */
};

struct spread {
	double sum, min, max; /* mean = sum / n */
	size_t n;
	bool unknown; /* a contributor did not know its value: neither is the mean known */
};

struct series_io {
	uint64_t ios;
	uint64_t bytes;
	struct spread iops;
	struct spread bandwidth;
	struct latency latency;
};

struct series {
	struct series_io io[MODEL_DIRECTIONS]; /* DIRECTION_ALL: everything together */
	size_t n;			       /* repeats */
	size_t failed;	    /* of these, runs with a failed job: not in the statistics */
	unsigned long jobs; /* of the last repeat */
	uint64_t io_errors;
	long first_error;
	struct fact engine, rw, block_size;
	uint64_t in_flight;
	uint64_t shortest_ms;
	uint64_t asked_ms;
	bool several_groups;
};

void latency_merge(struct latency *dst, const struct latency *src);

/* Standard deviation in ns (of a sample: n - 1); 0 for fewer than two I/Os. */
double latency_stddev(const struct latency *l);

/* False when the histogram is missing, incomplete or empty. */
bool latency_percentile(const struct latency *l, double percent, uint64_t *ns);

/* Add a job's statistics of one direction to its run. */
void io_merge(struct io_stats *dst, const struct io_stats *src);

void fact_merge(struct fact *dst, const char *text);

/* Add a run to the repeats. `sample` stays the caller's. */
void series_add(struct series *dst, const struct sample *sample);

bool spread_mean(const struct spread *s, double *mean);

void latency_free(struct latency *l);
void sample_free(struct sample *s);
void series_free(struct series *s);

#endif
