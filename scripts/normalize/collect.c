// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns which jobs and documents belong together: same run, other VM, later
 * state, repeat. The adding up itself is model.c's.
 */
#include "collect.h"

#include <stdlib.h>
#include <string.h>

#include "fio_reader.h"
#include "mem.h"
#include "paper.h"
#include "value.h"

#define FNV_START 14695981039346656037ULL

/* The VMs that a run has results of, as a set of small numbers. */
struct vm_set {
	uint64_t *words;
	size_t n;
};

struct collect_run {
	struct sample sample;
	struct vm_set vms;
	uint64_t first_group; /* reporting group of the first job */
	uint64_t first_start; /* ms since the epoch, 0: fio does not say */
};

struct named_run {
	char *name;
	uint64_t hash;
	struct collect_run run;
};

/* One document: what is needed to tell whether the next is a later state of it. */
struct snapshot {
	struct reader_document doc;
	struct named_run *runs;
	size_t n_runs;
	size_t last; /* run that the last job went to */
	uint64_t jobs_hash;
	uint64_t entry_hash; /* name and host of the last job */
	uint64_t entries;    /* jobs in a row with this name and host */
	uint64_t elapsed_s;
	uint64_t started_ms;
	uint64_t ios, bytes;
	size_t jobs;
};

struct file {
	struct collect *collect;
	const char *group;
	struct snapshot pending; /* complete, may yet be replaced */
	bool has_pending;
	struct snapshot current;
};

static uint64_t hash_text(uint64_t hash, const char *text, size_t len)
{
	/* FNV-1a */
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * 1099511628211ULL;
	return hash;
}

static void vm_set_add(struct vm_set *s, unsigned int vm)
{
	size_t word = vm / 64;

	if (word >= s->n) {
		s->words = mem_resize(s->words, word + 1, sizeof(*s->words));
		memset(s->words + s->n, 0, (word + 1 - s->n) * sizeof(*s->words));
		s->n = word + 1;
	}
	s->words[word] |= UINT64_C(1) << vm % 64;
}

static bool vm_set_is_disjoint(const struct vm_set *a, const struct vm_set *b)
{
	for (size_t i = 0; i < a->n && i < b->n; i++)
		if (a->words[i] & b->words[i])
			return false;
	return a->n && b->n;
}

static void vm_set_merge(struct vm_set *dst, const struct vm_set *src)
{
	for (size_t i = 0; i < src->n; i++)
		for (unsigned int bit = 0; bit < 64; bit++)
			if (src->words[i] >> bit & 1)
				vm_set_add(dst, (unsigned int)(i * 64 + bit));
}

static void run_free(struct collect_run *r)
{
	sample_free(&r->sample);
	free(r->vms.words);
}

static void snapshot_free(struct snapshot *s)
{
	for (size_t i = 0; i < s->n_runs; i++) {
		free(s->runs[i].name);
		run_free(&s->runs[i].run);
	}
	free(s->runs);
	*s = (struct snapshot){0};
}

static struct named_run *find_run(struct snapshot *s, const char *name, size_t len)
{
	uint64_t hash = hash_text(FNV_START, name, len);
	struct named_run *r;

	/* jobs come in the order of the job file, so start where the last one was found */
	for (size_t k = 0; k < s->n_runs; k++) {
		size_t i = (s->last + k) % s->n_runs;

		r = &s->runs[i];
		if (r->hash == hash && !strncmp(r->name, name, len) && !r->name[len]) {
			s->last = i;
			return r;
		}
	}
	if (!(s->n_runs & (s->n_runs - 1)))
		s->runs = mem_resize(s->runs, s->n_runs ? s->n_runs * 2 : 1, sizeof(*s->runs));
	s->last = s->n_runs;
	r = &s->runs[s->n_runs++];
	*r = (struct named_run){.name = mem_copy_n(name, len), .hash = hash};
	return r;
}

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t longest_runtime(const struct reader_job *job)
{
	uint64_t ms = 0;

	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		if (job->io[d].runtime_ms > ms)
			ms = job->io[d].runtime_ms;
	return ms;
}

/* fio starts the jobs of a group within milliseconds; a stonewall is at least a run long. */
static bool started_together(const struct collect_run *run, const struct reader_job *job)
{
	uint64_t a = run->first_start, b = job->started_ms;

	return a && b && (a > b ? a - b : b - a) <= 1000;
}

