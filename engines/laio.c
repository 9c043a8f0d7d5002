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

struct laio_options {
	void *pad; /* fio takes an option at offset 0 for a missing one */
	char *engine_log;
	struct cmdprio_options cmdprio_options;
	unsigned int userspace_reap;
	unsigned int nowait;
	unsigned int vectored;
};

/* What belongs to an io_u->index. */
struct slot {
	struct iocb iocb;
	struct iovec iov; /* for libaio_vectored */
};

struct laio {
	io_context_t ctx;
	struct completion_ring *ring; /* NULL when it is not what we know */
	struct slot *slots;
	struct iocb **queue; /* first..first+queued-1 are to be submitted */
	struct io_event *events;
	unsigned depth, first, queued;

	/* settled per job, so that the hot path reads no options */
	short opcode[2]; /* by DDIR_READ, DDIR_WRITE */
	unsigned rw_flags[2];
	bool vectored;
	bool prio;	    /* cmdprio options are in force */
	bool sync_fsync;    /* this job has learnt that fsync cannot be queued */
	bool other_syscall; /* io_getevents is refused: io_pgetevents */

	struct cmdprio cmdprio;
	struct ready ready;
	struct async_counts count;
	struct async_log log;
	uint64_t submit_calls, wait_calls, taken; /* for engine_log */
};

/* queue */

static inline struct iocb *prepare_rw(struct laio *l, struct io_u *io_u)
{
	struct slot *s = &l->slots[io_u->index];
	struct iocb *cb = &s->iocb;

	cb->data = io_u;
	cb->aio_lio_opcode = l->opcode[io_u->ddir];
	cb->aio_rw_flags = (int)l->rw_flags[io_u->ddir];
	cb->aio_fildes = io_u->file->fd;
	cb->u.c.offset = (long long)io_u->offset;
	if (l->vectored) {
		s->iov.iov_base = io_u->xfer_buf;
		s->iov.iov_len = io_u->xfer_buflen;
		cb->u.c.buf = &s->iov;
		cb->u.c.nbytes = 1;
	} else {
		cb->u.c.buf = io_u->xfer_buf;
		cb->u.c.nbytes = io_u->xfer_buflen;
	}
	return cb;
}

static inline void set_priority(struct thread_data *td, struct laio *l, struct iocb *cb,
				struct io_u *io_u)
{
	if (fio_cmdprio_set_ioprio(td, &l->cmdprio, io_u)) {
		cb->aio_reqprio = (short)io_u->ioprio;
		cb->u.c.flags |= LAIO_FLAG_IOPRIO;
	} else {
		cb->aio_reqprio = 0;
		cb->u.c.flags &= ~(unsigned)LAIO_FLAG_IOPRIO;
	}
}

/* The kernel insists on zero in the fields that an fsync does not use. */
static struct iocb *prepare_fsync(struct laio *l, struct io_u *io_u)
{
	struct iocb *cb = &l->slots[io_u->index].iocb;

	memset(cb, 0, sizeof(*cb));
	cb->data = io_u;
	cb->aio_fildes = io_u->file->fd;
	cb->aio_lio_opcode = io_u->ddir == DDIR_SYNC ? IO_CMD_FSYNC : IO_CMD_FDSYNC;
	return cb;
}

static inline void enqueue(struct laio *l, struct iocb *cb)
{
	if (!l->queued) {
		l->first = 0;
	} else if (l->first + l->queued == l->depth) {
		/* the end is reached while a part has been submitted: rare, so it may cost */
		memmove(l->queue, l->queue + l->first, l->queued * sizeof(struct iocb *));
		l->first = 0;
	}
	l->queue[l->first + l->queued++] = cb;
}

static enum fio_q_status laio_queue(struct thread_data *td, struct io_u *io_u)
{
	struct laio *l = td->io_ops_data;
	struct iocb *cb;

