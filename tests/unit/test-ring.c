// SPDX-License-Identifier: GPL-2.0-only
/*
 * core/ring against the running kernel, with NOPs and reads of a memory file; and
 * against older kernels and errors, played by a function that stands before
 * liburing's io_uring_setup().
 */
#include <dlfcn.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <liburing.h>
#include <cmocka.h>

#include "core/ring.h"

/* What the played kernel does: refuses these setup flags, or everything. */
static unsigned unknown_flags;
static int setup_error;
static unsigned setup_calls;

/* From 2.6 on, liburing adds flags of its own here, and with them no slot is tied to its entry. */
int io_uring_queue_init_params(unsigned entries, struct io_uring *ring, struct io_uring_params *p)
{
	(void)entries;
	(void)ring;
	(void)p;
	fail_msg("ring_open() must not leave the choice of flags to the library");
	return -ENOSYS;
}

int io_uring_setup(unsigned entries, struct io_uring_params *p)
{
	int (*real)(unsigned, struct io_uring_params *);

	setup_calls++;
	if (setup_error)
		return setup_error;
	if (p->flags & unknown_flags)
		return -EINVAL;
	*(void **)&real = dlsym(RTLD_NEXT, "io_uring_setup");
	if (!real)
		return -ENOSYS;
	return real(entries, p);
}

static struct ring ring;
static struct err e;

static int fresh(void **state)
{
	(void)state;
	memset(&ring, 0, sizeof(ring));
	ring.fd = -1;
	e = (struct err)ERR_INIT;
	unknown_flags = 0;
	setup_error = 0;
	setup_calls = 0;
	return 0;
}

static int done(void **state)
{
	(void)state;
	ring_close(&ring);
	return 0;
}

/* A ring of n slots, or a skip where io_uring is not allowed (containers). */
static void need_ring(unsigned n)
{
	struct ring_want want = {.slots = n};
	int ret = ring_open(&ring, &want, &e);

	if (ret == -EPERM || ret == -ENOSYS) {
		print_message("# skipped: %s\n", e.text);
		skip();
	}
	assert_int_equal(ret, 0);
	assert_string_equal(e.text, "");
	assert_true(ring.fd >= 0);
}

static void nop(unsigned slot)
{
	memset(&ring.sqes[slot], 0, sizeof(ring.sqes[slot]));
	ring.sqes[slot].opcode = IORING_OP_NOP;
	ring.sqes[slot].user_data = 1000 + slot;
	ring_push(&ring, slot);
}

/* Submit one prepared entry, wait for it, return its result. */
static int run_one(unsigned slot)
{
	const struct io_uring_cqe *cqe;
	int res;

	ring_push(&ring, slot);
	assert_int_equal(ring_enter(&ring, 1, 1), 1);
	cqe = ring_peek(&ring);
	assert_non_null(cqe);
	res = cqe->res;
	ring_cq_advance(&ring, 1);
	return res;
}

static void open_and_close(void **state)
{
	(void)state;
	ring_close(&ring); /* of nothing */
	need_ring(12);
	assert_true(ring.sq_mask + 1 >= 12);
	assert_true(ring.cq_mask + 1 >= 12);
	assert_int_equal((ring.sq_mask + 1) & ring.sq_mask, 0);
	assert_null(ring_peek(&ring));
	assert_int_equal(ring_cq_ready(&ring), 0);
	ring_close(&ring);
	assert_int_equal(ring.fd, -1);
	ring_close(&ring); /* twice */
}

static void range_of_slots(void **state)
{
	struct ring_want want = {.slots = 0};

	(void)state;
	assert_int_equal(ring_open(&ring, &want, &e), -EINVAL);
	assert_non_null(strstr(e.text, "iodepth=0"));
	assert_int_equal(setup_calls, 0);
	ring_close(&ring); /* after a failed open */

	e = (struct err)ERR_INIT;
	want.slots = RING_MAX_SLOTS + 1;
	assert_int_equal(ring_open(&ring, &want, &e), -EINVAL);
	assert_non_null(strstr(e.text, "32768"));
	assert_int_equal(setup_calls, 0);
	assert_int_equal(ring_open(&ring, &want, NULL), -EINVAL);

	e = (struct err)ERR_INIT;
	need_ring(RING_MAX_SLOTS);
	ring_close(&ring);
	need_ring(1);
}

