// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what the letters of a VMFleet name mean in fio: the same options that the job
 * files in profiles/ have for them. The profiles are made as the text of a paper.json and
 * read as one, so that all that follows knows no difference.
 */
#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "vmfleet.h"

#define MEANING                                                                                    \
	"a VMFleet name is B (block, KiB), T (threads), O (outstanding per thread), W (writes, "   \
	"%%), P (pattern: R random, S sequential, SI interlocked sequential) and, if the rate is " \
	"limited, IOPS (per thread), as in B8-T4-O16-W30-PR"

/* T x O of an interlocked pattern is one job's iodepth. */
#define MAX_IN_FLIGHT 65536

enum letter { BLOCK, THREADS, OUTSTANDING, WRITES, N_LETTERS };

static const struct {
	char letter;
	const char *what;
	unsigned long min, max;
} letters[N_LETTERS] = {
	{'B', "the block in KiB", 1, 65536},
	{'T', "the number of threads", 1, 4096},
	{'O', "the outstanding I/Os of a thread", 1, 65536},
	{'W', "the percentage of writes", 0, 100},
};

struct workload {
	unsigned int n[N_LETTERS];
	enum pattern pattern;
	unsigned int rate_iops; /* per thread; 0: not limited */
	char id[64];		/* as this project writes it */
	/* how fio runs it */
	unsigned int numjobs, iodepth;
};

static bool is_there(const char *profiles_dir, const char *id)
{
	char *path = mem_printf("%s/%s/paper.json", profiles_dir, id);
	bool there = !access(path, F_OK);

	free(path);
	return there;
}

bool vmfleet_is_meant(const char *profiles_dir, const char *arg)
{
	const char *p = arg;

	if (strchr(arg, '/') || is_there(profiles_dir, arg))
		return false;
	/* one of its letters with a number, at the start or after a dash */
	while (p) {
		if (*p == '-')
			p++;
		if (*p && strchr("btowBTOW", *p) && isdigit((unsigned char)p[p[1] == '-' ? 2 : 1]))
			return true;
		p = strchr(p, '-');
	}
	return false;
}

/* The rest of a name after a letter and its number; NULL with `f` filled. */
static const char *read_letter(const char *name, const char *p, enum letter which,
			       unsigned int *out, struct fault *f)
{
	char letter = letters[which].letter, *end = NULL;
	unsigned long n = 0;
	bool is_number;

	if (toupper((unsigned char)*p) != letter) {
		if (*p)
			fault_set(f, "\"%s\": %c, %s, should be where \"%s\" is; " MEANING, name,
				  letter, letters[which].what, p);
		else
			fault_set(f, "\"%s\": %c, %s, is missing at the end; " MEANING, name,
				  letter, letters[which].what);
		return NULL;
	}
	errno = 0;
	is_number = isdigit((unsigned char)p[1]);
	if (is_number)
		n = strtoul(p + 1, &end, 10);
	if (!is_number || errno || n < letters[which].min || n > letters[which].max) {
		fault_set(f, "\"%s\": %c is %s, a number from %lu to %lu, not \"%.*s\"; " MEANING,
			  name, letter, letters[which].what, letters[which].min, letters[which].max,
			  (int)strcspn(p + 1, "-tTpPoOwW"), p + 1);
		return NULL;
	}
	*out = (unsigned int)n;
	return end + (*end == '-');
}

static const char *read_pattern(const char *name, const char *p, enum pattern *out, struct fault *f)
{
	static const struct {
		const char *letters;
		enum pattern pattern;
	} patterns[] = {
		{"PSI", PATTERN_INTERLOCKED},
		{"PS", PATTERN_SEQUENTIAL},
		{"PR", PATTERN_RANDOM},
	};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		size_t len = strlen(patterns[i].letters);
		const char *rest = p + len;

		if (strncasecmp(p, patterns[i].letters, len))
			continue;
		if (*rest && *rest != '-' && strncasecmp(rest, "IOPS", 4))
			continue;
		*out = patterns[i].pattern;
		return rest + (*rest == '-');
	}
	if (*p)
		fault_set(f, "\"%s\": P, the pattern, is PR, PS or PSI, not \"%s\"; " MEANING, name,
			  p);
	else
		fault_set(f, "\"%s\": P, the pattern, is missing at the end; " MEANING, name);
	return NULL;
}

static int read_rate(const char *name, const char *p, unsigned int *out, struct fault *f)
{
	unsigned long n;
	char *end;

	if (!*p)
		return 0;
	errno = 0;
	if (!strncasecmp(p, "IOPS", 4) && isdigit((unsigned char)p[4])) {
		n = strtoul(p + 4, &end, 10);
		if (!*end && !errno && n && n <= 10000000) {
			*out = (unsigned int)n;
			return 0;
		}
	}
	return fault_set(f, "\"%s\": \"%s\" at its end is nothing that belongs there; " MEANING,
			 name, p);
}

