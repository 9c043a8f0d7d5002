// SPDX-License-Identifier: GPL-2.0-only
/*
 * fiopack run: what was asked for, now or when the run was begun, turned into a plan
 * that is checked before anything is written, then run, then reported.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../normalize/mem.h"
#include "../normalize/report.h"
#include "command.h"
#include "dry_run.h"
#include "environment.h"
#include "record.h"
#include "resume.h"
#include "run.h"
#include "run_options.h"
#include "scenario.h"
#include "spawn.h"
#include "store.h"
#include "vmfleet.h"

#ifndef FIOPACK_FIO
#define FIOPACK_FIO ""
#endif
#ifndef FIOPACK_PLUGIN_DIR
#define FIOPACK_PLUGIN_DIR "/usr/local/lib/fio"
#endif

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
static struct paper *load_paper(char *const *args, size_t n, int *status)
{
	const char *dir = paper_profiles_dir(NULL);
	bool named = vmfleet_is_meant(dir, args[0]);
	struct fault f = {""};
	struct paper *p;
	char *id;

	for (size_t i = 1; i < n; i++) {
		if (vmfleet_is_meant(dir, args[i]) != named) {
			*status = command_fail(
				2, "one run has profiles of one paper, not of %s and %s", args[0],
				args[i]);
			return NULL;
		}
	}
	if (named) {
		p = vmfleet_paper(args, n, &f);
	} else {
		id = mem_copy_n(args[0], strcspn(args[0], "/"));
		p = paper_load(dir, id, &f);
		free(id);
	}
	if (!p)
		*status = command_fail(named ? 2 : 3, "%s", f.text);
	return p;
}

/* The paper of a run that is resumed: the one that was kept with it, if any. */
static struct paper *load_paper_again(const struct resume *resume, int *status)
{
	const char *id = json_string_value(json_object_get(resume->run, "paper"));
	struct fault f = {""};
	struct paper *p = paper_load_kept(&resume->root, 1, paper_profiles_dir(NULL), id, &f);

	if (!p)
		*status = command_fail(3, "%s", f.text);
	return p;
}

/* The profiles that the arguments name, in the paper's order. Returns their number; 0 after a
 * sentence. */