static void older_kernels(void **state)
{
	static const unsigned lacks[] = {
		IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
		IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
			IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
		IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
			IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG |
			IORING_SETUP_SUBMIT_ALL,
		~(unsigned)IORING_SETUP_IOPOLL,
	};

	(void)state;
	need_ring(8);
	assert_int_equal(setup_calls, 1); /* this kernel's answer decides how many below */
	ring_close(&ring);
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++) {
		setup_calls = 0;
		unknown_flags = lacks[i];
		need_ring(8);
		assert_int_equal(ring.setup_flags & lacks[i], 0);
		assert_true(setup_calls >= 2);
		/* and it works: fill it twice over */
		for (unsigned round = 0; round < 2; round++) {
			for (unsigned s = 0; s < 8; s++)
				nop(s);
			assert_int_equal(ring_enter(&ring, 8, 8), 8);
			assert_int_equal(ring_cq_ready(&ring), 8);
			ring_cq_advance(&ring, 8);
		}
		ring_close(&ring);
	}
}

static void polling_is_never_dropped(void **state)
{
	struct ring_want want = {.slots = 8, .iopoll = true};

	(void)state;
	unknown_flags = IORING_SETUP_IOPOLL;
	assert_int_equal(ring_open(&ring, &want, &e), -EINVAL);
	assert_non_null(strstr(e.text, "hipri"));
}

static void sentences(void **state)
{
	static const struct {
		int error;
		const char *says;
	} cases[] = {
		{-ENOSYS, "5.1"},	    {-EPERM, "io_uring_disabled"}, {-EACCES, "seccomp"},
		{-ENOMEM, "no memory"},	    {-EMFILE, "ulimit -n"},	   {-ENFILE, "ulimit -n"},
		{-EINVAL, "lower iodepth"}, {-EIO, "Input/output error"},
	};
	struct ring_want want = {.slots = 64};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		e = (struct err)ERR_INIT;
		setup_error = cases[i].error;
		assert_int_equal(ring_open(&ring, &want, &e), cases[i].error);
		assert_int_equal(e.code, -cases[i].error);
		assert_non_null(strstr(e.text, cases[i].says));
		assert_null(strchr(e.text, '\n'));
		assert_int_equal(ring.fd, -1);
		ring_close(&ring);
	}
}

static void slots_in_any_order(void **state)
{
	static const unsigned order[] = {5, 0, 7, 2, 2, 6};
	unsigned n = sizeof(order) / sizeof(order[0]);
	unsigned first;

	(void)state;
	need_ring(8);
	first = ring.sq_tail;
	for (unsigned i = 0; i < n; i++)
		nop(order[i]);
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(ring_slot_at(&ring, first + i), order[i]);
	assert_int_equal(ring_enter(&ring, n, n), n);
	assert_int_equal(ring_cq_ready(&ring), n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(ring_cqe(&ring, i)->user_data, 1000 + order[i]);
		assert_int_equal(ring_cqe(&ring, i)->res, 0);
	}
	/* peek stays at the head until it is told to go on */
	assert_int_equal(ring_peek(&ring)->user_data, 1005);
	assert_int_equal(ring_peek(&ring)->user_data, 1005);
	ring_cq_advance(&ring, 1);
	assert_int_equal(ring_peek(&ring)->user_data, 1000);
	assert_int_equal(ring_cq_ready(&ring), n - 1);
	ring_cq_advance(&ring, n - 1);
	assert_null(ring_peek(&ring));
}

static void round_and_round(void **state)
{
	(void)state;
	need_ring(5);
	for (unsigned i = 0; i < 1000; i++) {
		unsigned n = 1 + i % 5;

		for (unsigned s = 0; s < n; s++)
			nop((i + s) % 5);
		assert_int_equal(ring_enter(&ring, n, n), n);
		assert_int_equal(ring_cq_ready(&ring), n);
		for (unsigned s = 0; s < n; s++)
			assert_int_equal(ring_cqe(&ring, s)->user_data, 1000 + (i + s) % 5);
		ring_cq_advance(&ring, n);
	}
}

