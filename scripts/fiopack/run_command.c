// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiopack run: the command line, turned into a plan that is checked before anything
 * is written, then run, then reported.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "../normalize/report.h"
#include "command.h"
#include "environment.h"
#include "fill.h"
#include "run.h"
#include "spawn.h"
#include "store.h"
#include "vmfleet.h"

#ifndef FIOPACK_FIO
#define FIOPACK_FIO ""
#endif
#ifndef FIOPACK_PLUGIN_DIR
#define FIOPACK_PLUGIN_DIR "/usr/local/lib/fio"
#endif

static const char help[] =
	"Usage: fiopack run PAPER|PAPER/PROFILE|NAME... [option]...\n"
	"\n"
	"Run a paper's profiles on one or more targets and print the paper's table with the\n"
	"measured figures beside the published ones. Everything is kept in a results folder.\n"
	"NAME is any workload as VMFleet names it, such as B8-T4-O16-W30-PR or b8t4o16w30pr.\n"
	"\n"
	"  --target NAME=ENGINE:PATH[,OPTION...]\n"
	"                    what to measure; may be given several times. ENGINE is uring,\n"
	"                    laio or one of fio's own (io_uring, libaio, psync ...), PATH a file, a\n"
	"                    folder or a block device, OPTION a job-file option for it, such\n"
	"                    as fixedbufs or cpus_allowed=0-3. Without --target a scratch file\n"
	"                    beside the results is measured, with the uring engine\n"
	"  --scenario ID     which of the paper's scenarios the machines are in [its first]\n"
	"  --vms N           run N virtual machines' worth of load at once: a job section with\n"
	"                    its own file, or its own slice of a device, each [1]\n"
	"  --vm-size SIZE    bytes each of them works in, with k, m, g or t [the profile's]\n"
	"  --runtime S       seconds measured [the profile's]\n"
	"  --ramp S          seconds before that, not measured [the profile's]\n"
	"  --quick           5 s after a ramp of 1 s, 256 MiB a VM: shows that all works;\n"
	"                    every table says that it is no measurement\n"
	"  --repeat N        run every profile N times [1]\n"
	"  --assume-filled   the targets hold data already: do not write them once before they\n"
	"                    are read\n"
	"  --destroy         allow overwriting a device with a file system or partition table,\n"
	"                    or a file that fiopack did not make. What is mounted, swap or\n"
	"                    held by another device is refused all the same\n"
	"  --fio PATH        the fio to run [the one the engines were built for]\n"
	"  -o, --output DIR  results folder, new or empty [results/TIME]\n"
	"\n"
	"Write profiles overwrite their target; files are laid out, and devices filled, first.\n"
	"Exit status: 0 all runs done, 1 a run failed, 2 bad usage, 130 interrupted.\n";

struct request {
	struct plan_options plan;
	const char **targets;
	size_t n_targets;
	const char *output;
	const char *scenario;
	const char *fio;
	bool assume_filled, destroy;
};

static int parse_number(const char *option, const char *text, unsigned int least, unsigned int *out)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(text, &end, 10);
	if (errno || end == text || *end || *text == '-' || n < least || n > 1000000)
		return command_fail(2, "%s wants a whole number from %u to 1000000, not \"%s\"",
				    option, least, text);
	*out = (unsigned int)n;
	return 0;
}

static int parse_vm_size(const char *text, uint64_t *out)
{
	*out = jobfile_size(text);
	if (!*out || *out % (1 << 20))
		return command_fail(
			2, "--vm-size wants a multiple of 1m such as 512m or 10g, not \"%s\"",
			text);
	return 0;
}

