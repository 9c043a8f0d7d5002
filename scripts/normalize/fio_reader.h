/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's JSON and JSON+ output, fio 3.16 and later, also from a client of
 * remote fios. A file may hold any number of documents and be of any size: the
 * caller is given one job at a time and nothing else is kept.
 */
#ifndef NORMALIZE_FIO_READER_H
#define NORMALIZE_FIO_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "fault.h"
#include "model.h"

#define READER_TEXT 128 /* names and option values are cut to this */

/* One member of jobs[] or client_stats[]; "" and 0 where fio says nothing. */
struct reader_job {
	char name[READER_TEXT];
	char host[READER_TEXT]; /* client mode */
	long error;
	uint64_t io_errors;
	uint64_t group; /* reporting group */
	uint64_t elapsed_s;
	uint64_t started_ms; /* since the epoch; fio 3.36 and later */
	/* options, the job's own or else the global ones */
	char engine[READER_TEXT]; /* "external:/x/fio-uring.so" reads "uring" */
	char rw[READER_TEXT];
	char block_size[READER_TEXT];
	uint64_t depth;	   /* iodepth; 1 on a synchronous engine */
	uint64_t numjobs;  /* of the section: with group_reporting this entry stands for all */
	uint64_t asked_ms; /* runtime */
	struct io_stats io[MODEL_DIRECTIONS];
};

struct reader_document {
	char version[READER_TEXT];
	uint64_t printed_ms; /* since the epoch */
	uint64_t offset;     /* byte in the file */
};

struct reader_sink {
	/* The job is the reader's; copy or merge what is to be kept. */
	void (*job)(void *ctx, const struct reader_job *job);
	/* After the document's last job. */
	void (*document)(void *ctx, const struct reader_document *doc);
	void *ctx;
};

/* Returns 0, or -1 with `f` filled: not readable, not JSON, not fio's, truncated. */
int reader_read(const char *path, const struct reader_sink *sink, struct fault *f);

#endif