static void part_of_the_queue(void **state)
{
	(void)state;
	need_ring(8);
	for (unsigned s = 0; s < 6; s++)
		nop(s);
	assert_int_equal(ring_enter(&ring, 2, 2), 2);
	assert_int_equal(ring_cq_ready(&ring), 2);
	assert_int_equal(ring_enter(&ring, 4, 6), 4);
	assert_int_equal(ring_cq_ready(&ring), 6);
	assert_int_equal(ring_enter(&ring, 0, 0), 0);
	ring_cq_advance(&ring, 6);
}

static void operations(void **state)
{
	(void)state;
	need_ring(1);
	assert_true(ring_has_op(&ring, IORING_OP_NOP));
	assert_true(ring_has_op(&ring, IORING_OP_READ));
	assert_false(ring_has_op(&ring, 250));
}

static void work_to_look_for(void **state)
{
	(void)state;
	need_ring(2);
	if (ring.setup_flags & IORING_SETUP_TASKRUN_FLAG)
		assert_false(ring_has_work(&ring));	/* an idle ring */
	ring.setup_flags &= ~IORING_SETUP_TASKRUN_FLAG; /* nothing tells: look */
	assert_true(ring_has_work(&ring));
	ring.setup_flags |= IORING_SETUP_TASKRUN_FLAG | IORING_SETUP_IOPOLL;
	assert_true(ring_has_work(&ring));
}

