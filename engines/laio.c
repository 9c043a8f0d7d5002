// SPDX-License-Identifier: GPL-2.0-only
/*
 * The laio engine: files and block devices through Linux native AIO (libaio), as a drop-in for
 * fio's libaio engine and as the way out where io_uring is refused. Owns how an io_u becomes an
 * iocb, when the kernel is entered, and how an event becomes an io_u again.
 *
 * Native AIO has no call that submits and waits. What it has is a ring of completions mapped
 * into the process, so everything that is already complete is taken without a system call.
 */
#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fio_async.h"
#include "core/ready.h"

/* Values from the kernel's include/uapi/linux/aio_abi.h, for a libaio before 0.3.112. */
#define LAIO_FLAG_IOPRIO (1 << 1)

/* Pause between attempts while the kernel is short of resources, and for how long to go on. */
#define RETRY_US  50
#define RETRY_MAX 600000 /* 30 s of pauses */

/* What io_setup() really returns is the address of this (fs/aio.c, struct aio_ring). */
struct completion_ring {
	unsigned id;
	unsigned nr;
	unsigned head; /* ours to move */
	unsigned tail; /* the kernel's */
	unsigned magic;
	unsigned compat_features;
	unsigned incompat_features;
	unsigned header_length;
	struct io_event events[];
};
#define COMPLETION_RING_MAGIC 0xa10a10a1u

/* fio's own libaio queues an fsync since fio 3.41, which has this version of the interface. */
#define LAIO_ASYNC_FSYNC (FIO_IOOPS_VERSION >= 39 ? "1" : "0")

struct laio_options {
	void *pad; /* fio takes an option at offset 0 for a missing one */
	char *engine_log;
	struct cmdprio_options cmdprio_options;
	unsigned int userspace_reap;
	unsigned int nowait;
	unsigned int vectored;
	unsigned int async_fsync;
};

struct laio {
	/* what every I/O touches */
	io_context_t ctx;
	struct completion_ring *ring; /* NULL when it is not what we know */
	struct iocb *cbs;	      /* by io_u->index */
	struct iocb **queue;	      /* what is to be submitted */
	unsigned queued;
	unsigned depth;
	bool plain; /* nothing special, timed, waits may sleep, and the completion ring is known */
	bool special;	    /* reads and writes need more than prepare_rw() */
	bool timed;	    /* fio wants issue times */
	bool sleep;	    /* a wait may sleep: iodepth_batch_complete_min is not 0 */
	bool other_syscall; /* io_getevents is refused: io_pgetevents */
	bool sync_fsync; /* fsync is done in place: asked for, or learnt that it cannot be queued */
	short opcode[2]; /* by DDIR_READ, DDIR_WRITE */
	struct io_event *events;
	struct ready ready;
	struct async_counts count;
	uint64_t submit_calls, wait_calls, taken; /* for engine_log */

	/* what only some jobs need */
	struct iovec *iovs; /* for libaio_vectored, else NULL */
	int rw_flags[2];
	bool prio;    /* cmdprio options are in force */
	bool offload; /* io_submit_mode=offload, see laio_prep() */
	struct cmdprio cmdprio;
	struct async_log log;
};

/* queue */

/*
 * The iocb of an io_u. Offloaded, each worker has a laio of its own, with depth 1, and is handed
 * io_us of its parent.
 */
static struct iocb *iocb_of(const struct thread_data *td, const struct laio *l,
			    const struct io_u *io_u)
{
	if (l->offload && td->parent)
		l = td->parent->io_ops_data;
	return &l->cbs[io_u->index];
}

/* Write what stays the same in every read and write of an iocb. */
static void template(const struct thread_data *td, const struct laio *l, struct io_u *io_u)
{
	struct iocb *cb = iocb_of(td, l, io_u);

	memset(cb, 0, sizeof(*cb));
	cb->data = io_u;
	cb->aio_rw_flags = l->rw_flags[DDIR_READ];
}

static inline struct iocb *prepare_rw(struct laio *l, struct io_u *io_u)
{
	struct iocb *cb = &l->cbs[io_u->index];

	cb->aio_lio_opcode = l->opcode[io_u->ddir];
	cb->aio_fildes = io_u->file->fd;
	cb->u.c.buf = io_u->xfer_buf;
	cb->u.c.nbytes = io_u->xfer_buflen;
	cb->u.c.offset = (long long)io_u->offset;
	return cb;
}