static int parse(const char *name, struct workload *w, struct fault *f)
{
	static const char *const patterns[] = {"PR", "PS", "PSI"};
	const char *p = name;
	size_t len;

	*w = (struct workload){0};
	for (int i = 0; i < N_LETTERS; i++) {
		p = read_letter(name, p, (enum letter)i, &w->n[i], f);
		if (!p)
			return -1;
	}
	p = read_pattern(name, p, &w->pattern, f);
	if (!p || read_rate(name, p, &w->rate_iops, f))
		return -1;
	if ((unsigned long)w->n[THREADS] * w->n[OUTSTANDING] > MAX_IN_FLIGHT)
		return fault_set(f,
				 "\"%s\": T x O is more than the %d I/Os that fiopack keeps in "
				 "flight on a virtual machine",
				 name, MAX_IN_FLIGHT);
	snprintf(w->id, sizeof(w->id), "B%u-T%u-O%u-W%u-%s", w->n[BLOCK], w->n[THREADS],
		 w->n[OUTSTANDING], w->n[WRITES], patterns[w->pattern]);
	len = strlen(w->id);
	if (w->rate_iops)
		snprintf(w->id + len, sizeof(w->id) - len, "-IOPS%u", w->rate_iops);
	w->numjobs = w->n[THREADS];
	w->iodepth = w->n[OUTSTANDING];
	/* one stream that all threads take from: one job with all that is in flight */
	if (w->pattern == PATTERN_INTERLOCKED) {
		w->iodepth *= w->numjobs;
		w->numjobs = 1;
	}
	return 0;
}

static bool is_mixed(const struct workload *w)
{
	return w->n[WRITES] > 0 && w->n[WRITES] < 100;
}

static bool shares_stream(const struct workload *w)
{
	return w->pattern == PATTERN_INTERLOCKED && w->n[THREADS] > 1;
}

static char *title_of(const struct workload *w)
{
	static const char *const patterns[] = {"random", "sequential", "interlocked sequential"};

	if (is_mixed(w))
		return mem_printf("%u KiB %s, %u %% writes", w->n[BLOCK], patterns[w->pattern],
				  w->n[WRITES]);
	return mem_printf("%u KiB %s %s", w->n[BLOCK], patterns[w->pattern],
			  w->n[WRITES] ? "write" : "read");
}

static void print_head(FILE *out, const struct workload *w)
{
	static const char *const patterns[] = {"r", "s", "si"};
	char *title = title_of(w);

	fprintf(out,
		"# %s, %u thread%s with %u outstanding%s\n#\n"
		"# VMFleet runs in each virtual machine:\n"
		"#   diskspd -Z20M -z -h -t%u -o%u",
		title, w->n[THREADS], w->n[THREADS] == 1 ? "" : "s", w->n[OUTSTANDING],
		w->n[THREADS] == 1 ? "" : " each", w->n[THREADS], w->n[OUTSTANDING]);
	if (w->rate_iops)
		fprintf(out, " -g%ui", w->rate_iops);
	fprintf(out, " -b%uk -%s%uk -w%u -W60 -C60 -d60 -D -L FILE\n", w->n[BLOCK],
		patterns[w->pattern], w->n[BLOCK], w->n[WRITES]);
	free(title);
}

/* Of each thread, reads and writes apart, as fio has it; in bytes where IOPS are no whole number.
 */
static void print_rate(FILE *out, const struct workload *w)
{
	unsigned int writes = w->n[WRITES];
	uint64_t iops = (uint64_t)w->rate_iops * w->n[THREADS] / w->numjobs;
	uint64_t block = (uint64_t)w->n[BLOCK] * 1024;

	if (!iops)
		return;
	if (!is_mixed(w))
		fprintf(out, "rate_iops=%llu\n", (unsigned long long)iops);
	else if (iops * writes % 100)
		fprintf(out, "rate=%llu,%llu\n",
			(unsigned long long)(iops * block * (100 - writes) / 100),
			(unsigned long long)(iops * block * writes / 100));
	else
		fprintf(out, "rate_iops=%llu,%llu\n",
			(unsigned long long)(iops * (100 - writes) / 100),
			(unsigned long long)(iops * writes / 100));
}

static void print_job(FILE *out, const struct workload *w)
{
	bool random = w->pattern == PATTERN_RANDOM;

	print_head(out, w);
	fputs("[global]\nthread=1\ndirect=1\nsync=dsync\ntime_based=1\nramp_time=60\nruntime=60\n"
	      "size=10g\n",
	      out);
	if (random)
		fputs("norandommap=1\nrandom_generator=tausworthe64\n", out);
	fprintf(out, "randrepeat=0\nlat_percentiles=1\nclat_percentiles=0\n\n[%s]\n", w->id);
	if (is_mixed(w))
		fprintf(out, "rw=%s\nrwmixwrite=%u\n", random ? "randrw" : "rw", w->n[WRITES]);
	else
		fprintf(out, "rw=%s%s\n", random ? "rand" : "", w->n[WRITES] ? "write" : "read");
	fprintf(out, "bs=%uk\nnumjobs=%u\niodepth=%u\n", w->n[BLOCK], w->numjobs, w->iodepth);
	print_rate(out, w);
}

