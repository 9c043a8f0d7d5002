// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the `report` subcommand: its command line, where its output goes, its
 * exit code. What a report says is made by the files it calls.
 */
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"
#include "emit.h"
#include "mem.h"
#include "output.h"
#include "paper.h"
#include "records.h"
#include "sheet.h"
#include "study.h"

#define DEFAULT_RESULTS "results"

enum format { FORMAT_TEXT, FORMAT_MARKDOWN, FORMAT_CSV, FORMAT_JSON };

static const char *const format_names[] = {"text", "markdown", "csv", "json"};

struct request {
	const char *paper;
	const char *profiles;
	const char *output; /* NULL: stdout */
	enum format format;
	bool help;
};

static const char usage[] =
	"Usage: fiopack report [RESULTS_DIR... | FILE.json...]\n"
	"\n"
	"Print what was measured in the shape of the paper's tables, beside its figures.\n"
	"\n"
	"  RESULTS_DIR...     folders that fiopack run wrote (default: the newest in results/);\n"
	"                     several of one paper, such as one for each scenario, fill one\n"
	"                     table, and what they were measured with is told where it differs\n"
	"  FILE.json...       fio's JSON or JSON+ output; jobs are matched by name, X.vm1,\n"
	"                     X.vm2 ... are VMs of X\n"
	"\n"
	"  --paper ID         the paper to compare with (default: the one of RESULTS_DIR)\n"
	"  --profiles DIR     folder of the papers (default: $FIOPACK_PROFILES, or as installed)\n"
	"  --format FORMAT    text (default), markdown, csv or json\n"
	"  -o, --output FILE  write to FILE instead of stdout\n"
	"  -h, --help         this text\n"
	"\n"
	"exit code: 0 fine, 1 a run or a job failed, 2 bad usage, 3 unreadable input\n";

static bool parse_format(const char *text, enum format *format)
{
	for (size_t i = 0; i < sizeof(format_names) / sizeof(format_names[0]); i++) {
		if (strcmp(text, format_names[i]))
			continue;
		*format = (enum format)i;
		return true;
	}
	fprintf(stderr, "fiopack report: --format %s: must be text, markdown, csv or json\n", text);
	return false;
}

static bool parse(int argc, char **argv, struct request *q)
{
	static const struct option options[] = {
		{"paper", required_argument, NULL, 'p'},
		{"profiles", required_argument, NULL, 'd'},
		{"format", required_argument, NULL, 'f'},
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c;

	/* glibc: 0 starts over, also when a caller's getopt has run over another argv */
	optind = 0;
	while ((c = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
		switch (c) {
		case 'p':
			q->paper = optarg;
			break;
		case 'd':
			q->profiles = optarg;
			break;
		case 'f':
			if (!parse_format(optarg, &q->format))
				return false;
			break;
		case 'o':
			q->output = optarg;
			break;
		case 'h':
			q->help = true;
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool is_dir(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* The results folder whose name sorts last: names are time stamps. NULL: there is none. */
static char *newest_results(void)
{
	DIR *dir = opendir(DEFAULT_RESULTS);
	char *newest = NULL;
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char *path = mem_printf("%s/%s", DEFAULT_RESULTS, entry->d_name);
		char *run = mem_printf("%s/run.json", path);

		if (!access(run, F_OK) && (!newest || strcmp(path, newest) > 0)) {
			free(newest);
			newest = mem_copy(path);
		}
		free(run);
		free(path);
	}
	if (dir)
		closedir(dir);
	return newest;
}

static void emit(FILE *out, enum format format, const struct study *s, const struct checks *checks)
{
	struct records records = {0};
	struct sheet sheet = {0};

	if (format == FORMAT_TEXT || format == FORMAT_MARKDOWN) {
		sheet_make(&sheet, s, checks);
		if (format == FORMAT_TEXT)
			emit_text(out, &sheet);
		else
			emit_markdown(out, &sheet);
		sheet_free(&sheet);
		return;
	}
	records_make(&records, s);
	if (format == FORMAT_CSV)
		emit_csv(out, s, &records);
	else
		emit_json(out, s, &records, checks);
	records_free(&records);
}

static int fail(const struct fault *f)
{
	fprintf(stderr, "fiopack report: %s\n", f->text);
	return REPORT_UNREADABLE;
}

/* Write `s` as one piece; `out` NULL: to the file of the request. Returns the exit code. */
static int write_study(const struct study *s, const struct request *q, FILE *out)
{
	struct fault fault = {""};
	struct checks checks = {0};
	char *data = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&data, &len);
	bool failed, complete;

	checks_run(s, &checks);
	failed = checks.count[VERDICT_FAIL] != 0;
	if (memory)
		emit(memory, q->format, s, &checks);
	checks_free(&checks);
	/* fclose says whether all of it fitted into memory */
	complete = memory && !ferror(memory);
	if (memory && fclose(memory))
		complete = false;
	if (!complete)
		fault_set(&fault, "out of memory, nothing was written");
	else if (!out)
		output_write(q->output, data, len, &fault);
	else if (fwrite(data, 1, len, out) != len || fflush(out))
		fault_set(&fault, "the report could not be written: %s", strerror(errno));
	free(data);
	if (fault.text[0])
		return fail(&fault);
	for (size_t i = 0; i < s->n_unreadable; i++)
		fprintf(stderr, "fiopack report: %s\n", s->unreadable[i]);
	if (s->n_unreadable)
		return REPORT_UNREADABLE;
	return failed ? REPORT_CHECK_FAILED : REPORT_OK;
}

static int report(char *const *inputs, size_t n, const struct request *q, FILE *out)
{
	const char *profiles = paper_profiles_dir(q->profiles);
	struct fault fault = {""};
	struct study *s;
	int code;

	if (is_dir(inputs[0]))
		s = study_from_results(inputs, n, profiles, q->paper, &fault);
	else
		s = study_from_files(inputs, n, profiles, q->paper, &fault);
	if (!s)
		return fail(&fault);
	code = write_study(s, q, out);
	study_free(s);
	return code;
}

int report_main(int argc, char **argv)
{
	struct request q = {0};
	FILE *out;
	char *newest;
	int code;

	if (!parse(argc, argv, &q)) {
		fputs("Try 'fiopack report --help'.\n", stderr);
		return REPORT_USAGE;
	}
	if (q.help) {
		fputs(usage, stdout);
		return REPORT_OK;
	}
	out = q.output ? NULL : stdout;
	for (int i = optind; i < argc; i++) {
		if (is_dir(argv[i]) == is_dir(argv[optind]))
			continue;
		fprintf(stderr,
			"fiopack report: %s and %s: give results folders, or JSON files, not both\n",
			argv[optind], argv[i]);
		return REPORT_USAGE;
	}
	if (optind < argc)
		return report(argv + optind, (size_t)(argc - optind), &q, out);
	newest = newest_results();
	if (!newest) {
		fputs("fiopack report: no RESULTS_DIR or FILE.json given, and no results/ to take "
		      "the newest from\n",
		      stderr);
		return REPORT_USAGE;
	}
	code = report(&newest, 1, &q, out);
	free(newest);
	return code;
}

int report_results(const char *dir, const char *profiles_dir, FILE *out)
{
	const struct request q = {.profiles = profiles_dir};
	char *input = mem_copy(dir);
	int code = report(&input, 1, &q, out);

	free(input);
	return code;
}
