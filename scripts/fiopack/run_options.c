// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the options of fiopack run: their help, and which values they take. What they
 * lead to is run_command.c's.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../normalize/mem.h"
#include "command.h"
#include "run_options.h"

static const char help[] =
	"Usage: fiopack run PAPER|PAPER/PROFILE|NAME... [option]...\n"
	"       fiopack run --resume DIR\n"
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
	"  --scenario ID     which of the paper's scenarios to measure [its first]; may be given\n"
	"                    several times: all runs are made in one, then in the next\n"
	"  --enter CMD       what brings the machines into a scenario: run with /bin/sh before\n"
	"                    the runs of each, with its ID in $FIOPACK_SCENARIO. When it fails,\n"
	"                    nothing is measured in that scenario. Without it, run asks and\n"
	"                    waits before each of several scenarios\n"
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
	"  --dry-run         check everything, write nothing, and print what would be run, in its\n"
	"                    order, as a shell script\n"
	"  --resume DIR      go on with the run that was cut off in this results folder, by\n"
	"                    whatever; no other option but --dry-run goes with it. Complete runs\n"
	"                    and fills stay. The one that was under way and those that failed\n"
	"                    are made again, and replace what is there of them. Refused when the\n"
	"                    machine, a device, fio, an engine or a profile is another now\n"
	"\n"
	"Write profiles overwrite their target; files are laid out, and devices filled, first.\n"
	"Exit status: 0 all runs done, 1 a run failed, 2 bad usage, 130 interrupted.\n";

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

static void add(const char ***list, size_t *n, const char *text)
{
	*list = mem_resize(*list, *n + 1, sizeof(**list));
	(*list)[(*n)++] = text;
}

int request_parse(struct request *q, int argc, char **argv)
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
		FIO_PATH,
		ENTER,
		RESUME,
		DRY_RUN
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
		{"enter", required_argument, NULL, ENTER},
		{"resume", required_argument, NULL, RESUME},
		{"dry-run", no_argument, NULL, DRY_RUN},
		{"output", required_argument, NULL, 'o'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	bool plans = false; /* an option that has a part in the plan */
	int c, bad = 0;

	*q = (struct request){.plan = {.vms = 1, .repeat = 1}};
	q->n_args = (size_t)argc - 1;
	q->args = mem_new(q->n_args, sizeof(*q->args));
	memcpy(q->args, argv + 1, q->n_args * sizeof(*q->args)); /* getopt changes the order */
	optind = 0;
	opterr = 0;
	while (!bad && (c = getopt_long(argc, argv, ":ho:", longs, NULL)) != -1) {
		plans |= c != RESUME && c != DRY_RUN;
		switch (c) {
		case TARGET:
			add(&q->targets, &q->n_targets, optarg);
			break;
		case SCENARIO:
			add(&q->scenarios, &q->n_scenarios, optarg);
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
			q->plan.assume_filled = true;
			break;
		case DESTROY:
			q->plan.destroy = true;
			break;
		case FIO_PATH:
			q->fio = optarg;
			break;
		case ENTER:
			q->enter = optarg;
			break;
		case RESUME:
			q->resume = optarg;
			break;
		case DRY_RUN:
			q->dry_run = true;
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
	if (bad)
		return bad;
	q->names = argv + optind;
	q->n_names = (size_t)(argc - optind);
	if (q->resume && (plans || q->n_names))
		return command_fail(2,
				    "--resume takes the plan from %s, so neither profiles nor "
				    "other options go with it, --dry-run excepted",
				    q->resume);
	if (!q->resume && !q->n_names)
		return command_fail(2, "run what? Name a paper (fiopack list lists them)");
	return -1;
}

void request_free(struct request *q)
{
	free(q->targets);
	free(q->scenarios);
	free(q->args);
}