static int memory_file(const char *text)
{
	int fd = memfd_create("test-ring", 0);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

static void read_from(unsigned place, void *buf, unsigned len)
{
	memset(&ring.sqes[0], 0, sizeof(ring.sqes[0]));
	ring.sqes[0].opcode = IORING_OP_READ;
	ring.sqes[0].fd = (int)place;
	ring.sqes[0].flags = IOSQE_FIXED_FILE;
	ring.sqes[0].addr = (uintptr_t)buf;
	ring.sqes[0].len = len;
}

static void files(void **state)
{
	int a = memory_file("aaaa"), b = memory_file("bbbb");
	int fds[3] = {a, -1, b};
	char buf[4] = ""; /* valgrind does not see the kernel write */

	(void)state;
	need_ring(4);
	assert_int_equal(ring_register_files(&ring, fds, 3, &e), 0);
	read_from(0, buf, 4);
	assert_int_equal(run_one(0), 4);
	assert_memory_equal(buf, "aaaa", 4);
	read_from(2, buf, 4);
	assert_int_equal(run_one(0), 4);
	assert_memory_equal(buf, "bbbb", 4);
	read_from(1, buf, 4); /* an empty place */
	assert_int_equal(run_one(0), -EBADF);

	assert_int_equal(ring_update_file(&ring, 1, a, &e), 0);
	read_from(1, buf, 4);
	assert_int_equal(run_one(0), 4);
	assert_int_equal(ring_update_file(&ring, 0, -1, &e), 0);
	read_from(0, buf, 4);
	assert_int_equal(run_one(0), -EBADF);
	/* the table has its own reference: closing ours changes nothing */
	close(b);
	read_from(2, buf, 4);
	assert_int_equal(run_one(0), 4);

	assert_true(ring_update_file(&ring, 3, a, &e) < 0); /* beyond the table */
	assert_non_null(strstr(e.text, "registerfiles"));
	assert_true(ring_update_file(&ring, 3, a, NULL) < 0);
	e = (struct err)ERR_INIT;
	assert_true(ring_register_files(&ring, fds, 3, &e) < 0); /* twice */
	assert_non_null(strstr(e.text, "registerfiles"));
	close(a);
}

static void buffers(void **state)
{
	int fd = memory_file("0123456789");
	struct iovec iov[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		iov[i].iov_len = 4096;
		assert_int_equal(posix_memalign(&iov[i].iov_base, 4096, 4096), 0);
		memset(iov[i].iov_base, 0, 4096);
	}
	need_ring(2);
	assert_int_equal(ring_register_buffers(&ring, iov, 2, &e), 0);
	for (unsigned i = 0; i < 2; i++) {
		memset(&ring.sqes[i], 0, sizeof(ring.sqes[i]));
		ring.sqes[i].opcode = IORING_OP_READ_FIXED;
		ring.sqes[i].fd = fd;
		ring.sqes[i].off = i;
		ring.sqes[i].addr = (uintptr_t)iov[i].iov_base + 100;
		ring.sqes[i].len = 4;
		ring.sqes[i].buf_index = (uint16_t)i;
		assert_int_equal(run_one(i), 4);
	}
	assert_memory_equal((char *)iov[0].iov_base + 100, "0123", 4);
	assert_memory_equal((char *)iov[1].iov_base + 100, "1234", 4);
	/* a buffer that is outside the registered one */
	ring.sqes[0].addr = (uintptr_t)iov[0].iov_base + 4094;
	assert_int_equal(run_one(0), -EFAULT);
	ring_close(&ring);

	need_ring(2);
	free(iov[1].iov_base);
	iov[1].iov_base = NULL; /* nothing there to register */
	iov[1].iov_len = 8192;
	assert_true(ring_register_buffers(&ring, iov, 2, &e) < 0);
	assert_non_null(strstr(e.text, "fixedbufs"));
	free(iov[0].iov_base);
	close(fd);
}

/* In a child without privileges: register 'bytes' under a memlock limit. Exit status says how it
 * went. */
static uid_t lone_user = 64123;

static int lock_in_child(size_t bytes, rlim_t soft, rlim_t hard, const char *says)
{
	int status;
	pid_t pid;

	lone_user++;
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct rlimit rl = {.rlim_cur = soft, .rlim_max = hard};
		struct ring_want want = {.slots = 1};
		struct iovec iov = {.iov_len = bytes};
		int ret;

		iov.iov_base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		/* a user of its own: locked memory counts for all processes of a user, and is
		 * given back some time after the ring is closed */
		if (setrlimit(RLIMIT_MEMLOCK, &rl) || setresgid(lone_user, lone_user, lone_user) ||
		    setresuid(lone_user, lone_user, lone_user) || iov.iov_base == MAP_FAILED)
			_exit(10);
		if (ring_open(&ring, &want, &e)) {
			print_message("# %s\n", e.text);
			_exit(11);
		}
		ret = ring_register_buffers(&ring, &iov, 1, &e);
		if (!says)
			_exit(ret						      ? 12
			      : getrlimit(RLIMIT_MEMLOCK, &rl) || rl.rlim_cur != hard ? 13
										      : 0);
		_exit(ret != -ENOMEM ? 14 : strstr(e.text, says) ? 0 : 15);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void locked_memory(void **state)
{
	struct rlimit rl;

	(void)state;
	need_ring(1);
	ring_close(&ring);
	assert_int_equal(getrlimit(RLIMIT_MEMLOCK, &rl), 0);
	if (geteuid() || rl.rlim_max < (4 << 20)) {
		print_message("# skipped: needs root, to become a user with a lower limit\n");
		skip();
	}
	/* more than the soft limit: it is raised to the hard one */
	assert_int_equal(lock_in_child(1 << 20, 64 << 10, 4 << 20, NULL), 0);
	/* more than the hard one: a sentence with both numbers */
	assert_int_equal(lock_in_child(1 << 20, 64 << 10, 64 << 10, "1024 KiB"), 0);
	assert_int_equal(lock_in_child(1 << 20, 64 << 10, 64 << 10, "64 KiB to all jobs"), 0);
}

#define RING_TEST(f) cmocka_unit_test_setup_teardown(f, fresh, done)

int main(void)
{
	const struct CMUnitTest tests[] = {
		RING_TEST(open_and_close),  RING_TEST(range_of_slots),
		RING_TEST(older_kernels),   RING_TEST(polling_is_never_dropped),
		RING_TEST(sentences),	    RING_TEST(slots_in_any_order),
		RING_TEST(round_and_round), RING_TEST(part_of_the_queue),
		RING_TEST(operations),	    RING_TEST(work_to_look_for),
		RING_TEST(files),	    RING_TEST(buffers),
		RING_TEST(locked_memory),
	};

	return cmocka_run_group_tests_name("ring", tests, NULL, NULL);
}
