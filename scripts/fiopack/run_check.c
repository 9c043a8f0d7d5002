// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what is looked at before a plan is run: whether its targets may be written and
 * what they hold, and whether fio takes its jobs. Changes nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "../normalize/reason.h"
#include "fill.h"
#include "run.h"
#include "spawn.h"
#include "store.h"

/* Has a fill in this results folder been completed that filled `t`? */
static bool was_filled(const struct run *run, const struct target *t)
{
	const struct plan *plan = run->plan;
	bool was = false;

	for (size_t i = 0; !was && i < plan->n_targets; i++) {
		char *place = mem_printf("%s/%s/.fill", run->root, plan->targets[i].name);
		struct fault none = {""};

		was = fill_covers(plan, &plan->targets[i], t) && store_is_whole(place, &none);
		free(place);
	}
	return was;
}

int run_check_targets(const struct run *run, struct fault *f)
{
	const struct plan *plan = run->plan;
	const struct plan_options *o = &plan->options;

	for (size_t i = 0; i < plan->n_targets; i++) {
		struct target *t = &plan->targets[i];

		if (!plan_has_work(plan, t))
			continue;
		if (fill_decide(plan, t, o->assume_filled, f))
			return -1;
		/* files tell by themselves, a device does not */
		if (t->kind == TARGET_BLOCK && !t->filled && was_filled(run, t)) {
			t->filled = fill_is_there(plan, t);
			if (!t->filled)
				fprintf(stderr,
					"fiopack: %s lost the data that it was filled with, so it "
					"is filled again\n",
					t->name);
		}
		if (target_check_safe(t, o->vms, !t->filled || plan_changes(plan, t), o->destroy,
				      f))
			return -1;
	}
	return 0;
}

static int check_job(const struct run *run, const struct plan_run *r, const char *file,
		     struct fault *f)
{
	const char *const argv[] = {run->fio, "--parse-only", file, NULL};
	char *said, *why;
	int status, ret = 0;
	FILE *in;

	if (plan_write_job(run->plan, r->target, r->parts, r->n_parts, file, f))
		return -1;
	said = spawn_output(argv, &status);
	if (status) {
		in = *said ? fmemopen(said, strlen(said), "r") : NULL;
		why = reason_find(in, r->target->engine);
		ret = fault_set(f, "fio does not take %s on %s: %s", r->profile->id,
				r->target->name, why ? why : "it did not say why");
		free(why);
		if (in)
			fclose(in);
	}
	free(said);
	return ret;
}

/* --parse-only does not load an engine that has a name only; asking for its help does. */
static int check_engine(const struct run *run, const struct target *t, struct fault *f)
{
	const char *plugin = target_plugin(t);
	char *arg = mem_printf("--enghelp=%s", plugin ? plugin : t->ioengine), *said;
	const char *const argv[] = {run->fio, arg, NULL};
	int status, ret = 0;

	/* the status tells nothing: it is 1 for engines without options too */
	said = spawn_output(argv, &status);
	if (strstr(said, "not loadable") || strstr(said, "not found")) {
		said[strcspn(said, "\n")] = '\0';
		ret = fault_set(f, "fio has no engine for target %s: %s", t->name, said);
	}
	free(said);
	free(arg);
	return ret;
}

int run_check_jobs(const struct run *run, struct fault *f)
{
	/* memory, which the fio that is started sees under the same name */
	int fd = memfd_create("job.fio", 0), ret = 0;
	char *file = mem_printf("/proc/self/fd/%d", fd);

	if (fd < 0)
		ret = fault_set(f, "cannot make a job file in memory: %s", strerror(errno));
	for (size_t i = 0; !ret && i < run->plan->n_targets; i++)
		ret = check_engine(run, &run->plan->targets[i], f);
	for (size_t i = 0; !ret && i < run->plan->n_runs; i++) {
		const struct plan_run *r = &run->plan->runs[i];

		/* repeats are alike, and so are the jobs of all scenarios */
		if (r->repeat == 1 && r->scenario == run->plan->scenarios[0])
			ret = check_job(run, r, file, f);
	}
	if (fd >= 0)
		close(fd);
	free(file);
	return ret;
}
