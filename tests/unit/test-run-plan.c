// SPDX-License-Identifier: GPL-2.0-only
/*
 * From profile and target to a job: which value wins, how threads and outstanding
 * become numjobs and iodepth, and how much of a device each VM gets. No device and
 * no fio is touched: targets are filled in by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "scripts/fiopack/plan.h"
#include "scripts/normalize/mem.h"

#define MIB ((uint64_t)1 << 20)

static char dir[] = "/tmp/fiopack-unit.XXXXXX";
static char healthy[] = "healthy", profile_id[] = "P", profile_file[] = "P.fio", paper_id[] = "p";
static char two_id[] = "D", log_id[] = "D.log", data_id[] = "D.data";
static char two_job[] = "[global]\nruntime=60\nbs=8k\n"
			"[D.data]\nrw=randrw\noffset=6g\nsize=4g\nnumjobs=4\niodepth=8\n"
			"rate_iops=1050,450\n"
			"[D.log]\nrw=write\nbs=32k\nsize=5g\nnumjobs=1\n";
static struct paper_scenario scenario = {.id = healthy, .title = healthy};
static const struct paper_scenario *scenarios[] = {&scenario};
static struct paper_profile profile = {.id = profile_id, .file = profile_file};
/* two workloads at once: data behind a log, with a gap between them */
static struct paper_profile parts[] = {{.id = data_id}, {.id = log_id}};
static struct paper_profile two = {.id = two_id, .job = two_job, .parts = parts, .n_parts = 2};
static struct paper paper = {.id = paper_id,
			     .dir = dir,
			     .scenarios = &scenario,
			     .n_scenarios = 1,
			     .profiles = &profile,
			     .n_profiles = 1};

static int make_profile(void **state)
{
	char path[64];
	FILE *f;

	(void)state;
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/P.fio", dir);
	f = fopen(path, "w");
	fputs("[global]\ndirect=1\nsize=1g\nruntime=60\nramp_time=30\n[P]\nrw=randread\nbs=4k\n"
	      "numjobs=2\niodepth=32\ngroup_reporting=1\n",
	      f);
	return fclose(f);
}

static int remove_profile(void **state)
{
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/P.fio", dir);
	unlink(path);
	return rmdir(dir);
}

/* A plan of one profile on one target; `kind` TARGET_BLOCK has `bytes`. */
static int make_of(const struct paper_profile *of, struct plan *p, struct plan_options o,
		   enum target_kind kind, uint64_t bytes, bool synchronous, struct fault *f)
{
	const struct paper_profile *const profiles[] = {of};

	*p = (struct plan){.paper = &paper,
			   .scenarios = scenarios,
			   .n_scenarios = 1,
			   .options = o,
			   .n_targets = 1};
	p->targets = mem_new(1, sizeof(*p->targets));
	p->targets[0] = (struct target){.name = mem_copy("t"),
					.engine = mem_copy("e"),
					.ioengine = mem_copy("external:/x/fio-e.so"),
					.path = mem_copy("/x/f"),
					.kind = kind,
					.bytes = bytes,
					.direct = true,
					.synchronous = synchronous};
	return plan_make(p, profiles, 1, f);
}

static int make(struct plan *p, struct plan_options o, enum target_kind kind, uint64_t bytes,
		bool synchronous, struct fault *f)
{
	return make_of(&profile, p, o, kind, bytes, synchronous, f);
}

static void profile_values_stand(void **state)
{
	struct fault f = {""};
	struct plan p;

	(void)state;
	assert_int_equal(
		make(&p, (struct plan_options){.vms = 3, .repeat = 2}, TARGET_FILE, 0, false, &f),
		0);
	assert_int_equal(p.n_runs, 2);
	assert_string_equal(p.runs[1].dir, "t/healthy/P/2");
	assert_int_equal(p.runs[0].vm_size, 1024 * MIB);
	assert_int_equal(p.runs[0].runtime_s, 60);
	assert_int_equal(p.runs[0].ramp_s, 30);
	assert_int_equal(p.runs[0].parts[0].numjobs, 2);
	assert_int_equal(p.runs[0].parts[0].iodepth, 32);
	assert_int_equal(plan_working_set(&p, &p.targets[0]), 3 * 1024 * MIB);
	assert_false(plan_changes(&p, &p.targets[0]));
	assert_string_equal(jobfile_get(&p.runs[0].parts[0].job, "ioengine"),
			    "external:/x/fio-e.so");
	assert_string_equal(jobfile_get(&p.runs[0].parts[0].job, "lat_percentiles"), "1");
	assert_null(jobfile_get(&p.runs[0].parts[0].job, "group_reporting"));
	plan_free(&p);
}