static void run_add_job(struct collect_run *run, const struct reader_job *job, uint64_t in_flight)
{
	struct sample *s = &run->sample;
	uint64_t ms = longest_runtime(job);

	if (!s->jobs) {
		run->first_group = job->group;
		run->first_start = job->started_ms;
	} else if (job->group != run->first_group && !started_together(run, job)) {
		s->several_groups = true;
	}
	if (!s->jobs || ms < s->shortest_ms)
		s->shortest_ms = ms;
	if (job->asked_ms > s->asked_ms)
		s->asked_ms = job->asked_ms;
	s->jobs++;
	if (job->error && !s->failed_jobs++)
		s->first_error = job->error;
	s->io_errors = add(s->io_errors, job->io_errors);
	s->in_flight = add(s->in_flight, in_flight);
	fact_merge(&s->engine, job->engine[0] ? job->engine : NULL);
	fact_merge(&s->rw, job->rw[0] ? job->rw : NULL);
	fact_merge(&s->block_size, job->block_size[0] ? job->block_size : NULL);
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		if (job->io[d].ios)
			io_merge(&s->io[d], &job->io[d]);
}

/*
 * fio does not say whether it grouped the numjobs of a section. If it did there is
 * one entry for all of them, if not they follow each other: so the first counts for
 * all, and only what exceeds numjobs counts again.
 */
static uint64_t in_flight_of(struct snapshot *s, const struct reader_job *job)
{
	uint64_t hash = hash_text(FNV_START, job->name, strlen(job->name) + 1), all;

	hash = hash_text(hash, job->host, strlen(job->host));
	s->entries = s->jobs && hash == s->entry_hash ? s->entries + 1 : 1;
	s->entry_hash = hash;
	if (s->entries > 1)
		return s->entries > job->numjobs ? job->depth : 0;
	return __builtin_mul_overflow(job->depth, job->numjobs, &all) ? UINT64_MAX : all;
}

static void on_job(void *ctx, const struct reader_job *job)
{
	struct file *file = ctx;
	struct snapshot *s = &file->current;
	uint64_t in_flight = in_flight_of(s, job);
	const struct paper_profile *whole = NULL;
	const char *names[2] = {file->group ? file->group : job->name, job->name};
	size_t len = strlen(job->name), lens[2];
	unsigned int vm = 0;
	bool is_vm = value_vm(job->name, &len, &vm);

	if (file->collect->paper)
		whole = paper_find_whole(file->collect->paper, job->name, len);
	if (whole && !file->group)
		names[0] = whole->id;
	lens[0] = names[0] == job->name ? len : strlen(names[0]);
	lens[1] = len;
	for (int i = 0; i < (whole ? 2 : 1); i++) {
		struct named_run *r = find_run(s, names[i], lens[i]);

		if (is_vm && !file->group)
			vm_set_add(&r->run.vms, vm);
		run_add_job(&r->run, job, in_flight);
	}

	s->jobs++;
	s->jobs_hash = hash_text(s->jobs_hash, job->name, strlen(job->name) + 1);
	s->jobs_hash = hash_text(s->jobs_hash, job->host, strlen(job->host) + 1);
	if (job->elapsed_s > s->elapsed_s)
		s->elapsed_s = job->elapsed_s;
	if (!s->started_ms)
		s->started_ms = job->started_ms;
	for (int d = 0; d < MODEL_DIRECTIONS; d++) {
		s->ios = add(s->ios, job->io[d].ios);
		s->bytes = add(s->bytes, job->io[d].bytes);
	}
}

static bool is_later_state(const struct snapshot *before, const struct snapshot *after)
{
	int64_t clock, jobs;

	if (before->jobs != after->jobs || before->jobs_hash != after->jobs_hash ||
	    strcmp(before->doc.version, after->doc.version) || after->ios < before->ios ||
	    after->bytes < before->bytes || after->elapsed_s < before->elapsed_s)
		return false;
	if (before->started_ms && after->started_ms)
		return before->started_ms == after->started_ms;
	if (!before->elapsed_s || !after->elapsed_s)
		return before->doc.printed_ms && before->doc.printed_ms == after->doc.printed_ms;
	clock = (int64_t)(after->doc.printed_ms - before->doc.printed_ms);
	jobs = (int64_t)((after->elapsed_s - before->elapsed_s) * 1000);
	return clock >= 0 && clock - jobs <= 1000 && jobs - clock <= 1000;
}

static struct collect_group *find_group(struct collect *c, const struct named_run *r)
{
	struct collect_group *g;