/* A read or write with what most jobs do not ask for. */
static struct iocb *prepare_special(struct thread_data *td, struct laio *l, struct io_u *io_u)
{
	struct iocb *cb = prepare_rw(l, io_u);

	cb->aio_rw_flags = l->rw_flags[io_u->ddir];
	if (l->iovs) {
		struct iovec *iov = &l->iovs[io_u->index];

		iov->iov_base = io_u->xfer_buf;
		iov->iov_len = io_u->xfer_buflen;
		cb->u.c.buf = iov;
		cb->u.c.nbytes = 1;
	}
	if (l->prio && fio_cmdprio_set_ioprio(td, &l->cmdprio, io_u)) {
		cb->aio_reqprio = (short)io_u->ioprio;
		cb->u.c.flags |= LAIO_FLAG_IOPRIO;
	} else {
		cb->aio_reqprio = 0;
		cb->u.c.flags &= ~(unsigned)LAIO_FLAG_IOPRIO;
	}
	return cb;
}

/* The kernel insists on zero in the fields that an fsync does not use. */
static struct iocb *prepare_fsync(struct laio *l, struct io_u *io_u)
{
	struct iocb *cb = &l->cbs[io_u->index];

	memset(cb, 0, sizeof(*cb));
	cb->data = io_u;
	cb->aio_fildes = io_u->file->fd;
	cb->aio_lio_opcode = io_u->ddir == DDIR_SYNC ? IO_CMD_FSYNC : IO_CMD_FDSYNC;
	return cb;
}

static inline void enqueue(struct laio *l, struct iocb *cb)
{
	l->queue[l->queued++] = cb;
}

static bool is_fsync(const struct io_u *io_u)
{
	return io_u->ddir == DDIR_SYNC || io_u->ddir == DDIR_DATASYNC;
}

static ASYNC_RARE enum fio_q_status queue_other(struct thread_data *td, struct laio *l,
						struct io_u *io_u)
{
	fio_ro_check(td, io_u);
	if (!async_is_rw(io_u) && (l->sync_fsync || !is_fsync(io_u)))
		return l->queued ? FIO_Q_BUSY : async_do_in_place(td, io_u, &l->count);
	if (l->offload)
		enqueue(l, iocb_of(td, l, io_u)); /* laio_prep() has filled it */
	else
		enqueue(l,
			async_is_rw(io_u) ? prepare_special(td, l, io_u) : prepare_fsync(l, io_u));
	return FIO_Q_QUEUED;
}

/*
 * Offloaded, fio hands an I/O to another thread, and may have closed its file by the time that
 * thread comes to it: what the I/O needs is taken now, in the thread of the job.
 */
static int laio_prep(struct thread_data *td, struct io_u *io_u)
{
	struct laio *l = td->io_ops_data;

	if (likely(!l->offload))
		return 0;
	if (async_is_rw(io_u))
		prepare_special(td, l, io_u);
	else if (is_fsync(io_u))
		prepare_fsync(l, io_u);
	return 0;
}

static enum fio_q_status laio_queue(struct thread_data *td, struct io_u *io_u)
{
	struct laio *l = td->io_ops_data;

	if (unlikely(l->special || !async_is_rw(io_u)))
		return queue_other(td, l, io_u);
	fio_ro_check(td, io_u);
	enqueue(l, prepare_rw(l, io_u));
	return FIO_Q_QUEUED;
}

/* completion */

/* A completion that is not simply a whole read or write. */
static ASYNC_RARE void complete_special(struct thread_data *td, struct laio *l, struct io_u *io_u,
					long res)
{
	if (async_is_rw(io_u)) {
		async_complete_rw(io_u, res);
	} else {
		template(td, l, io_u);
		if (res < 0)
			io_u->error = (unsigned)-res;
	}
	if (io_u->error)
		async_failed(td, io_u, &l->count);
}

static ASYNC_HOT void complete(struct thread_data *td, struct laio *l, const struct io_event *ev)
{
	struct io_u *io_u = ev->data;

	if (unlikely(ev->res != io_u->xfer_buflen || !async_is_rw(io_u)))
		complete_special(td, l, io_u, (long)ev->res);
	ready_add(&l->ready, io_u);
}

