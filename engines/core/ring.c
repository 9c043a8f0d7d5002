// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns the life of an io_uring: which setup flags to ask for, falling back on
 * older kernels, registration, and the one system call. The only file that knows
 * liburing. What goes into an entry is left to the engines.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <liburing.h>

#include "core/ring.h"

/* Flags newer than the packaged headers; values from the kernel's include/uapi/linux/io_uring.h. */
#ifndef IORING_SETUP_SUBMIT_ALL
#define IORING_SETUP_SUBMIT_ALL (1U << 7)
#endif
#ifndef IORING_SETUP_COOP_TASKRUN
#define IORING_SETUP_COOP_TASKRUN (1U << 8)
#endif
#ifndef IORING_SETUP_TASKRUN_FLAG
#define IORING_SETUP_TASKRUN_FLAG (1U << 9)
#endif
#ifndef IORING_SETUP_SINGLE_ISSUER
#define IORING_SETUP_SINGLE_ISSUER (1U << 12)
#endif
#ifndef IORING_SETUP_DEFER_TASKRUN
#define IORING_SETUP_DEFER_TASKRUN (1U << 13)
#endif
#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16)
#endif
#ifndef IORING_SETUP_HYBRID_IOPOLL
#define IORING_SETUP_HYBRID_IOPOLL (1U << 17)
#endif
#ifndef IORING_FEAT_NO_IOWAIT
#define IORING_FEAT_NO_IOWAIT  (1U << 17)
#define IORING_ENTER_NO_IOWAIT (1U << 7)
#endif
#ifndef IORING_SQ_TASKRUN
#define IORING_SQ_TASKRUN (1U << 2)
#endif

/*
 * A library before 2.6 computes the size of what it maps from where the submission array is, so it
 * must not be given a ring without one. Only those since 2.4 say their version.
 */
#ifdef IO_URING_VERSION_MAJOR
#define LIBRARY_KNOWS_NO_SQARRAY (IO_URING_VERSION_MAJOR > 2 || IO_URING_VERSION_MINOR >= 6)
#else
#define LIBRARY_KNOWS_NO_SQARRAY 0
#endif

/*
 * What we can live without, newest first, each with the flag that makes no sense
 * once it is gone. NO_SQARRAY (6.6) is for rings of one entry: with more, the array is what ties
 * a slot to its entry. DEFER_TASKRUN and SINGLE_ISSUER came together (6.1, 6.0);
 * TASKRUN_FLAG needs one of the two TASKRUN modes (5.19).
 */
static const unsigned droppable[] = {
	IORING_SETUP_NO_SQARRAY,
	IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER,
	IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG,
	IORING_SETUP_SUBMIT_ALL,
	IORING_SETUP_CQSIZE,
};

static int open_sentence(int ret, const struct ring_want *want, struct err *e)
{
	switch (-ret) {
	case ENOSYS:
		return err_set(
			e, ret,
			"this kernel has no io_uring (it came with Linux 5.1): use the laio engine instead");
	case EPERM:
	case EACCES:
		return err_set(e, ret,
			       "io_uring is refused to this process: look at sysctl "
			       "kernel.io_uring_disabled (0 allows it) and, in a container, at its "
			       "seccomp profile; or use the laio engine instead");
	case ENOMEM:
		return err_set(
			e, ret,
			"no memory for an io_uring of %u entries: raise RLIMIT_MEMLOCK (ulimit -l), "
			"which some kernels count rings against, lower iodepth or numjobs, or use "
			"the laio engine",
			want->slots);
	case EMFILE:
	case ENFILE:
		return err_set(e, ret,
			       "no file descriptor left for an io_uring: raise ulimit -n, or lower "
			       "numjobs or openfiles");
	case EINVAL:
		if (want->hybrid)
			return err_set(
				e, ret,
				"this kernel refuses hipri_hybrid, which needs Linux 6.13: drop it, "
				"and keep hipri");
		if (want->sqpoll && want->sqpoll_cpu >= 0)
			return err_set(
				e, ret,
				"this kernel refuses an io_uring with sqthread_poll_cpu=%d: is that "
				"CPU online?",
				want->sqpoll_cpu);
		return err_set(e, ret,
			       "this kernel refuses an io_uring of %u entries%s: lower iodepth%s",
			       want->slots, want->iopoll ? " with polled completions" : "",
			       want->iopoll ? ", or drop hipri" : "");
	default:
		return err_set(e, ret, "cannot set up an io_uring of %u entries: %s", want->slots,
			       strerror(-ret));
	}
}

/* Raise the soft limit of locked memory to the hard one. True when that changed something. */
static bool raise_memlock(void)
{
	struct rlimit rl;

	if (getrlimit(RLIMIT_MEMLOCK, &rl) || rl.rlim_cur == rl.rlim_max)
		return false;
	rl.rlim_cur = rl.rlim_max;
	return !setrlimit(RLIMIT_MEMLOCK, &rl);
}