static json_t *job_text(const struct workload *w)
{
	char *text = NULL;
	json_t *string;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		print_job(out, w);
		fclose(out);
	}
	string = json_string(text ? text : "");
	free(text);
	return string;
}

static void assume(json_t *list, const char *what, const char *chosen, const char *why)
{
	json_array_append_new(
		list, json_pack("{s:s, s:s, s:s}", "what", what, "chosen", chosen, "why", why));
}

static json_t *assumptions(const struct workload *w)
{
	json_t *list = json_array();

	assume(list, "size", "10 GiB per VM",
	       "a name does not say; the file that VMFleet makes in each VM has that size");
	assume(list, "time", "60 s measured after 60 s of warm-up",
	       "a name does not say; the defaults of VM Fleet 1.0, where VMFleet 2 measures 30 s");
	assume(list, "caching", "none, written through",
	       "a name does not say; VMFleet runs DISKSPD with -h");
	if (shares_stream(w))
		assume(list, "interlocked threads",
		       "one job per VM with the outstanding I/Os of all threads",
		       "fio's jobs cannot share an offset");
	if (is_mixed(w) && w->pattern != PATTERN_RANDOM)
		assume(list, "sequence of reads and writes", "each has its own offset",
		       "fio keeps one for each, DISKSPD has one for both");
	return list;
}

static json_t *profile_of(const struct workload *w)
{
	static const char *const patterns[] = {"random", "sequential", "interlocked"};
	char *title = title_of(w);
	json_t *p = json_object();

	json_object_set_new(p, "id", json_string(w->id));
	json_object_set_new(p, "title", json_string(title));
	json_object_set_new(p, "threads", json_integer(w->n[THREADS]));
	json_object_set_new(p, "outstanding", json_integer(w->n[OUTSTANDING]));
	json_object_set_new(p, "block_bytes", json_integer((json_int_t)w->n[BLOCK] * 1024));
	json_object_set_new(p, "write_percent", json_integer(w->n[WRITES]));
	json_object_set_new(p, "pattern", json_string(patterns[w->pattern]));
	if (w->rate_iops)
		json_object_set_new(p, "rate_iops", json_integer(w->rate_iops));
	json_object_set_new(p, "assumed", assumptions(w));
	json_object_set_new(p, "job", job_text(w));
	free(title);
	return p;
}

static json_t *row_of(const struct workload *w)
{
	const char *rate = w->pattern == PATTERN_RANDOM ? "iops" : "bandwidth";

	return json_pack("{s:s, s:[{s:s}, {s:s}]}", "profile", w->id, "cell", "metric", rate,
			 "metric", "latency_mean");
}

static bool is_in(const json_t *profiles, const char *id)
{
	for (size_t i = 0; i < json_array_size(profiles); i++) {
		const json_t *p = json_array_get(profiles, i);

		if (!strcmp(json_string_value(json_object_get(p, "id")), id))
			return true;
	}
	return false;
}

struct paper *vmfleet_paper(char *const *names, size_t n, struct fault *f)
{
	json_t *profiles = json_array(), *rows = json_array(), *root;
	struct paper *paper = NULL;
	struct workload w;
	char *text;

	for (size_t i = 0; i < n; i++) {
		if (parse(names[i], &w, f)) {
			json_decref(profiles);
			json_decref(rows);
			return NULL;
		}
		if (is_in(profiles, w.id))
			continue;
		json_array_append_new(profiles, profile_of(&w));
		json_array_append_new(rows, row_of(&w));
	}
	root = json_pack("{s:i, s:s, s:s, s:{s:s, s:s, s:s}, s:s, s:[{s:s, s:s}], s:o,"
			 " s:[{s:s, s:s, s:o}]}",
			 "schema", 1, "id", "vmfleet", "title",
			 "VMFleet's workloads by their names", "source", "publisher", "Microsoft",
			 "document", "VMFleet, the names of its result files", "note",
			 "nothing is published for a name by itself", "load_generator",
			 "VMFleet with DISKSPD", "scenarios", "id", "any", "title", "as found",
			 "profiles", profiles, "tables", "id", "workloads", "title",
			 "Workloads by name", "rows", rows);
	text = json_dumps(root, JSON_INDENT(2));
	if (text)
		paper = paper_parse(text, f);
	free(text);
	json_decref(root);
	return paper;
}