/* Take at most 'max' completions that are there, without a system call. */
static ASYNC_HOT void reap(struct thread_data *td, struct laio *l, unsigned max)
{
	struct completion_ring *r = l->ring;
	unsigned head, tail, before = l->ready.tail;

	if (unlikely(!r))
		return;
	head = r->head;
	tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	if (head == tail)
		return;
	for (; head != tail && max; max--) {
		complete(td, l, &r->events[head]);
		if (++head == r->nr)
			head = 0;
	}
	__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	l->taken += l->ready.tail - before;
}

/*
 * Enter the kernel for 'min' to 'max' completions. Some libraries and machines know only
 * io_pgetevents, some sandboxes only its elder: one that is refused makes way for the other.
 * Returns how many, or -errno.
 */
static ASYNC_HOT int wait_for(struct thread_data *td, struct laio *l, unsigned min, unsigned max)
{
	struct timespec none = {0, 0}, *timeout = min ? NULL : &none;
	int n;

	l->wait_calls++;
	if (likely(!l->other_syscall)) {
		n = io_getevents(l->ctx, min, max, l->events, timeout);
		if (unlikely(n == -EPERM || n == -ENOSYS))
			l->other_syscall = true;
	}
	if (unlikely(l->other_syscall))
		n = io_pgetevents(l->ctx, min, max, l->events, timeout, NULL);
	for (int i = 0; i < n; i++)
		complete(td, l, &l->events[i]);
	return n;
}

static struct io_u *laio_event(struct thread_data *td, int event)
{
	struct laio *l = td->io_ops_data;

	return ready_get(&l->ready, (unsigned)event);
}

/* submission */

/* The kernel has taken 'nr' iocbs, from queue[at] on. */
static ASYNC_HOT void account_submitted(struct thread_data *td, struct laio *l, unsigned at,
					unsigned nr)
{
	unsigned end = at + nr;
	struct timespec now;

	l->count.submitted += nr;
	if (l->timed) {
		fio_gettime(&now, NULL);
		for (; at != end; at++)
			async_stamp(td, l->queue[at]->data, &now);
		if (unlikely(l->special) && td->o.read_iolog_file)
			td->last_issue = now;
	}
	io_u_mark_submit(td, nr);
}

/*
 * The kernel refuses queue[at] for good. The error is that I/O's and no other's; an fsync
 * that the kernel (before 4.18) or file cannot queue is done in place from now on.
 */
static void refused(struct thread_data *td, struct laio *l, unsigned at, int error)
{
	struct io_u *io_u = l->queue[at]->data;

	account_submitted(td, l, at, 1);
	l->count.submitted--;
	if (!async_is_rw(io_u) && error == -EINVAL) {
		l->sync_fsync = true;
		do_io_u_sync(td, io_u);
		error = -(int)io_u->error;
	}
	complete_special(td, l, io_u, error ? error : (long)io_u->xfer_buflen);
	ready_add(&l->ready, io_u);
}

static int wait_failed(struct thread_data *td, int ret)
{
	struct err e = ERR_INIT;

	if (ret == -EPERM || ret == -ENOSYS)
		err_set(&e, ret,
			"io_getevents and io_pgetevents are refused to this process: look at the "
			"container's seccomp profile, or use ioengine=psync");
	else
		err_set(&e, ret, "cannot wait for completions: %s", strerror(-ret));
	glue_fail(td, &e);
	return ret;
}

/* No request is free: take completions, which wait on the ready list for the next getevents. */
static int make_room(struct thread_data *td, struct laio *l)
{
	unsigned before = l->ready.tail;
	int n;

	reap(td, l, l->depth);
	if (l->ready.tail != before)
		return 0;
	n = wait_for(td, l, 0, l->depth);
	if (!n)
		usleep(RETRY_US);
	return n < 0 && n != -EINTR ? wait_failed(td, n) : 0;
}

static int submit_failed(struct thread_data *td, int ret)
{
	struct err e = ERR_INIT;

	err_set(&e, ret,
		"the kernel had no resources for an I/O for half a minute (io_submit: %s): lower "
		"iodepth or numjobs",
		strerror(-ret));
	glue_fail(td, &e);
	return ret;
}