/* -1: go on; otherwise the exit status */
static int parse(struct request *q, int argc, char **argv)
{
	enum {
		TARGET = 256,
		SCENARIO,
		VMS,
		VM_SIZE,
		RUNTIME,
		RAMP,
		QUICK,
		REPEAT,
		ASSUME,
		DESTROY,
		FIO_PATH
	};
	static const struct option longs[] = {
		{"target", required_argument, NULL, TARGET},
		{"scenario", required_argument, NULL, SCENARIO},
		{"vms", required_argument, NULL, VMS},
		{"vm-size", required_argument, NULL, VM_SIZE},
		{"runtime", required_argument, NULL, RUNTIME},
		{"ramp", required_argument, NULL, RAMP},
		{"quick", no_argument, NULL, QUICK},
		{"repeat", required_argument, NULL, REPEAT},
		{"assume-filled", no_argument, NULL, ASSUME},
		{"destroy", no_argument, NULL, DESTROY},
		{"fio", required_argument, NULL, FIO_PATH},
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	int c, bad = 0;

	optind = 0;
	opterr = 0;
	while (!bad && (c = getopt_long(argc, argv, ":ho:", longs, NULL)) != -1) {
		switch (c) {
		case TARGET:
			q->targets = mem_resize(q->targets, q->n_targets + 1, sizeof(*q->targets));
			q->targets[q->n_targets++] = optarg;
			break;
		case SCENARIO:
			q->scenario = optarg;
			break;
		case VMS:
			bad = parse_number("--vms", optarg, 1, &q->plan.vms);
			break;
		case VM_SIZE:
			bad = parse_vm_size(optarg, &q->plan.vm_size);
			break;
		case RUNTIME:
			bad = parse_number("--runtime", optarg, 1, &q->plan.runtime_s);
			break;
		case RAMP:
			bad = parse_number("--ramp", optarg, 0, &q->plan.ramp_s);
			q->plan.ramp_given = true;
			break;
		case QUICK:
			q->plan.quick = true;
			break;
		case REPEAT:
			bad = parse_number("--repeat", optarg, 1, &q->plan.repeat);
			break;
		case ASSUME:
			q->assume_filled = true;
			break;
		case DESTROY:
			q->destroy = true;
			break;
		case FIO_PATH:
			q->fio = optarg;
			break;
		case 'o':
			q->output = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return 0;
		case ':':
			return command_fail(2, "%s wants a value (see fiopack run --help)",
					    argv[optind - 1]);
		default:
			return command_fail(2, "run has no option %s (see fiopack run --help)",
					    argv[optind - 1]);
		}
	}
	return bad ? bad : -1;
}

/* The absolute path of the fio to run, or NULL with `f` filled. Caller frees. */
static char *find_fio(const char *asked, struct fault *f)
{
	const char *want = asked	  ? asked
			   : *FIOPACK_FIO ? FIOPACK_FIO
					  : "fio",
		   *path = getenv("PATH");
	char *dirs, *save, *dir, *found = NULL;

	if (strchr(want, '/')) {
		found = access(want, X_OK) ? NULL : realpath(want, NULL);
		if (!found)
			fault_set(f, "cannot run %s: %s", want, strerror(errno));
		return found;
	}
	dirs = mem_copy(path ? path : "/usr/local/bin:/usr/bin:/bin");
	for (dir = strtok_r(dirs, ":", &save); dir && !found; dir = strtok_r(NULL, ":", &save)) {
		char *try = mem_printf("%s/%s", dir, want);

		if (!access(try, X_OK))
			found = realpath(try, NULL);
		free(try);
	}
	free(dirs);
	if (!found)
		fault_set(f, "there is no %s in PATH: install fio, or pass --fio PATH", want);
	return found;
}

/* The paper that the arguments are of, or NULL after a sentence, with the exit status. */
static struct paper *load_paper(char **args, int n, int *status)
{
	const char *dir = paper_profiles_dir(NULL);
	bool named = vmfleet_is_meant(dir, args[0]);
	struct fault f = {""};
	struct paper *p;
	char *id;

	for (int i = 1; i < n; i++) {
		if (vmfleet_is_meant(dir, args[i]) != named) {
			*status = command_fail(
				2, "one run has profiles of one paper, not of %s and %s", args[0],
				args[i]);
			return NULL;
		}
	}
	if (named) {
		p = vmfleet_paper(args, (size_t)n, &f);
	} else {
		id = mem_copy_n(args[0], strcspn(args[0], "/"));
		p = paper_load(dir, id, &f);
		free(id);
	}
	if (!p)
		*status = command_fail(named ? 2 : 3, "%s", f.text);
	return p;
}

/* The profiles that the arguments name, in the paper's order. Returns their number; 0 after a
 * sentence. */
static size_t choose_profiles(const struct paper *p, char **args, int n,
			      const struct paper_profile **out)
{
	bool *wanted = mem_new(p->n_profiles, sizeof(*wanted));
	size_t count = 0;

	/* a paper made of the arguments has nothing but what they name */
	for (size_t k = 0; p->text && k < p->n_profiles; k++)
		wanted[k] = true;
	for (int i = 0; !p->text && i < n; i++) {
		const char *slash = strchr(args[i], '/');
		const struct paper_profile *pr;

		if (strncmp(args[i], p->id, strlen(p->id)) ||
		    (args[i][strlen(p->id)] && args[i] + strlen(p->id) != slash)) {
			command_fail(2, "one run has profiles of one paper, not of %s and %s",
				     p->id, args[i]);
			goto bad;
		}
		pr = slash ? paper_find_profile(p, slash + 1) : NULL;
		if (slash && !pr) {
			command_fail(2, "%s has no profile %s (fiopack list lists them)", p->id,
				     slash + 1);
			goto bad;
		}
		for (size_t k = 0; k < p->n_profiles; k++)
			wanted[k] |= !pr || pr == &p->profiles[k];
	}
	for (size_t k = 0; k < p->n_profiles; k++) {
		if (wanted[k])
			out[count++] = &p->profiles[k];
	}
	free(wanted);
	return count;
bad:
	free(wanted);
	return 0;
}

static int make_targets(struct plan *plan, const struct request *q, const char *root,
			struct fault *f)
{
	char *own = command_own_dir(), *beside = mem_printf("%s/../lib/fio", own ? own : ".");
	const char *env = getenv("FIOPACK_PLUGINS");
	const char *const dirs[] = {env	  ? env
				    : own ? own
					  : ".",
				    own ? own : ".", beside, FIOPACK_PLUGIN_DIR, NULL};
	int ret = 0;

	plan->targets = mem_new(q->n_targets ? q->n_targets : 1, sizeof(*plan->targets));
	if (!q->n_targets) {
		/* the default folder is shared by all results, so that the file is made once */
		char *dir = mem_printf(q->output ? "%s/.scratch" : "%s/../.scratch", root);

		plan->n_targets = 1;
		ret = target_embedded(&plan->targets[0], dir, dirs, f);
		free(dir);
	}
	for (size_t i = 0; !ret && i < q->n_targets; i++) {
		plan->n_targets++;
		ret = target_parse(&plan->targets[i], q->targets[i], dirs, f);
		for (size_t k = 0; !ret && k < i; k++) {
			if (!strcmp(plan->targets[k].name, plan->targets[i].name))
				ret = fault_set(f, "two targets are named %s",
						plan->targets[i].name);
		}
	}
	free(beside);
	free(own);
	return ret;
}

/* Several targets may be one place, measured with several engines: it is locked once. */
static int lock_targets(struct plan *plan, struct fault *f)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < plan->n_targets; i++) {
		bool again = false;

		for (size_t k = 0; k < i; k++)
			again |= !strcmp(plan->targets[k].path, plan->targets[i].path);
		if (!again)
			ret = target_lock(&plan->targets[i], f);
	}
	return ret;
}

