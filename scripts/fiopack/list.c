// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiopack list and fiopack show: papers and profiles for a person to read. Owns
 * their wording; the facts are paper.json's and the job files'.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../normalize/mem.h"
#include "../normalize/paper.h"
#include "command.h"
#include "vmfleet.h"

static int no_options(int argc, char **argv, const char *help)
{
	static const struct option longs[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
	int c;

	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		if (c == 'h') {
			fputs(help, stdout);
			return 0;
		}
		return command_fail(2, "%s has no option %s (see fiopack %s --help)", argv[0],
				    argv[optind - 1], argv[0]);
	}
	return -1;
}

static void list_one(const struct paper *p)
{
	printf("%s: %s\n", p->id, p->title);
	for (size_t i = 0; i < p->n_profiles; i++)
		printf("  %-24s %s\n", p->profiles[i].id, p->profiles[i].title);
}

int command_list(int argc, char **argv)
{
	const char *dir = paper_profiles_dir(NULL);
	struct fault f = {""};
	char **ids;
	size_t n;
	int status = no_options(argc, argv,
				"Usage: fiopack list\n\nList the papers and their profiles.\n");

	if (status >= 0)
		return status;
	if (optind < argc)
		return command_fail(2,
				    "list takes no argument (fiopack show PAPER tells about one)");
	if (paper_list(dir, &ids, &n, &f))
		return command_fail(3, "%s", f.text);
	status = 0;
	for (size_t i = 0; i < n; i++) {
		struct paper *p = paper_load(dir, ids[i], &f);

		if (p) {
			list_one(p);
		} else {
			status = command_fail(3, "%s", f.text);
			f.text[0] = '\0';
		}
		paper_free(p);
	}
	paper_free_list(ids, n);
	puts("Any other workload goes by its VMFleet name: fiopack show B8-T4-O16-W30-PR");
	return status;
}

static void show_figure(const struct paper_figure *fig)
{
	static const char *const before[] = {"", "over ", "under ", "about "};

	fputs("  ", stdout);
	fputs(before[fig->stated], stdout);
	if (fig->shown)
		fputs(fig->shown, stdout);
	else
		printf("%.10g %s", fig->value_as_stated, fig->unit);
	printf(" (%s", paper_metric_name(fig->metric));
	if (fig->direction != DIRECTION_ALL)
		printf(", %s", paper_direction_name(fig->direction));
	printf(", %s)", fig->scenario->title);
	if (!fig->comparable)
		printf(": not comparable, %s", fig->why);
	putchar('\n');
}

static void show_profile(const struct paper *p, const struct paper_profile *pr)
{
	printf("\n%s: %s\n", pr->id, pr->title);
	for (size_t i = 0; i < p->n_figures; i++) {
		if (p->figures[i].profile == pr)
			show_figure(&p->figures[i]);
	}
	for (size_t i = 0; i < pr->n_parts; i++) {
		printf("  at once: %s: %s", pr->parts[i].id, pr->parts[i].title);
		if (pr->parts[i].rate_iops)
			printf(", %u IOPS per thread", pr->parts[i].rate_iops);
		putchar('\n');
	}
	for (size_t i = 0; i < pr->n_assumed; i++)
		printf("  assumed: %s: %s (%s)\n", pr->assumed[i].what, pr->assumed[i].chosen,
		       pr->assumed[i].why);
}

static void show_paper(const struct paper *p)
{
	printf("%s: %s\n%s, %s\n", p->id, p->title, p->publisher, p->document);
	if (p->testbed)
		printf("Testbed: %s\n", p->testbed);
	if (p->load_generator)
		printf("Load: %s\n", p->load_generator);
	fputs("Scenarios:", stdout);
	for (size_t i = 0; i < p->n_scenarios; i++) {
		const struct paper_scenario *s = &p->scenarios[i];

		printf("%s %s (%s", i ? "," : "", s->id, s->title);
		if (s->vms)
			printf("; %llu VMs in all", (unsigned long long)s->vms);
		putchar(')');
	}
	putchar('\n');
	for (size_t i = 0; i < p->n_profiles; i++)
		show_profile(p, &p->profiles[i]);
	if (p->n_not_stated)
		puts("\nThe paper does not state:");
	for (size_t i = 0; i < p->n_not_stated; i++)
		printf("  %s\n", p->not_stated[i]);
	if (p->n_contradictions)
		puts("\nWhat does not add up in the paper:");
	for (size_t i = 0; i < p->n_contradictions; i++)
		printf("  %s\n", p->contradictions[i].text);
}

static int show_job_file(const struct paper *p, const struct paper_profile *pr)
{
	struct fault f = {""};
	char *name;
	FILE *in = paper_open_job(p, pr, &name, &f);
	int c, status = 0;

	if (!in) {
		status = command_fail(3, "%s", f.text);
	} else {
		printf("\n%s:\n", name);
		while ((c = getc(in)) != EOF)
			putchar(c);
		fclose(in);
	}
	free(name);
	return status;
}

/* A workload by its VMFleet name alone. */
static int show_name(char *name)
{
	struct fault f = {""};
	struct paper *p = vmfleet_paper(&name, 1, &f);
	int status;

	if (!p)
		return command_fail(2, "%s", f.text);
	show_profile(p, &p->profiles[0]);
	status = show_job_file(p, &p->profiles[0]);
	paper_free(p);
	return status;
}

int command_show(int argc, char **argv)
{
	const char *dir = paper_profiles_dir(NULL), *slash;
	const struct paper_profile *pr;
	struct fault f = {""};
	struct paper *p;
	char *id;
	int status = no_options(
		argc, argv,
		"Usage: fiopack show PAPER|PAPER/PROFILE|NAME\n\nShow a paper's figures, what it "
		"leaves open and what does not add up, or one profile\nand its job file; also of "
		"a workload by its VMFleet name, such as B8-T4-O16-W30-PR.\n");

	if (status >= 0)
		return status;
	if (argc - optind != 1)
		return command_fail(
			2, "show takes one paper or PAPER/PROFILE (fiopack list lists them)");
	if (vmfleet_is_meant(dir, argv[optind]))
		return show_name(argv[optind]);
	slash = strchr(argv[optind], '/');
	id = mem_copy_n(argv[optind],
			slash ? (size_t)(slash - argv[optind]) : strlen(argv[optind]));
	p = paper_load(dir, id, &f);
	free(id);
	if (!p)
		return command_fail(3, "%s", f.text);
	status = 0;
	if (slash) {
		pr = paper_find_profile(p, slash + 1);
		if (pr) {
			show_profile(p, pr);
			status = show_job_file(p, pr);
		} else {
			status = command_fail(2, "%s has no profile %s (fiopack list lists them)",
					      p->id, slash + 1);
		}
	} else {
		show_paper(p);
	}
	paper_free(p);
	return status;
}