/* Submit what is queued, after a first attempt that ended with 'ret'. */
static ASYNC_RARE int commit_rest(struct thread_data *td, struct laio *l, int ret)
{
	unsigned first = 0, tries = 0;
	int end = 0;

	for (;;) {
		if (ret > 0) {
			account_submitted(td, l, first, (unsigned)ret);
			first += (unsigned)ret;
			tries = 0;
		} else if (!ret || ret == -EAGAIN || ret == -ENOMEM) {
			end = ++tries > RETRY_MAX ? submit_failed(td, ret ? ret : -EAGAIN)
						  : make_room(td, l);
		} else if (ret != -EINTR) {
			refused(td, l, first++, ret);
		}
		if (end || first == l->queued)
			break;
		l->submit_calls++;
		ret = io_submit(l->ctx, l->queued - first, l->queue + first);
	}
	l->queued -= first;
	memmove(l->queue, l->queue + first, l->queued * sizeof(struct iocb *));
	return end;
}

static __attribute__((noinline)) int commit_several(struct thread_data *td, struct laio *l)
{
	int ret;

	l->submit_calls++;
	ret = io_submit(l->ctx, l->queued, l->queue);
	if (unlikely(ret != (int)l->queued))
		return commit_rest(td, l, ret);
	account_submitted(td, l, 0, l->queued);
	l->queued = 0;
	return 0;
}

/* Without iodepth_batch, I/Os are handed over one at a time. */
static __attribute__((noinline)) int commit_one(struct thread_data *td, struct laio *l)
{
	struct io_u *io_u = l->queue[0]->data;
	int ret;

	l->submit_calls++;
	ret = io_submit(l->ctx, 1, l->queue);
	if (unlikely(ret != 1))
		return commit_rest(td, l, ret);
	fio_gettime(&io_u->issue_time, NULL);
	io_u_queued(td, io_u);
	io_u_mark_submit(td, 1);
	l->count.submitted++;
	l->queued = 0;
	return 0;
}

static int laio_commit(struct thread_data *td)
{
	struct laio *l = td->io_ops_data;

	if (!l->queued)
		return 0;
	return l->queued == 1 && l->plain ? commit_one(td, l) : commit_several(td, l);
}

static __attribute__((noinline)) int getevents_fully(struct thread_data *td, struct laio *l,
						     unsigned min, unsigned max)
{
	unsigned have = ready_next(&l->ready);
	int ret;

	for (;;) {
		if (have < max)
			reap(td, l, max - have);
		have = l->ready.tail;
		if (have >= min && (have || l->ring))
			break;
		if (l->ring && !l->sleep)
			continue;
		ret = wait_for(td, l, l->sleep ? min - have : 0, max - have);
		if (unlikely(ret < 0) && ret != -EINTR && ret != -EAGAIN)
			return wait_failed(td, ret);
		have = l->ready.tail;
		if (have >= min)
			break;
	}
	return (int)ready_give(&l->ready, max);
}

/*
 * Take the whole reads and writes that are at the head of the completions, up to 'max'; the ready
 * list is empty. Stops before what needs more than that. Calls nothing, so it is cheap.
 */
static ASYNC_HOT unsigned take_simple(struct laio *l, unsigned max)
{
	struct completion_ring *r = l->ring;
	unsigned head = r->head, tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE), n;

	for (n = 0; head != tail && n < max; n++) {
		const struct io_event *ev = &r->events[head];
		struct io_u *io_u = ev->data;

		if (unlikely(ev->res != io_u->xfer_buflen || !async_is_rw(io_u)))
			break;
		l->ready.at[n] = io_u;
		if (++head == r->nr)
			head = 0;
	}
	if (n)
		__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	l->ready.tail = l->ready.given = n;
	l->taken += n;
	return n;
}