static void user_and_quick_win(void **state)
{
	struct plan_options quick = {.vms = 1, .repeat = 1, .quick = true};
	struct fault f = {""};
	struct plan p;

	(void)state;
	assert_int_equal(make(&p, quick, TARGET_FILE, 0, false, &f), 0);
	assert_int_equal(p.runs[0].vm_size, 256 * MIB);
	assert_int_equal(p.runs[0].runtime_s, 5);
	assert_int_equal(p.runs[0].ramp_s, 1);
	plan_free(&p);
	quick.runtime_s = 9;
	quick.ramp_given = true;
	quick.vm_size = 7 * MIB;
	assert_int_equal(make(&p, quick, TARGET_FILE, 0, false, &f), 0);
	assert_int_equal(p.runs[0].vm_size, 7 * MIB);
	assert_int_equal(p.runs[0].runtime_s, 9);
	assert_int_equal(p.runs[0].ramp_s, 0);
	assert_string_equal(jobfile_get(&p.runs[0].parts[0].job, "ramp_time"), "0");
	plan_free(&p);
}

static void synchronous_engines_get_jobs(void **state)
{
	struct fault f = {""};
	struct plan p;

	(void)state;
	assert_int_equal(
		make(&p, (struct plan_options){.vms = 1, .repeat = 1}, TARGET_FILE, 0, true, &f),
		0);
	assert_int_equal(p.runs[0].parts[0].numjobs, 64);
	assert_int_equal(p.runs[0].parts[0].iodepth, 1);
	assert_int_equal(p.runs[0].parts[0].threads, 2);
	assert_int_equal(p.runs[0].parts[0].outstanding, 32);
	plan_free(&p);
}

static void devices_are_sliced(void **state)
{
	struct plan_options o = {.vms = 3, .repeat = 1};
	struct fault f = {""};
	char path[64], text[1024] = "";
	struct plan p;
	FILE *in;

	(void)state;
	/* 100 MiB and a bit for three: 33 MiB each, whole MiB */
	assert_int_equal(make(&p, o, TARGET_BLOCK, 100 * MIB + 512, false, &f), 0);
	assert_int_equal(p.runs[0].vm_size, 33 * MIB);
	snprintf(path, sizeof(path), "%s/job", dir);
	assert_int_equal(plan_write_job(&p, &p.targets[0], p.runs[0].parts, 1, path, &f), 0);
	in = fopen(path, "r");
	assert_true(fread(text, 1, sizeof(text) - 1, in) > 0);
	fclose(in);
	unlink(path);
	assert_non_null(strstr(text, "[P.vm3]\nfilename=/x/f\noffset=69206016\nsize=34603008\n"));
	plan_free(&p);
	o.vm_size = 34 * MIB;
	assert_int_equal(make(&p, o, TARGET_BLOCK, 100 * MIB, false, &f), -1);
	assert_non_null(strstr(f.text, "lower --vm-size or --vms"));
	plan_free(&p);
	f.text[0] = '\0';
	assert_int_equal(make(&p, o, TARGET_BLOCK, MIB, false, &f), -1);
	assert_non_null(strstr(f.text, "too small for 3 VMs"));
	plan_free(&p);
}

/* The text of the job file of run 0. */
static void render(struct plan *p, char *text, size_t room)
{
	struct fault f = {""};
	char path[64];
	size_t n;
	FILE *in;

	snprintf(path, sizeof(path), "%s/job", dir);
	assert_int_equal(
		plan_write_job(p, &p->targets[0], p->runs[0].parts, p->runs[0].n_parts, path, &f),
		0);
	in = fopen(path, "r");
	assert_non_null(in);
	n = fread(text, 1, room - 1, in);
	text[n] = '\0';
	fclose(in);
	unlink(path);
}

static void parts_keep_their_shares(void **state)
{
	struct plan_options o = {.vms = 2, .repeat = 1};
	struct fault f = {""};
	struct plan p;

	(void)state;
	/* as the profile says: 6..10 GiB and 0..5 GiB of 10 */
	assert_int_equal(make_of(&two, &p, o, TARGET_FILE, 0, false, &f), 0);
	assert_int_equal(p.runs[0].n_parts, 2);
	assert_int_equal(p.runs[0].asked_vm_size, 10 * 1024 * MIB);
	assert_int_equal(p.runs[0].vm_size, 10 * 1024 * MIB);
	assert_int_equal(p.runs[0].parts[0].offset, 6 * 1024 * MIB);
	assert_int_equal(p.runs[0].parts[0].size, 4 * 1024 * MIB);
	assert_int_equal(p.runs[0].parts[1].offset, 0);
	assert_int_equal(p.runs[0].parts[1].size, 5 * 1024 * MIB);
	assert_true(p.runs[0].changes);
	assert_true(p.runs[0].reads);
	plan_free(&p);
	/* 25 MiB: 15..25 and 0..12.5, to whole MiB */
	o.vm_size = 25 * MIB;
	assert_int_equal(make_of(&two, &p, o, TARGET_FILE, 0, false, &f), 0);
	assert_int_equal(p.runs[0].parts[0].offset, 15 * MIB);
	assert_int_equal(p.runs[0].parts[0].size, 10 * MIB);
	assert_int_equal(p.runs[0].parts[1].size, 12 * MIB);
	assert_int_equal(plan_working_set(&p, &p.targets[0]), 50 * MIB);
	plan_free(&p);
	/* so little that nothing is left of the second */
	o.vm_size = MIB;
	assert_int_equal(make_of(&two, &p, o, TARGET_FILE, 0, false, &f), -1);
	assert_non_null(strstr(f.text, "D.log would have less than 1 MiB"));
	plan_free(&p);
}

