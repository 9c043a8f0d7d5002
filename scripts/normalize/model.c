// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the merging of results: over the jobs of a run and over repeats of it.
 * Leaves to the readers what a file says, and to the tables what is printed
 * when a value is not known.
 */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void latency_merge(struct latency *dst, const struct latency *src)
{
	dst->unmeasured |= src->unmeasured;
	dst->no_hist |= src->no_hist;
	dst->completion_only |= src->completion_only;
	hist_merge(&dst->hist, &src->hist);
	if (!src->n)
		return;
	if (!dst->n) {
		dst->n = src->n;
		dst->mean = src->mean;
		dst->m2 = src->m2;
		dst->min = src->min;
		dst->max = src->max;
		return;
	}

	/* Chan, Golub, LeVeque: pooled mean and squared distances, without cancellation */
	double a = (double)dst->n, b = (double)src->n, delta = src->mean - dst->mean;

	dst->mean += delta * b / (a + b);
	dst->m2 += src->m2 + delta * delta * a * b / (a + b);
	dst->n = add(dst->n, src->n);
	if (src->min < dst->min)
		dst->min = src->min;
	if (src->max > dst->max)
		dst->max = src->max;
}

double latency_stddev(const struct latency *l)
{
	return l->n > 1 ? sqrt(l->m2 / (double)(l->n - 1)) : 0;
}

bool latency_percentile(const struct latency *l, double percent, uint64_t *ns)
{
	return !l->no_hist && hist_percentile(&l->hist, percent, ns);
}

/* A sum with an unknown part is unknown. */
static double add_known(double a, double b)
{
	return a < 0 || b < 0 ? -1 : a + b;
}

void io_merge(struct io_stats *dst, const struct io_stats *src)
{
	dst->ios = add(dst->ios, src->ios);
	dst->bytes = add(dst->bytes, src->bytes);
	dst->short_ios = add(dst->short_ios, src->short_ios);
	if (src->runtime_ms > dst->runtime_ms)
		dst->runtime_ms = src->runtime_ms;
	dst->iops = add_known(dst->iops, src->iops);
	dst->bandwidth = add_known(dst->bandwidth, src->bandwidth);
	latency_merge(&dst->latency, &src->latency);
}

void fact_merge(struct fact *dst, const char *text)
{
	if (!text)
		return;
	if (!dst->text)
		dst->text = mem_copy(text);
	else if (strcmp(dst->text, text))
		dst->varies = true;
}

static void fact_merge_fact(struct fact *dst, const struct fact *src)
{
	fact_merge(dst, src->text);
	dst->varies |= src->varies;
}

static void spread_add(struct spread *s, double value)
{
	if (value < 0) {
		s->unknown = true;
		return;
	}
	s->min = s->n && s->min < value ? s->min : value;
	s->max = s->n && s->max > value ? s->max : value;
	s->sum += value;
	s->n++;
}

bool spread_mean(const struct spread *s, double *mean)
{
	if (s->unknown || !s->n)
		return false;
	*mean = s->sum / (double)s->n;
	return true;
}

static void series_add_io(struct series_io *dst, const struct io_stats *src)
{
	dst->ios = add(dst->ios, src->ios);
	dst->bytes = add(dst->bytes, src->bytes);
	spread_add(&dst->iops, src->iops);
	spread_add(&dst->bandwidth, src->bandwidth);
	latency_merge(&dst->latency, &src->latency);
}

/*
 * Everything a run did, in one. With unified_rw_reporting=both fio gives the
 * directions and their sum: the sum is used only where it stands alone.
 */
static void sum_directions(const struct sample *s, struct io_stats *all)
{
	for (int d = DIRECTION_READ; d <= DIRECTION_TRIM; d++)
		io_merge(all, &s->io[d]);
	if (!all->ios)
		io_merge(all, &s->io[DIRECTION_ALL]);
}

void series_add(struct series *dst, const struct sample *sample)
{
	struct io_stats all = {0};

	dst->n++;
	dst->jobs = sample->jobs;
	dst->io_errors = add(dst->io_errors, sample->io_errors);
	fact_merge_fact(&dst->engine, &sample->engine);
	fact_merge_fact(&dst->rw, &sample->rw);
	fact_merge_fact(&dst->block_size, &sample->block_size);
	if (sample->failed_jobs) {
		/* what a failed job did is no measurement of the profile */
		if (!dst->failed++)
			dst->first_error = sample->first_error;
		return;
	}
	dst->in_flight = sample->in_flight;
	if (!dst->shortest_ms || sample->shortest_ms < dst->shortest_ms)
		dst->shortest_ms = sample->shortest_ms;
	if (sample->asked_ms > dst->asked_ms)
		dst->asked_ms = sample->asked_ms;
	dst->several_groups |= sample->several_groups;

	for (int d = DIRECTION_READ; d <= DIRECTION_TRIM; d++)
		if (sample->io[d].ios)
			series_add_io(&dst->io[d], &sample->io[d]);
	sum_directions(sample, &all);
	series_add_io(&dst->io[DIRECTION_ALL], &all);
	latency_free(&all.latency);
}

void latency_free(struct latency *l)
{
	hist_free(&l->hist);
	*l = (struct latency){0};
}

static void fact_free(struct fact *f)
{
	free(f->text);
	*f = (struct fact){0};
}

void sample_free(struct sample *s)
{
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		latency_free(&s->io[d].latency);
	fact_free(&s->engine);
	fact_free(&s->rw);
	fact_free(&s->block_size);
	*s = (struct sample){0};
}

void series_free(struct series *s)
{
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		latency_free(&s->io[d].latency);
	fact_free(&s->engine);
	fact_free(&s->rw);
	fact_free(&s->block_size);
	*s = (struct series){0};
}