/* Wait for one, which is what fio asks for unless told otherwise. */
static __attribute__((noinline)) int wait_for_one(struct thread_data *td, struct laio *l)
{
	struct io_event ev;
	struct io_u *io_u;
	int ret;

	l->wait_calls++;
	ret = io_getevents(l->ctx, 1, 1, &ev, NULL);
	if (unlikely(ret != 1)) {
		l->other_syscall = ret == -EPERM || ret == -ENOSYS;
		return getevents_fully(td, l, 1, 1); /* tries again, and says what is wrong */
	}
	io_u = ev.data;
	if (unlikely(ev.res != io_u->xfer_buflen || !async_is_rw(io_u)))
		complete_special(td, l, io_u, (long)ev.res);
	l->ready.at[0] = io_u;
	l->ready.tail = l->ready.given = 1;
	return 1;
}

/* Mostly, the list is empty, and whole reads and writes are there or waited for. */
static int laio_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			  const struct timespec *t fio_unused)
{
	struct laio *l = td->io_ops_data;
	unsigned n;

	if (unlikely(l->ready.tail != l->ready.given || !l->plain))
		return getevents_fully(td, l, min, max);
	n = take_simple(l, max);
	if (likely(n >= min && (n || !min)))
		return (int)n;
	if (!n && max == 1 && !l->other_syscall)
		return wait_for_one(td, l);
	l->ready.given = 0; /* not told of yet */
	return getevents_fully(td, l, min, max);
}

/* setup */

static int setup_sentence(int ret, unsigned depth, struct err *e)
{
	switch (-ret) {
	case EAGAIN:
		return err_set(
			e, ret,
			"the kernel has no room for %u more AIO requests: raise sysctl "
			"fs.aio-max-nr (fs.aio-nr of it are in use), or lower iodepth or numjobs",
			depth);
	case ENOSYS:
		return err_set(
			e, ret,
			"this kernel has no native AIO (CONFIG_AIO): use the uring engine or "
			"ioengine=psync");
	case EPERM:
	case EACCES:
		return err_set(
			e, ret,
			"native AIO is refused to this process: look at the container's seccomp "
			"profile, or use the uring engine or ioengine=psync");
	default:
		return err_set(e, ret, "cannot set up AIO for iodepth=%u: %s", depth,
			       strerror(-ret));
	}
}

static void free_laio(struct laio *l)
{
	fio_cmdprio_cleanup(&l->cmdprio);
	ready_free(&l->ready);
	free(l->cbs);
	free(l->iovs);
	free(l->queue);
	free(l->events);
	free(l);
}

static struct laio *alloc_laio(unsigned depth)
{
	struct laio *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->depth = depth;
	l->cbs = calloc(depth, sizeof(*l->cbs));
	l->queue = calloc(depth, sizeof(struct iocb *));
	l->events = calloc(depth, sizeof(*l->events));
	if (ready_init(&l->ready, depth) || !l->cbs || !l->queue || !l->events) {
		free_laio(l);
		return NULL;
	}
	return l;
}

static int laio_init(struct thread_data *td)
{
	struct laio_options *o = td->eo;
	struct err e = ERR_INIT;
	struct laio *l;

	if (glue_init(td))
		return 1;
	l = alloc_laio(td->o.iodepth);
	if (!l) {
		err_set(&e, ENOMEM, "no memory for iodepth=%u", td->o.iodepth);
		return glue_fail(td, &e);
	}
	td->io_ops_data = l;
	l->offload = td->o.io_submit_mode == IO_MODE_OFFLOAD;
	l->timed = fio_fill_issue_time(td);
	l->sync_fsync = !o->async_fsync;
	l->sleep = td->o.iodepth_batch_complete_min != 0;
	if (o->vectored) {
		l->iovs = calloc(l->depth, sizeof(*l->iovs));
		if (!l->iovs) {
			err_set(&e, ENOMEM, "no memory for iodepth=%u", l->depth);
			return glue_fail(td, &e);
		}
	}
	l->opcode[DDIR_READ] = l->iovs ? IO_CMD_PREADV : IO_CMD_PREAD;
	l->opcode[DDIR_WRITE] = l->iovs ? IO_CMD_PWRITEV : IO_CMD_PWRITE;
	l->rw_flags[DDIR_READ] = (int)async_rwf(td, DDIR_READ, o->nowait);
	l->rw_flags[DDIR_WRITE] = (int)async_rwf(td, DDIR_WRITE, o->nowait);
	if (o->engine_log)
		async_log_begin(&l->log, td, o->engine_log);
	return async_cmdprio_init(td, &l->cmdprio, &o->cmdprio_options, &l->prio);
}