static void parts_are_sections(void **state)
{
	struct plan_options o = {.vms = 2, .repeat = 1, .vm_size = 20 * MIB};
	struct fault f = {""};
	char text[4096], *global, *second;
	struct plan p;

	(void)state;
	assert_int_equal(make_of(&two, &p, o, TARGET_BLOCK, 100 * MIB, false, &f), 0);
	render(&p, text, sizeof(text));
	/* the slice of a VM on a device starts where the one before ends */
	assert_non_null(
		strstr(text, "\n[D.data.vm1]\nfilename=/x/f\noffset=12582912\nsize=8388608\n"));
	assert_non_null(strstr(text, "\n[D.log.vm1]\nfilename=/x/f\noffset=0\nsize=10485760\n"));
	second = strstr(text, "\n[D.data.vm2]\nfilename=/x/f\noffset=33554432\nsize=8388608\n");
	assert_non_null(second);
	assert_non_null(strstr(second, "rw=randrw\n"));
	assert_non_null(strstr(second, "rate_iops=1050,450\n"));
	/* what they share is said once, what they do not is not in [global] */
	global = strstr(text, "[global]");
	second = strstr(text, "[D.data.vm1]");
	*second = '\0';
	assert_non_null(strstr(global, "runtime=60\n"));
	assert_non_null(strstr(global, "ioengine="));
	assert_null(strstr(global, "rw="));
	assert_null(strstr(global, "bs="));
	assert_null(strstr(second + 1, "runtime="));
	plan_free(&p);
}

/* Jobs that stand for the depth of one thread share the limit of that thread. */
static void synchronous_engines_share_the_rate(void **state)
{
	struct fault f = {""};
	struct plan p;

	(void)state;
	assert_int_equal(make_of(&two, &p, (struct plan_options){.vms = 1, .repeat = 1},
				 TARGET_FILE, 0, true, &f),
			 0);
	assert_int_equal(p.runs[0].parts[0].numjobs, 32);
	/* 1050 and 450 I/Os of 8 KiB, for one of 8 */
	assert_string_equal(jobfile_get(&p.runs[0].parts[0].job, "rate"), "1075200,460800");
	assert_null(jobfile_get(&p.runs[0].parts[0].job, "rate_iops"));
	assert_null(jobfile_get(&p.runs[0].parts[1].job, "rate"));
	plan_free(&p);
}

/* fio's own defaults are not what the profile asks for. */
static void what_is_not_said_is_not_asked(void **state)
{
	static char id[] = "B", text[] = "[B]\nrw=read\n";
	const struct paper_profile bare = {.id = id, .job = text};
	struct plan_options o = {.vms = 1, .repeat = 1, .vm_size = MIB};
	struct fault f = {""};
	struct plan p;

	(void)state;
	assert_int_equal(make_of(&bare, &p, o, TARGET_FILE, 0, false, &f), 0);
	assert_int_equal(p.runs[0].runtime_s, 60);
	assert_int_equal(p.runs[0].asked_runtime_s, 0);
	assert_int_equal(p.runs[0].vm_size, MIB);
	assert_int_equal(p.runs[0].asked_vm_size, 0);
	plan_free(&p);
}

static void sections_are_papers_parts(void **state)
{
	struct paper_profile reversed = two, one = two;
	struct paper_profile swapped[] = {parts[1], parts[0]};
	struct plan_options o = {.vms = 1, .repeat = 1};
	struct fault f = {""};
	struct plan p;

	(void)state;
	reversed.parts = swapped;
	assert_int_equal(make_of(&reversed, &p, o, TARGET_FILE, 0, false, &f), -1);
	assert_non_null(strstr(f.text, "section [D.data] is D.log in paper.json"));
	plan_free(&p);
	f.text[0] = '\0';
	one.n_parts = 0;
	assert_int_equal(make_of(&one, &p, o, TARGET_FILE, 0, false, &f), -1);
	assert_non_null(strstr(f.text, "2 sections"));
	plan_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(profile_values_stand),
		cmocka_unit_test(user_and_quick_win),
		cmocka_unit_test(synchronous_engines_get_jobs),
		cmocka_unit_test(devices_are_sliced),
		cmocka_unit_test(parts_keep_their_shares),
		cmocka_unit_test(parts_are_sections),
		cmocka_unit_test(synchronous_engines_share_the_rate),
		cmocka_unit_test(sections_are_papers_parts),
		cmocka_unit_test(what_is_not_said_is_not_asked),
	};

	return cmocka_run_group_tests_name("plan", tests, make_profile, remove_profile);
}
