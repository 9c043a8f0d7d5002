// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns where things stand in fio's JSON: which objects are jobs, which member
 * is which number. What became of a job's numbers is in fio_job.c; which
 * documents and jobs belong together is decided in collect.c.
 *
 * Every value of the stream has a node: the kind of its container plus its key.
 * Only the nodes of the containers that are open are kept.
 */
#include "fio_reader.h"

#include <string.h>

#include "fio_job.h"
#include "json_stream.h"
#include "value.h"

enum node {
	NODE_OTHER, /* and everything below it */
	NODE_ROOT,
	NODE_JOBS,
	NODE_GLOBALS, /* "global options": an object, or in client mode an array of them */
	NODE_JOB,
	NODE_OPTIONS,
	NODE_IO, /* read, write, trim, mixed */
	NODE_LATENCY,
	NODE_BINS,
};

struct reader {
	const char *path;
	const struct reader_sink *sink;
	enum node nodes[STREAM_MAX_DEPTH];
	struct reader_document doc;
	bool has_jobs; /* the document holds an array of jobs, empty or not */
	struct job_options globals;
	struct job_text job;
	struct io_text *io;	      /* where NODE_IO is being read to */
	struct latency_text *latency; /* NODE_LATENCY */
};

static void copy_text(char *to, const struct stream_event *ev)
{
	size_t len = ev->len < READER_TEXT - 1 ? ev->len : READER_TEXT - 1;

	memcpy(to, ev->text, len);
	to[len] = '\0';
}

static struct io_text *find_io(struct reader *r, const char *key)
{
	if (!strcmp(key, "read"))
		return &r->job.io[DIRECTION_READ];
	if (!strcmp(key, "write"))
		return &r->job.io[DIRECTION_WRITE];
	if (!strcmp(key, "trim"))
		return &r->job.io[DIRECTION_TRIM];
	if (!strcmp(key, "mixed"))
		return &r->job.io[DIRECTION_ALL];
	return NULL;
}

/* What the object or array `key` within `parent` is; it starts empty, so the last of equal keys
 * wins. */
static enum node enter(struct reader *r, enum node parent, const char *key, enum stream_type type)
{
	bool object = type == STREAM_OBJECT;

	switch (parent) {
	case NODE_ROOT:
		if (!object && (!strcmp(key, "jobs") || !strcmp(key, "client_stats"))) {
			r->has_jobs = true;
			return NODE_JOBS;
		}
		return strcmp(key, "global options") ? NODE_OTHER : NODE_GLOBALS;
	case NODE_GLOBALS:
		return object ? NODE_GLOBALS : NODE_OTHER;
	case NODE_JOBS:
		if (!object)
			return NODE_OTHER;
		job_clear(&r->job);
		return NODE_JOB;
	case NODE_JOB:
		if (!object)
			return NODE_OTHER;
		if (!strcmp(key, "job options"))
			return NODE_OPTIONS;
		r->io = find_io(r, key);
		if (!r->io)
			return NODE_OTHER;
		job_clear_io(r->io);
		return NODE_IO;
	case NODE_IO:
		if (!object || (strcmp(key, "lat_ns") && strcmp(key, "clat_ns")))
			return NODE_OTHER;
		r->latency = key[0] == 'l' ? &r->io->total : &r->io->completion;
		job_clear_latency(r->latency);
		return NODE_LATENCY;
	case NODE_LATENCY:
		if (!object || strcmp(key, "bins"))
			return NODE_OTHER;
		hist_clear(&r->latency->hist);
		return NODE_BINS;
	default:
		return NODE_OTHER;
	}
}

static void root_value(struct reader *r, const struct stream_event *ev)
{
	uint64_t v;

	if (ev->type == STREAM_STRING && !strcmp(ev->key, "fio version"))
		copy_text(r->doc.version, ev);
	if (ev->type != STREAM_NUMBER || !value_uint(ev->text, ev->len, &v))
		return;
	if (!strcmp(ev->key, "timestamp_ms"))
		r->doc.printed_ms = v;
	else if (!strcmp(ev->key, "timestamp") && !r->doc.printed_ms && v <= UINT64_MAX / 1000)
		r->doc.printed_ms = v * 1000;
}

static void job_value(struct reader *r, const struct stream_event *ev)
{
	struct reader_job *job = &r->job.job;
	uint64_t v;

	if (ev->type == STREAM_STRING) {
		if (!strcmp(ev->key, "jobname"))
			copy_text(job->name, ev);
		else if (!strcmp(ev->key, "hostname"))
			copy_text(job->host, ev);
		return;
	}
	if (ev->type != STREAM_NUMBER)
		return;
	if (!strcmp(ev->key, "error")) {
		/* negative codes are errors too; any code that does not fit is still one */
		if (ev->text[0] == '-')
			job->error =
				value_uint(ev->text + 1, ev->len - 1, &v) && v < 4096 ? (long)v : 1;
		else
			job->error = value_uint(ev->text, ev->len, &v) && v < 4096 ? (long)v : 1;
		return;
	}
	if (!value_uint(ev->text, ev->len, &v))
		return;
	if (!strcmp(ev->key, "groupid"))
		job->group = v;
	else if (!strcmp(ev->key, "elapsed"))
		job->elapsed_s = v;
	else if (!strcmp(ev->key, "job_start"))
		job->started_ms = v;
	else if (!strcmp(ev->key, "total_err"))
		job->io_errors = v;
}