static int laio_io_u_init(struct thread_data *td, struct io_u *io_u)
{
	template(td, td->io_ops_data, io_u);
	return 0;
}

/* In the job's own process or thread: a context belongs to the process that made it. */
static int laio_post_init(struct thread_data *td)
{
	struct laio *l = td->io_ops_data;
	struct err e = ERR_INIT;
	int ret = io_setup((int)l->depth, &l->ctx);

	if (ret < 0) {
		setup_sentence(ret, l->depth, &e);
		return glue_fail(td, &e);
	}
	l->ring = (struct completion_ring *)l->ctx;
	if (l->ring->magic != COMPLETION_RING_MAGIC || l->ring->incompat_features)
		l->ring = NULL;
	l->special = l->offload || l->iovs || l->prio || td->o.read_iolog_file ||
		     l->rw_flags[DDIR_READ] != l->rw_flags[DDIR_WRITE];
	l->plain = !l->special && l->timed && l->sleep && l->ring;
	return 0;
}

static void write_log(const struct thread_data *td, struct laio *l)
{
	struct joblog *j = &l->log.line;

	joblog_number(j, "submit_calls", l->submit_calls);
	joblog_number(j, "wait_calls", l->wait_calls);
	joblog_number(j, "taken_without_call", l->taken);
	joblog_number(j, "submitted", l->count.submitted);
	joblog_number(j, "failed", l->count.failed);
	async_log_end(&l->log, td);
}

static void laio_cleanup(struct thread_data *td)
{
	struct laio *l = td->io_ops_data;

	if (!l)
		return;
	if (l->log.path)
		write_log(td, l);
	/*
	 * io_destroy() waits for a grace period of the kernel. A job that is a process leaves it
	 * to its exit, where those of many jobs run side by side.
	 */
	if (l->ctx && !(td->flags & TD_F_CHILD))
		io_destroy(l->ctx);
	free_laio(l);
	td->io_ops_data = NULL;
}

#define OPTION(...) ASYNC_OPTION(struct laio_options, __VA_ARGS__), .group = FIO_OPT_G_LIBAIO

static struct fio_option options[] = {
	{OPTION("userspace_reap", FIO_OPT_STR_SET, userspace_reap,
		"Accepted for job files made for libaio: completions that are there are always taken "
		"without a system call")},
	{OPTION("nowait", FIO_OPT_BOOL, nowait,
		"Set RWF_NOWAIT: an I/O that would have to wait fails with EAGAIN instead"),
	 .def = "0"},
	{OPTION("libaio_vectored", FIO_OPT_BOOL, vectored,
		"Use PREADV and PWRITEV, of one part, instead of PREAD and PWRITE"),
	 .def = "0"},
	{OPTION("async_fsync", FIO_OPT_BOOL, async_fsync,
		"Queue fsync and fdatasync like writes, which other I/O need not wait for. fio then asks "
		"for one again and again until the first is complete, so fsync=N means more of them at "
		"depths above 1. Default: as fio's own libaio, which does so since 3.41"),
	 .def = LAIO_ASYNC_FSYNC},
	ASYNC_CMDPRIO(struct laio_options, FIO_OPT_G_LIBAIO),
	{OPTION("engine_log", FIO_OPT_STR_STORE, engine_log,
		"Append one JSON object per job to this file: system calls, completions taken without "
		"one")},
	{.name = NULL},
};

GLUE_EXPORT struct ioengine_ops ioengine = {
	.name = "laio",
	.version = FIO_IOOPS_VERSION,
	.flags = ASYNC_FLAGS | FIO_ASYNCIO_SYNC_TRIM,
	.init = laio_init,
	.post_init = laio_post_init,
	.io_u_init = laio_io_u_init,
	.prep = laio_prep,
	.queue = laio_queue,
	.commit = laio_commit,
	.getevents = laio_getevents,
	.event = laio_event,
	/* no .cancel: the kernel cannot cancel I/O of files and block devices */
	.cleanup = laio_cleanup,
	.open_file = glue_open_file,
	.close_file = generic_close_file,
	.unlink_file = glue_unlink_file,
	.get_file_size = glue_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct laio_options),
};
