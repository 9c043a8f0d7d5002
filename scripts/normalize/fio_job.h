/* SPDX-License-Identifier: GPL-2.0-only */
/* One job while it is being read: the numbers as found, then the job made of them. */
#ifndef NORMALIZE_FIO_JOB_H
#define NORMALIZE_FIO_JOB_H

#include "fio_reader.h"

enum job_option {
	OPTION_ENGINE,
	OPTION_RW,
	OPTION_BLOCK_SIZE,
	OPTION_IODEPTH,
	OPTION_NUMJOBS,
	OPTION_RUNTIME,
	OPTION_COUNT
};

struct job_options {
	bool set[OPTION_COUNT];
	char text[OPTION_COUNT][READER_TEXT];
};

struct latency_text {
	bool has_n, has_min, has_max, has_mean, has_stddev;
	uint64_t n, min, max;
	double mean, stddev;
	struct hist hist;
};

struct io_text {
	uint64_t ios, bytes, short_ios, runtime_ms;
	bool has_iops, has_bandwidth;
	double iops, bandwidth;
	struct latency_text total;	/* lat_ns */
	struct latency_text completion; /* clat_ns */
};

struct job_text {
	struct reader_job job;
	struct job_options options;
	struct io_text io[MODEL_DIRECTIONS];
};

/* Keep the option if it is one that matters here. */
void job_set_option(struct job_options *o, const char *name, const char *text);

/*
 * All of the job has been read: fill job->job. Its histograms are those of
 * job->io, so they live until the next job_clear.
 */
void job_finish(struct job_text *job, const struct job_options *globals);

/* Forget the numbers, keep the memory of the histograms. */
void job_clear(struct job_text *job);
void job_clear_io(struct io_text *io);
void job_clear_latency(struct latency_text *l);
void job_free(struct job_text *job);

#endif