	fio_ro_check(td, io_u);
	if (async_is_rw(io_u)) {
		cb = prepare_rw(l, io_u);
		if (l->prio)
			set_priority(td, l, cb, io_u);
		enqueue(l, cb);
		return FIO_Q_QUEUED;
	}
	if ((io_u->ddir == DDIR_SYNC || io_u->ddir == DDIR_DATASYNC) && !l->sync_fsync) {
		enqueue(l, prepare_fsync(l, io_u));
		return FIO_Q_QUEUED;
	}
	return l->queued ? FIO_Q_BUSY : async_do_in_place(td, io_u, &l->count);
}

/* completion */

static void complete_other(struct io_u *io_u, long res)
{
	if (res < 0)
		io_u->error = (unsigned)-res;
}

static inline void complete(struct thread_data *td, struct laio *l, struct io_u *io_u, long res)
{
	if (async_is_rw(io_u))
		async_complete_rw(io_u, res);
	else
		complete_other(io_u, res);
	if (io_u->error)
		async_failed(td, io_u, &l->count);
	ready_add(&l->ready, io_u);
}

/* Take at most 'max' completions that are there, without a system call. Returns how many. */
static unsigned reap(struct thread_data *td, struct laio *l, unsigned max)
{
	struct completion_ring *r = l->ring;
	unsigned head, tail, n = 0;

	if (!r)
		return 0;
	head = r->head;
	tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	while (head != tail && n < max) {
		complete(td, l, r->events[head].data, (long)r->events[head].res);
		if (++head == r->nr)
			head = 0;
		n++;
	}
	if (n)
		__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	l->taken += n;
	return n;
}

/*
 * Enter the kernel for 'min' to 'max' completions. Some libraries and machines know only
 * io_pgetevents, some sandboxes only its elder: one that is refused makes way for the other.
 * Returns how many, or -errno.
 */
static int wait_for(struct thread_data *td, struct laio *l, unsigned min, unsigned max)
{
	struct timespec none = {0, 0}, *timeout = min ? NULL : &none;
	int n;

	l->wait_calls++;
	if (!l->other_syscall) {
		n = io_getevents(l->ctx, min, max, l->events, timeout);
		if (n == -EPERM || n == -ENOSYS)
			l->other_syscall = true;
	}
	if (l->other_syscall)
		n = io_pgetevents(l->ctx, min, max, l->events, timeout, NULL);
	for (int i = 0; i < n; i++)
		complete(td, l, l->events[i].data, (long)l->events[i].res);
	return n;
}

static struct io_u *laio_event(struct thread_data *td, int event)
{
	struct laio *l = td->io_ops_data;

	return ready_get(&l->ready, (unsigned)event);
}

/* submission */

/* The kernel has taken 'nr' iocbs from the front of the queue. */
static void account_submitted(struct thread_data *td, struct laio *l, unsigned nr)
{
	struct timespec now;

	l->count.submitted += nr;
	if (async_take_time(td, &now)) {
		for (unsigned i = 0; i < nr; i++)
			async_stamp(td, l->queue[l->first + i]->data, &now);
		if (td->o.read_iolog_file)
			td->last_issue = now;
	}
	l->first += nr;
	l->queued -= nr;
	io_u_mark_submit(td, nr);
}

/*
 * The kernel refuses the first iocb for good. The error is that I/O's and no other's; an fsync
 * that the kernel (before 4.18) or file cannot queue is done in place from now on.
 */
static void refused(struct thread_data *td, struct laio *l, int error)
{
	struct io_u *io_u = l->queue[l->first]->data;

	account_submitted(td, l, 1);
	l->count.submitted--;
	if (!async_is_rw(io_u) && error == -EINVAL) {
		l->sync_fsync = true;
		do_io_u_sync(td, io_u);
		error = -(int)io_u->error;
	}
	complete(td, l, io_u, error ? error : (long)io_u->xfer_buflen);
}

/* No request is free: take completions, which wait on the ready list for the next getevents. */
static int make_room(struct thread_data *td, struct laio *l)
{
	int n;

	if (reap(td, l, l->depth))
		return 0;
	n = wait_for(td, l, 0, l->depth);
	if (!n)
		usleep(RETRY_US);
	return n < 0 && n != -EINTR ? n : 0;
}