/* Everything that can be refused, before anything is written. */
static int check(struct plan *plan, const struct request *q, struct fault *f)
{
	for (size_t i = 0; i < plan->n_targets; i++) {
		struct target *t = &plan->targets[i];

		if (fill_decide(plan, t, q->assume_filled, f) ||
		    target_check_safe(t, plan->options.vms, !t->filled || plan_changes(plan, t),
				      q->destroy, f))
			return -1;
	}
	return 0;
}

static int write_records(const struct plan *plan, const char *root, const char *fio,
			 struct fault *f)
{
	const char *const argv[] = {fio, "--version", NULL};
	char *version, started[32];
	time_t now = time(NULL);
	struct tm tm;
	int status, ret;

	version = spawn_output(argv, &status);
	version[strcspn(version, "\n")] = '\0';
	strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	ret = !status && !strncmp(version, "fio-", 4)
		      ? 0
		      : fault_set(f, "%s does not say its version: is it fio?", fio);
	if (!ret)
		ret = store_write_json(
			root, "environment.json",
			environment_collect(fio, version, plan->targets, plan->n_targets), f);
	if (!ret)
		ret = store_write_plan(root, plan, started, f);
	free(version);
	return ret;
}

static int carry_out(struct run *run)
{
	const struct plan *plan = run->plan;
	const char *root = run->root;
	enum run_end end = run_plan(run);
	int status;

	if (end == RUN_STOPPED) {
		fprintf(stderr,
			"fiopack: stopped; %u of %zu runs are complete in %s (fiopack report %s prints them)\n",
			run->completed, plan->n_runs, root, root);
		return 130;
	}
	status = report_results(root, NULL, stdout);
	fflush(stdout);
	fprintf(stderr, "Results: %s (fiopack report %s prints the table again)\n", root, root);
	return end == RUN_FAILED && !status ? 1 : status;
}