static size_t choose_profiles(const struct paper *p, char *const *args, size_t n,
			      const struct paper_profile **out)
{
	bool *wanted = mem_new(p->n_profiles, sizeof(*wanted));
	size_t count = 0;

	/* a paper made of the arguments has nothing but what they name */
	for (size_t k = 0; p->text && k < p->n_profiles; k++)
		wanted[k] = true;
	for (size_t i = 0; !p->text && i < n; i++) {
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

/* The scenarios that were asked for, or the paper's first. Returns 0, or -1 after a sentence. */
static int choose_scenarios(struct plan *plan, const struct request *q)
{
	const struct paper *p = plan->paper;
	bool several = q->n_scenarios > 1;

	plan->scenarios = mem_new(q->n_scenarios + 1, sizeof(const struct paper_scenario *));
	plan->scenarios[plan->n_scenarios++] = &p->scenarios[0];
	for (size_t i = 0; i < q->n_scenarios; i++) {
		const char *id = q->scenarios[i];

		plan->scenarios[i] = paper_find_scenario(p, id);
		plan->n_scenarios = i + 1;
		if (!plan->scenarios[i] && p->text)
			return -command_fail(2,
					     "%s has no scenario %s: workloads by their VMFleet "
					     "names have only one, %s: leave out --scenario",
					     q->names[0], id, p->scenarios[0].id);
		if (!plan->scenarios[i])
			return -command_fail(2,
					     "%s has no scenario %s (fiopack show %s lists them)",
					     p->id, id, p->id);
		for (size_t k = 0; k < i; k++) {
			if (plan->scenarios[k] == plan->scenarios[i])
				return -command_fail(2, "scenario %s is asked for twice", id);
		}
	}
	if (several && !q->enter && !q->dry_run && !scenario_can_ask())
		return -command_fail(2,
				     "the machines have to be brought into each of %zu "
				     "scenarios, and there is no terminal to ask for that: "
				     "pass a command that does it with --enter",
				     q->n_scenarios);
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
		char *above = q->output ? mem_copy(root) : target_folder_of(root);
		char *dir = mem_printf("%s/.scratch", above);

		plan->n_targets = 1;
		ret = target_embedded(&plan->targets[0], dir, dirs, q->dry_run, f);
		free(dir);
		free(above);
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

static int lock_targets(struct plan *plan, struct fault *f)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < plan->n_targets; i++)
		ret = run_lock(plan, &plan->targets[i], f);
	return ret;
}

/* What fio says its version is, or NULL with `f` filled. Caller frees. */
static char *version_of(const char *fio, struct fault *f)
{
	const char *const argv[] = {fio, "--version", NULL};
	int status;
	char *version = spawn_output(argv, &status);

	version[strcspn(version, "\n")] = '\0';
	if (!status && !strncmp(version, "fio-", 4))
		return version;
	fault_set(f, "%s does not say its version: is it fio?", fio);
	free(version);
	return NULL;
}

/* A paper that is in no folder of profiles goes with the results. */
static int keep_paper(const struct run *run, struct fault *f)
{
	const char *text = run->plan->paper->text;

	return text ? store_write_json(run->root, "paper.json", json_loads(text, 0, NULL), f) : 0;
}

/* Plan and environment, as they are found now: written down, or held against what is there. */
static int keep_records(struct run *run, struct resume *resume, const struct request *q,
			struct fault *f)
{
	struct plan *plan = run->plan;
	char *version = version_of(run->fio, f);
	json_t *now, *record, *command;
	int ret = -1;

	if (!version)
		return -1;
	now = environment_collect(run->fio, version, plan->targets, plan->n_targets);
	free(version);
	record = record_plan(plan);
	command = record ? record_command(q->args, q->n_args) : NULL;
	if (!command)
		fault_set(f, "run.json cannot be made: a name, path or argument is not UTF-8");
	else if (resume)
		ret = resume_compare(resume, record, now, f);
	else if (run->dry)
		ret = 0;
	else if (!store_write_json(run->root, "environment.json", json_incref(now), f) &&
		 !keep_paper(run, f))
		ret = resume_begin(run->root, json_incref(record), json_incref(command), f);
	json_decref(command);
	json_decref(record);
	json_decref(now);
	return ret;
}

static int carry_out(struct run *run)
{
	const struct plan *plan = run->plan;
	const char *root = run->root;
	enum run_end end;
	int status;

	if (run->dry)
		dry_run_start(run);
	end = run_plan(run);
	if (run->dry)
		return fflush(stdout) ? command_fail(3, "the dry run could not be printed: %s",
						     strerror(errno))
				      : 0;
	if (end == RUN_STOPPED) {
		fprintf(stderr,
			"fiopack: stopped; %u of %zu runs are complete in %s (fiopack report %s prints "
			"them, fiopack run --resume %s makes the others)\n",
			run->completed, plan->n_runs, root, root, root);
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

/* From the folder to the last check: nothing has been written to a target when it returns. */
static int prepare(struct run *run, const struct request *q, struct resume *resume,
		   const struct paper_profile *const *profiles, size_t n, struct fault *f)
{
	struct plan *plan = run->plan;

	if (!resume) {
		run->root = store_create(q->output, q->dry_run, f);
		if (!run->root)
			return -1;
		run->lock = q->dry_run ? -1 : store_lock(run->root, f);
	}
	if (f->text[0] || make_targets(plan, q, run->root, f) || plan_make(plan, profiles, n, f))
		return -1;
	if (resume)
		resume_mark(resume, plan);
	if (lock_targets(plan, f) || run_check_targets(run, f))
		return -1;
	run->fio = find_fio(q->fio, f);
	return !run->fio || keep_records(run, resume, q, f) || run_check_jobs(run, f) ||
			       (resume && !run->dry && resume_note(resume, plan, f))
		       ? -1
		       : 0;
}

static int run_paper(const struct request *q, const struct paper *p, struct resume *resume)
{
	const struct paper_profile **profiles = mem_new(p->n_profiles, sizeof(*profiles));
	struct plan plan = {.paper = p, .options = q->plan};
	struct run run = {.plan = &plan, .enter = q->enter, .dry = q->dry_run, .lock = -1};
	size_t count = choose_profiles(p, q->names, q->n_names, profiles);
	struct fault f = {""};
	int status = 2;

	if (resume)
		run.root = mem_copy(resume->root);
	if (count && !choose_scenarios(&plan, q)) {
		if (!prepare(&run, q, resume, profiles, count, &f)) {
			status = carry_out(&run);
		} else {
			command_fail(2, "%s", f.text);
			if (run.lock >= 0) /* it is ours, and new */
				remove_empty(run.root);
		}
	}
	plan_free(&plan);
	free(plan.scenarios);
	free(run.fio);
	free(run.root);
	free(profiles);
	if (run.lock >= 0)
		close(run.lock);
	return status;
}

/* Everything is complete already, or `q` becomes what was asked for when the run was begun. */
static int begin_again(struct request *q, struct resume *resume)
{
	struct request first;
	struct fault f = {""};
	int status = resume_open(resume, q->resume, &f);

	if (status)
		return command_fail(status, "%s", f.text);
	if (resume->finished) {
		fprintf(stderr, "All runs are complete in %s: there is nothing to resume\n",
			resume->root);
		return q->dry_run ? 0 : report_results(resume->root, NULL, stdout);
	}
	if (!q->dry_run && resume_end_strays(resume, &f))
		return command_fail(2, "%s", f.text);
	status = request_parse(&first, resume->argc, resume->argv);
	first.dry_run = q->dry_run;
	first.fio = resume->fio;
	request_free(q);
	*q = first;
	return status;
}

int command_run(int argc, char **argv)
{
	struct resume resume = {.lock = -1};
	struct paper *p = NULL;
	struct request q;
	bool resumed;
	int status = request_parse(&q, argc, argv);

	resumed = status < 0 && q.resume;
	if (resumed)
		status = begin_again(&q, &resume);
	if (status < 0) {
		p = resumed ? load_paper_again(&resume, &status)
			    : load_paper(q.names, q.n_names, &status);
		if (p)
			status = run_paper(&q, p, resumed ? &resume : NULL);
	}
	paper_free(p);
	request_free(&q);
	resume_close(&resume);
	return status;
}