static int laio_commit(struct thread_data *td)
{
	struct laio *l = td->io_ops_data;
	unsigned tries = 0;

	while (l->queued) {
		int ret;

		l->submit_calls++;
		ret = io_submit(l->ctx, l->queued, l->queue + l->first);
		if (ret > 0) {
			account_submitted(td, l, (unsigned)ret);
			tries = 0;
			continue;
		}
		if (ret == -EINTR)
			continue;
		if (!ret || ret == -EAGAIN || ret == -ENOMEM) {
			ret = ++tries > RETRY_MAX ? (ret ? ret : -EAGAIN) : make_room(td, l);
			if (!ret)
				continue;
			td_verror(td, -ret, "io_submit");
			return ret;
		}
		refused(td, l, ret);
	}
	return 0;
}

static int wait_failed(struct thread_data *td, int ret)
{
	struct err e = ERR_INIT;

	if (td->error) /* fio asks once more, to clean up */
		return ret;
	if (ret == -EPERM || ret == -ENOSYS)
		err_set(&e, ret,
			"io_getevents and io_pgetevents are refused to this process: look at the "
			"container's seccomp profile, or use ioengine=psync");
	else
		err_set(&e, ret, "cannot wait for completions: %s", strerror(-ret));
	glue_fail(td, &e);
	return ret;
}

static int laio_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			  const struct timespec *t fio_unused)
{
	struct laio *l = td->io_ops_data;
	/* as in fio's own engines, iodepth_batch_complete_min=0 asks for polling, not sleeping */
	bool sleep = td->o.iodepth_batch_complete_min != 0;
	unsigned have = ready_next(&l->ready);

	if (have < max)
		have += reap(td, l, max - have);
	while (have < min || (!l->ring && have < max)) {
		int n = 0;

		if (sleep || !l->ring)
			n = wait_for(td, l, sleep && min > have ? min - have : 0, max - have);
		else
			n = (int)reap(td, l, max - have);
		if (n < 0 && n != -EINTR && n != -EAGAIN)
			return wait_failed(td, n);
		if (n > 0)
			have += (unsigned)n;
		if (have >= min)
			break;
	}
	return (int)ready_give(&l->ready, max);
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
	free(l->slots);
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
	l->slots = calloc(depth, sizeof(*l->slots));
	l->queue = calloc(depth, sizeof(struct iocb *));
	l->events = calloc(depth, sizeof(*l->events));
	if (ready_init(&l->ready, depth) || !l->slots || !l->queue || !l->events) {
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
	l->vectored = o->vectored;
	l->opcode[DDIR_READ] = l->vectored ? IO_CMD_PREADV : IO_CMD_PREAD;
	l->opcode[DDIR_WRITE] = l->vectored ? IO_CMD_PWRITEV : IO_CMD_PWRITE;
	l->rw_flags[DDIR_READ] = async_rwf(td, DDIR_READ, o->nowait);
	l->rw_flags[DDIR_WRITE] = async_rwf(td, DDIR_WRITE, o->nowait);
	if (o->engine_log)
		async_log_begin(&l->log, td, o->engine_log);
	return async_cmdprio_init(td, &l->cmdprio, &o->cmdprio_options, &l->prio);
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
	ASYNC_CMDPRIO(struct laio_options, FIO_OPT_G_LIBAIO),
	{OPTION("engine_log", FIO_OPT_STR_STORE, engine_log,
		"Append one JSON object per job to this file: system calls, completions taken without "
		"one")},
	{.name = NULL},
};

GLUE_EXPORT struct ioengine_ops ioengine = {
	.name = "laio",
	.version = FIO_IOOPS_VERSION,
	/* No offload: fio's core then runs a job's I/Os on several threads, and hangs now and then.
	 */
	.flags = ASYNC_FLAGS | FIO_ASYNCIO_SYNC_TRIM,
	.init = laio_init,
	.post_init = laio_post_init,
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