	for (size_t i = 0; i < c->n_groups; i++)
		if (c->groups[i].hash == r->hash && !strcmp(c->groups[i].name, r->name))
			return &c->groups[i];
	if (!(c->n_groups & (c->n_groups - 1)))
		c->groups = mem_resize(c->groups, c->n_groups ? c->n_groups * 2 : 1,
				       sizeof(*c->groups));
	g = &c->groups[c->n_groups++];
	*g = (struct collect_group){.name = mem_copy(r->name), .hash = r->hash};
	return g;
}

static void sample_merge(struct sample *dst, struct sample *src)
{
	dst->jobs += src->jobs;
	if (src->failed_jobs && !dst->failed_jobs)
		dst->first_error = src->first_error;
	dst->failed_jobs += src->failed_jobs;
	dst->io_errors = add(dst->io_errors, src->io_errors);
	dst->in_flight = add(dst->in_flight, src->in_flight);
	if (src->shortest_ms < dst->shortest_ms)
		dst->shortest_ms = src->shortest_ms;
	if (src->asked_ms > dst->asked_ms)
		dst->asked_ms = src->asked_ms;
	dst->several_groups |= src->several_groups;
	fact_merge(&dst->engine, src->engine.text);
	fact_merge(&dst->rw, src->rw.text);
	fact_merge(&dst->block_size, src->block_size.text);
	dst->engine.varies |= src->engine.varies;
	dst->rw.varies |= src->rw.varies;
	dst->block_size.varies |= src->block_size.varies;
	for (int d = 0; d < MODEL_DIRECTIONS; d++)
		io_merge(&dst->io[d], &src->io[d]);
}

/* The run goes to the first one that lacks its VMs, or else is a repeat. Takes the run over. */
static void group_add(struct collect_group *g, struct collect_run *run)
{
	for (size_t i = 0; i < g->n_runs; i++) {
		if (!vm_set_is_disjoint(&g->runs[i].vms, &run->vms))
			continue;
		sample_merge(&g->runs[i].sample, &run->sample);
		vm_set_merge(&g->runs[i].vms, &run->vms);
		run_free(run);
		return;
	}
	if (!(g->n_runs & (g->n_runs - 1)))
		g->runs = mem_resize(g->runs, g->n_runs ? g->n_runs * 2 : 1, sizeof(*g->runs));
	g->runs[g->n_runs++] = *run;
}

static void commit(struct file *file)
{
	struct snapshot *s = &file->pending;

	if (!file->has_pending)
		return;
	fact_merge(&file->collect->version, s->doc.version[0] ? s->doc.version : NULL);
	file->collect->jobs += s->jobs;
	for (size_t i = 0; i < s->n_runs; i++) {
		group_add(find_group(file->collect, &s->runs[i]), &s->runs[i].run);
		s->runs[i].run = (struct collect_run){0};
	}
	snapshot_free(s);
	file->has_pending = false;
}

static void on_document(void *ctx, const struct reader_document *doc)
{
	struct file *file = ctx;

	file->current.doc = *doc;
	if (file->has_pending && is_later_state(&file->pending, &file->current))
		snapshot_free(&file->pending);
	else
		commit(file);
	file->pending = file->current;
	file->has_pending = true;
	file->current = (struct snapshot){.jobs_hash = FNV_START};
}

int collect_file(struct collect *c, const char *path, const char *group, struct fault *f)
{
	struct file file = {.collect = c, .group = group, .current.jobs_hash = FNV_START};
	const struct reader_sink sink = {on_job, on_document, &file};
	int failed = reader_read(path, &sink, f);

	if (!failed)
		commit(&file);
	snapshot_free(&file.pending);
	snapshot_free(&file.current);
	return failed;
}

void collect_finish(struct collect *c)
{
	for (size_t i = 0; i < c->n_groups; i++) {
		struct collect_group *g = &c->groups[i];

		for (size_t k = 0; k < g->n_runs; k++) {
			series_add(&g->series, &g->runs[k].sample);
			run_free(&g->runs[k]);
		}
		free(g->runs);
		g->runs = NULL;
		g->n_runs = 0;
	}
}

struct collect_group *collect_find(struct collect *c, const char *name)
{
	for (size_t i = 0; i < c->n_groups; i++)
		if (!strcmp(c->groups[i].name, name))
			return &c->groups[i];
	return NULL;
}

void collect_free(struct collect *c)
{
	for (size_t i = 0; i < c->n_groups; i++) {
		struct collect_group *g = &c->groups[i];

		for (size_t k = 0; k < g->n_runs; k++)
			run_free(&g->runs[k]);
		free(g->runs);
		free(g->name);
		series_free(&g->series);
	}
	free(c->groups);
	free(c->version.text);
	*c = (struct collect){0};
}