static void io_value(struct io_text *io, const struct stream_event *ev)
{
	if (ev->type != STREAM_NUMBER)
		return;
	if (!strcmp(ev->key, "io_bytes"))
		value_uint(ev->text, ev->len, &io->bytes);
	else if (!strcmp(ev->key, "total_ios"))
		value_uint(ev->text, ev->len, &io->ios);
	else if (!strcmp(ev->key, "short_ios"))
		value_uint(ev->text, ev->len, &io->short_ios);
	else if (!strcmp(ev->key, "runtime"))
		value_uint(ev->text, ev->len, &io->runtime_ms);
	else if (!strcmp(ev->key, "iops"))
		io->has_iops = value_double(ev->text, ev->len, &io->iops);
	else if (!strcmp(ev->key, "bw_bytes"))
		io->has_bandwidth = value_double(ev->text, ev->len, &io->bandwidth);
}

static void latency_value(struct latency_text *l, const struct stream_event *ev)
{
	if (ev->type != STREAM_NUMBER)
		return;
	if (!strcmp(ev->key, "N"))
		l->has_n = value_uint(ev->text, ev->len, &l->n);
	else if (!strcmp(ev->key, "min"))
		l->has_min = value_uint(ev->text, ev->len, &l->min);
	else if (!strcmp(ev->key, "max"))
		l->has_max = value_uint(ev->text, ev->len, &l->max);
	else if (!strcmp(ev->key, "mean"))
		l->has_mean = value_double(ev->text, ev->len, &l->mean);
	else if (!strcmp(ev->key, "stddev"))
		l->has_stddev = value_double(ev->text, ev->len, &l->stddev);
}

static void bin_value(struct latency_text *l, const struct stream_event *ev)
{
	uint64_t ns, count;

	if (ev->type == STREAM_NUMBER && value_uint(ev->key, strlen(ev->key), &ns) &&
	    value_uint(ev->text, ev->len, &count))
		hist_set(&l->hist, ns, count);
}

static void option_value(struct job_options *o, const struct stream_event *ev)
{
	char text[READER_TEXT];

	if (ev->type != STREAM_STRING && ev->type != STREAM_NUMBER)
		return;
	copy_text(text, ev);
	job_set_option(o, ev->key, text);
}

static void scalar(struct reader *r, const struct stream_event *ev)
{
	switch (ev->depth ? r->nodes[ev->depth - 1] : NODE_OTHER) {
	case NODE_ROOT:
		root_value(r, ev);
		break;
	case NODE_GLOBALS:
		option_value(&r->globals, ev);
		break;
	case NODE_JOB:
		job_value(r, ev);
		break;
	case NODE_OPTIONS:
		option_value(&r->job.options, ev);
		break;
	case NODE_IO:
		io_value(r->io, ev);
		break;
	case NODE_LATENCY:
		latency_value(r->latency, ev);
		break;
	case NODE_BINS:
		bin_value(r->latency, ev);
		break;
	default:
		break;
	}
}

static void finish_job(struct reader *r)
{
	/* the sum over all clients, with the last client's host name on it */
	if (!strcmp(r->job.job.name, "All clients"))
		return;
	job_finish(&r->job, &r->globals);
	r->sink->job(r->sink->ctx, &r->job.job);
}

static int on_event(void *ctx, const struct stream_event *ev, struct fault *f)
{
	struct reader *r = ctx;

	(void)f;
	switch (ev->type) {
	case STREAM_OBJECT:
	case STREAM_ARRAY:
		r->nodes[ev->depth] = ev->depth
					      ? enter(r, r->nodes[ev->depth - 1], ev->key, ev->type)
					      : NODE_ROOT;
		break;
	case STREAM_END:
		if (r->nodes[ev->depth] == NODE_JOB)
			finish_job(r);
		break;
	default:
		scalar(r, ev);
	}
	return 0;
}

static int on_document_end(void *ctx, uint64_t offset, struct fault *f)
{
	struct reader *r = ctx;

	if (!r->has_jobs)
		return fault_set(f,
				 "%s: JSON, but not fio's: the document at byte %llu has neither "
				 "\"jobs\" nor \"client_stats\"",
				 r->path, (unsigned long long)offset);
	r->doc.offset = offset;
	r->sink->document(r->sink->ctx, &r->doc);
	r->doc = (struct reader_document){0};
	r->has_jobs = false;
	r->globals = (struct job_options){0};
	return 0;
}

int reader_read(const char *path, const struct reader_sink *sink, struct fault *f)
{
	struct reader r = {.path = path, .sink = sink};
	const struct stream_handler handler = {on_event, on_document_end, &r};
	long documents = stream_read(path, &handler, f);

	job_free(&r.job);
	return documents < 0 ? -1 : 0;
}
