// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what a job's numbers mean: which latency is known, which histogram
 * stands for it, how many I/Os the options kept in flight. Where the numbers
 * stand in a document is fio_reader.c's.
 */
#include "fio_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

static const struct {
	const char *name;
	enum job_option option;
} option_names[] = {
	{"ioengine", OPTION_ENGINE},	  {"rw", OPTION_RW},
	{"readwrite", OPTION_RW},	  {"bs", OPTION_BLOCK_SIZE},
	{"blocksize", OPTION_BLOCK_SIZE}, {"iodepth", OPTION_IODEPTH},
	{"numjobs", OPTION_NUMJOBS},	  {"runtime", OPTION_RUNTIME},
	{"timeout", OPTION_RUNTIME},
};

void job_set_option(struct job_options *o, const char *name, const char *text)
{
	for (size_t i = 0; i < sizeof(option_names) / sizeof(option_names[0]); i++) {
		enum job_option option = option_names[i].option;

		if (strcmp(name, option_names[i].name))
			continue;
		o->set[option] = true;
		snprintf(o->text[option], sizeof(o->text[option]), "%s", text);
	}
}

static const char *find_option(const struct job_text *job, const struct job_options *globals,
			       enum job_option option)
{
	if (job->options.set[option])
		return job->options.text[option];
	return globals->set[option] ? globals->text[option] : NULL;
}

static uint64_t count_of(const char *text)
{
	uint64_t v;

	return text && value_uint(text, strlen(text), &v) && v ? v : 1;
}

static void finish_options(struct job_text *job, const struct job_options *globals)
{
	const char *engine = find_option(job, globals, OPTION_ENGINE);
	const char *rw = find_option(job, globals, OPTION_RW);
	const char *bs = find_option(job, globals, OPTION_BLOCK_SIZE);
	const char *runtime = find_option(job, globals, OPTION_RUNTIME);

	job->job.numjobs = count_of(find_option(job, globals, OPTION_NUMJOBS));
	job->job.depth = count_of(find_option(job, globals, OPTION_IODEPTH));
	if (engine) {
		value_engine(engine, job->job.engine, sizeof(job->job.engine));
		if (value_engine_is_synchronous(job->job.engine))
			job->job.depth = 1;
	}
	if (rw)
		snprintf(job->job.rw, sizeof(job->job.rw), "%s", rw);
	if (bs)
		snprintf(job->job.block_size, sizeof(job->job.block_size), "%s", bs);
	if (!runtime || !value_duration_ms(runtime, &job->job.asked_ms))
		job->job.asked_ms = 0;
}

/*
 * The histogram of total latency, or the one of completion latency where fio
 * gives no other. It must hold every I/O that the mean is of: a part of them
 * has other percentiles than the whole.
 */
static void finish_hist(struct latency *l, const struct io_text *io)
{
	const struct latency_text *from = &io->total;

	if (!from->hist.n && io->completion.hist.n) {
		from = &io->completion;
		l->completion_only = true;
	}
	l->hist = from->hist;
	l->no_hist = !from->hist.n || (from->has_n && hist_total(&from->hist) != from->n);
}

static void finish_latency(struct latency *l, const struct io_text *io)
{
	const struct latency_text *t = &io->total;
	/* fio before 3.18 does not say how many I/Os a mean is of: all of them */
	uint64_t n = t->has_n ? t->n : io->ios;

	*l = (struct latency){0};
	finish_hist(l, io);
	/* gtod_reduce and disable_lat leave all zero, which is no latency at all */
	if (!n || !t->has_mean || !t->has_min || !t->has_max || (t->mean <= 0 && !t->max)) {
		l->unmeasured = true;
		return;
	}
	l->n = n;
	l->mean = t->mean;
	/* a deviation that fio could not compute stays one that is not known */
	l->m2 = t->has_stddev ? t->stddev * t->stddev * (double)(n - 1) : NAN;
	l->min = t->min;
	l->max = t->max;
}

static void finish_io(struct io_stats *to, const struct io_text *io)
{
	double seconds = (double)io->runtime_ms / 1000;

	*to = (struct io_stats){
		.ios = io->ios,
		.bytes = io->bytes,
		.short_ios = io->short_ios,
		.runtime_ms = io->runtime_ms,
	};
	if (!io->ios)
		return;
	/* a rate of 0 with I/Os done means a runtime of 0 ms: not known */
	if (io->has_iops && io->iops > 0)
		to->iops = io->iops;
	else
		to->iops = seconds > 0 ? (double)io->ios / seconds : -1;
	if (io->has_bandwidth && io->bandwidth > 0)
		to->bandwidth = io->bandwidth;
	else
		to->bandwidth = seconds > 0 && io->bytes ? (double)io->bytes / seconds : -1;
	finish_latency(&to->latency, io);
}

void job_finish(struct job_text *job, const struct job_options *globals)
{
	finish_options(job, globals);
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		finish_io(&job->job.io[d], &job->io[d]);
}

void job_clear_latency(struct latency_text *l)
{
	struct hist keep = l->hist;

	hist_clear(&keep);
	*l = (struct latency_text){.hist = keep};
}

void job_clear_io(struct io_text *io)
{
	struct latency_text total, completion;

	job_clear_latency(&io->total);
	job_clear_latency(&io->completion);
	total = io->total;
	completion = io->completion;
	*io = (struct io_text){.total = total, .completion = completion};
}

void job_clear(struct job_text *job)
{
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		job_clear_io(&job->io[d]);
	job->job = (struct reader_job){0};
	job->options = (struct job_options){0};
}

void job_free(struct job_text *job)
{
	for (int d = 0; d < MODEL_DIRECTIONS; d++) {
		hist_free(&job->io[d].total.hist);
		hist_free(&job->io[d].completion.hist);
	}
}