/* After a refusal: the results folder goes, so that its name can be used again. */
static void remove_empty(const char *root)
{
	static const char *const made[] = {"run.json", "environment.json", "paper.json", ".scratch",
					   ""};

	for (size_t i = 0; root && i < sizeof(made) / sizeof(made[0]); i++) {
		char *path = mem_printf("%s/%s", root, made[i]);

		(void)remove(path); /* a folder only when it is empty */
		free(path);
	}
}

static int run_paper(const struct request *q, const struct paper *p, char **args, int n)
{
	const struct paper_profile **profiles = mem_new(p->n_profiles, sizeof(*profiles));
	struct plan plan = {.paper = p, .scenario = &p->scenarios[0], .options = q->plan};
	size_t count = choose_profiles(p, args, n, profiles);
	struct fault f = {""};
	char *root = NULL, *fio = NULL;
	struct run run;
	int status = 2;

	if (!count)
		goto out;
	if (q->scenario)
		plan.scenario = paper_find_scenario(p, q->scenario);
	if (!plan.scenario) {
		command_fail(2, "%s has no scenario %s (fiopack show %s lists them)", p->id,
			     q->scenario, p->id);
		goto out;
	}
	root = store_create(q->output, &f);
	if (!root || make_targets(&plan, q, root, &f) || plan_make(&plan, profiles, count, &f) ||
	    lock_targets(&plan, &f) || check(&plan, q, &f) || !(fio = find_fio(q->fio, &f)))
		goto refused;
	run = (struct run){.plan = &plan, .root = root, .fio = fio};
	if (write_records(&plan, root, fio, &f) || run_check_jobs(&run, &f))
		goto refused;
	status = carry_out(&run);
	goto out;
refused:
	status = command_fail(2, "%s", f.text);
	remove_empty(root);
out:
	plan_free(&plan);
	free(fio);
	free(root);
	free(profiles);
	return status;
}

int command_run(int argc, char **argv)
{
	struct request q = {.plan = {.vms = 1, .repeat = 1}};
	struct paper *p;
	int status = parse(&q, argc, argv);

	if (status >= 0)
		goto out;
	if (optind >= argc) {
		status = command_fail(2, "run what? Name a paper (fiopack list lists them)");
		goto out;
	}
	p = load_paper(argv + optind, argc - optind, &status);
	if (!p)
		goto out;
	status = run_paper(&q, p, argv + optind, argc - optind);
	paper_free(p);
out:
	free(q.targets);
	return status;
}