/*
 * Not io_uring_queue_init_params(): from 2.6 on it asks for NO_SQARRAY by itself, where the kernel
 * ignores the array that ties slots to entries. What is asked for here is what we get.
 */
static int set_up(unsigned slots, struct io_uring *u, struct io_uring_params *p)
{
	int fd = io_uring_setup(slots, p), ret;

	if (fd < 0)
		return fd;
	ret = io_uring_queue_mmap(fd, p, u);
	if (ret) {
		close(fd);
		return ret;
	}
	u->flags = p->flags;
	u->features = p->features;
	u->ring_fd = u->enter_ring_fd = fd;
	return 0;
}

int ring_open(struct ring *r, const struct ring_want *want, struct err *e)
{
	struct io_uring_params p;
	struct io_uring *u;
	unsigned flags;
	size_t drop = 0;
	int ret;

	memset(r, 0, sizeof(*r));
	r->fd = -1;
	if (want->slots < 1 || want->slots > RING_MAX_SLOTS)
		return err_set(e, EINVAL,
			       "iodepth=%u is outside io_uring's range of 1 to %u: lower iodepth",
			       want->slots, RING_MAX_SLOTS);
	u = calloc(1, sizeof(*u));
	if (!u)
		return err_set(e, ENOMEM, "no memory for an io_uring of %u entries", want->slots);

	flags = want->iopoll ? IORING_SETUP_IOPOLL : 0;
	flags |= want->hybrid ? IORING_SETUP_HYBRID_IOPOLL : 0;
	for (size_t i = 0; i < sizeof(droppable) / sizeof(droppable[0]); i++)
		flags |= droppable[i];
	if (want->slots > 1 || !LIBRARY_KNOWS_NO_SQARRAY)
		flags &= ~IORING_SETUP_NO_SQARRAY;
	if (want->sqpoll) {
		/* the kernel's thread runs the completions, so there is no task work of ours */
		flags &= ~(IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_SINGLE_ISSUER |
			   IORING_SETUP_COOP_TASKRUN | IORING_SETUP_TASKRUN_FLAG);
		flags |= IORING_SETUP_SQPOLL;
		flags |= want->sqpoll_cpu >= 0 ? IORING_SETUP_SQ_AFF : 0;
	}
	for (;;) {
		memset(&p, 0, sizeof(p));
		p.flags = flags;
		if (flags & IORING_SETUP_CQSIZE)
			p.cq_entries = want->slots;
		if (flags & IORING_SETUP_SQ_AFF)
			p.sq_thread_cpu = (unsigned)want->sqpoll_cpu;
		ret = set_up(want->slots, u, &p);
		if (ret == -ENOMEM && raise_memlock())
			continue;
		if (ret != -EINVAL || drop == sizeof(droppable) / sizeof(droppable[0]))
			break;
		flags &= ~droppable[drop++];
	}
	if (ret < 0) {
		free(u);
		return open_sentence(ret, want, e);
	}

	r->impl = u;
	/* Spares the kernel a look-up of the file for each enter (5.18); doing without is fine. */
	(void)io_uring_register_ring_fd(u);
	r->fd = u->enter_ring_fd;
	r->enter_flags = IORING_ENTER_GETEVENTS;
	/* Linux 6.15: spares the accounting of a wait; fio's own engine does so since 3.42 */
	if (p.features & IORING_FEAT_NO_IOWAIT)
		r->enter_flags |= IORING_ENTER_NO_IOWAIT;
	if (u->enter_ring_fd != u->ring_fd)
		r->enter_flags |= IORING_ENTER_REGISTERED_RING;
	r->setup_flags = flags;
	r->sqes = u->sq.sqes;
	r->sq_array = flags & IORING_SETUP_NO_SQARRAY ? &r->no_array : u->sq.array;
	r->sq_khead = u->sq.khead;
	r->sq_ktail = u->sq.ktail;
	r->sq_kflags = u->sq.kflags;
	r->sq_mask = p.sq_entries - 1;
	r->sq_tail = *u->sq.ktail;
	r->cqes = u->cq.cqes;
	r->cq_khead = u->cq.khead;
	r->cq_ktail = u->cq.ktail;
	r->cq_mask = p.cq_entries - 1;
	return 0;
}

void ring_close(struct ring *r)
{
	if (r->impl) {
		io_uring_queue_exit(r->impl);
		free(r->impl);
	}
	memset(r, 0, sizeof(*r));
	r->fd = -1;
}

bool ring_has_op(struct ring *r, unsigned op)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(r->impl);
	bool has;

	if (!probe) /* before 5.6 there was no probe, and nothing worth probing for */
		return false;
	has = io_uring_opcode_supported(probe, (int)op);
	io_uring_free_probe(probe);
	return has;
}

int ring_register_buffers(struct ring *r, const struct iovec *iov, unsigned n, struct err *e)
{
	unsigned long long bytes = 0;
	struct rlimit rl = {0, 0};
	int ret;

	ret = io_uring_register_buffers(r->impl, iov, n);
	if (ret == -ENOMEM && raise_memlock())
		ret = io_uring_register_buffers(r->impl, iov, n);
	if (!ret)
		return 0;
	for (unsigned i = 0; i < n; i++)
		bytes += iov[i].iov_len;
	if (ret == -ENOMEM && !getrlimit(RLIMIT_MEMLOCK, &rl) && rl.rlim_cur != RLIM_INFINITY)
		return err_set(
			e, ret,
			"fixedbufs has to lock %llu KiB for this job, and RLIMIT_MEMLOCK allows "
			"%llu KiB to all jobs of this user together: raise it (ulimit -l), lower "
			"iodepth or bs, or drop fixedbufs",
			bytes >> 10, (unsigned long long)rl.rlim_cur >> 10);
	return err_set(e, ret, "fixedbufs cannot register %llu KiB of buffers: %s; drop fixedbufs",
		       bytes >> 10, strerror(-ret));
}

int ring_register_files(struct ring *r, const int *fds, unsigned n, struct err *e)
{
	int ret = io_uring_register_files(r->impl, fds, n);

	if (ret < 0)
		return err_set(e, ret,
			       "registerfiles cannot register %u files: %s; lower nrfiles, raise "
			       "ulimit -n, or drop registerfiles",
			       n, strerror(-ret));
	return 0;
}

int ring_update_file(struct ring *r, unsigned pos, int fd, struct err *e)
{
	int ret = io_uring_register_files_update(r->impl, pos, &fd, 1);

	if (ret < 0)
		return err_set(
			e, ret,
			"registerfiles cannot replace file %u: %s; set openfiles to nrfiles, or "
			"drop registerfiles",
			pos, strerror(-ret));
	return 0;
}

int ring_enter(struct ring *r, unsigned to_submit, unsigned wait)
{
	__atomic_store_n(r->sq_ktail, r->sq_tail, __ATOMIC_RELEASE);
	r->enters++;
	return io_uring_enter((unsigned)r->fd, to_submit, wait, r->enter_flags, NULL);
}

int ring_publish(struct ring *r)
{
	int ret;

	__atomic_store_n(r->sq_ktail, r->sq_tail, __ATOMIC_RELEASE);
	/* the thread sets the flag, then looks at the tail once more: the order matters here too */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (!(__atomic_load_n(r->sq_kflags, __ATOMIC_RELAXED) & IORING_SQ_NEED_WAKEUP))
		return 0;
	r->enters++;
	ret = io_uring_enter((unsigned)r->fd, 0, 0, r->enter_flags | IORING_ENTER_SQ_WAKEUP, NULL);
	return ret < 0 && ret != -EINTR && ret != -EAGAIN && ret != -EBUSY ? ret : 0;
}

void ring_flag_names(const struct ring *r, const char *names[RING_FLAG_NAMES])
{
	static const struct {
		unsigned flag;
		const char *name;
	} known[RING_FLAG_NAMES - 1] = {
		{IORING_SETUP_IOPOLL, "IOPOLL"},
		{IORING_SETUP_SQPOLL, "SQPOLL"},
		{IORING_SETUP_SQ_AFF, "SQ_AFF"},
		{IORING_SETUP_CQSIZE, "CQSIZE"},
		{IORING_SETUP_SUBMIT_ALL, "SUBMIT_ALL"},
		{IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN"},
		{IORING_SETUP_TASKRUN_FLAG, "TASKRUN_FLAG"},
		{IORING_SETUP_SINGLE_ISSUER, "SINGLE_ISSUER"},
		{IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN"},
		{IORING_SETUP_NO_SQARRAY, "NO_SQARRAY"},
		{IORING_SETUP_HYBRID_IOPOLL, "HYBRID_IOPOLL"},
	};
	size_t n = 0;

	for (size_t i = 0; i < RING_FLAG_NAMES - 1; i++) {
		if (known[i].flag & r->setup_flags)
			names[n++] = known[i].name;
	}
	names[n] = NULL;
}

bool ring_has_work(const struct ring *r)
{
	unsigned sq;

	/* Without the flag from the kernel nothing tells us: look. */
	if ((r->setup_flags & IORING_SETUP_IOPOLL) || !(r->setup_flags & IORING_SETUP_TASKRUN_FLAG))
		return true;
	sq = __atomic_load_n(r->sq_kflags, __ATOMIC_RELAXED);
	return sq & (IORING_SQ_TASKRUN | IORING_SQ_CQ_OVERFLOW);
}
