// SPDX-License-Identifier: GPL-2.0-only
/*
 * The uring engine: files and block devices through io_uring, as a drop-in for
 * fio's io_uring engine. Owns how an io_u becomes a submission entry, when the
 * kernel is entered, and how a completion becomes an io_u again. The ring itself
 * is core/ring's, targets and messages are fio_glue's.
 *
 * The life of one I/O is told in engines/README.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fio_async.h"
#include "core/ready.h"
#include "core/ring.h"

/* blkdev.h BLOCK_URING_CMD_DISCARD of Linux 6.12; packaged headers are older than the kernels we
 * meet. */
#define URING_CMD_DISCARD _IO(0x12, 0)
#define URING_BUF_MAX	  (1ULL << 30) /* one registered buffer holds at most 1 GiB */

/* An I/O that the kernel answers with EAGAIN is sent again this often, with pauses. */
#define RETRY_MAX   20000
#define RETRY_QUIET 16
#define RETRY_US    50

enum submit_mode { SUBMIT_SPLIT, SUBMIT_FUSED };

struct uring_options {
	void *pad; /* fio takes an option at offset 0 for a missing one */
	char *engine_log;
	unsigned int submit; /* enum submit_mode */
	struct cmdprio_options cmdprio_options;
	unsigned int sqthread_poll;
	unsigned int sqthread_poll_cpu; /* -1: not bound */
	unsigned int hipri;
	unsigned int hipri_hybrid;
	unsigned int fixedbufs;
	unsigned int registerfiles;
	unsigned int nonvectored;
	unsigned int uncached;
	unsigned int nowait;
	unsigned int force_async;
};

/* What belongs to one slot; a slot is an io_u->index, an sqe and a place in the region. */
struct slot {
	struct io_u *io_u;
	struct iovec iov;   /* for nonvectored=0 */
	uint16_t buf_index; /* registered buffer that holds io_u->buf */
	uint16_t retries;   /* EAGAIN answers to the I/O in flight */
};

struct uring {
	struct ring ring;
	struct slot *slots;
	unsigned nr_slots;
	unsigned queued;    /* pushed, not yet consumed by the kernel */
	unsigned in_flight; /* consumed, not yet reaped */

	/* settled per job, so that the hot path reads no options */
	uint8_t opcode[2]; /* by DDIR_READ, DDIR_WRITE */
	bool vectored;
	bool fixed_files;
	bool fused;  /* submit with the wait where both are due */
	bool sqpoll; /* a kernel thread takes submissions */
	bool nowait; /* EAGAIN is an answer, not a shortage */
	bool prio;   /* cmdprio options are in force */
	uint32_t rw_flags[2];
	unsigned force_async, since_async;
	bool sync_trim; /* this thread has learnt that discards do not go through the ring */
	bool resend;	/* the queue holds I/Os to send again */

	struct cmdprio cmdprio;
	struct ready ready;
	struct async_counts count;
	struct async_log log;
	uint64_t resent; /* for engine_log */
};

/* Write what stays the same in every read and write of a slot. */
static void slot_template(const struct thread_data *td, struct uring *u, unsigned index)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[index];

	memset(sqe, 0, sizeof(*sqe));
	sqe->ioprio = (uint16_t)td->ioprio;
	sqe->buf_index = u->slots[index].buf_index;
	sqe->user_data = (uintptr_t)u->slots[index].io_u;
}

static inline void sqe_target(struct uring *u, struct io_uring_sqe *sqe, const struct fio_file *f)
{
	uint8_t flags = 0;

	if (u->fixed_files) {
		sqe->fd = f->fileno;
		flags = IOSQE_FIXED_FILE;
	} else {
		sqe->fd = f->fd;
	}
	if (u->force_async && ++u->since_async == u->force_async) {
		u->since_async = 0;
		flags |= IOSQE_ASYNC;
	}
	sqe->flags = flags;
}

/* queue: reads and writes */

static inline void sqe_rw(struct uring *u, const struct io_u *io_u)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[io_u->index];

	sqe->opcode = u->opcode[io_u->ddir];
	sqe->rw_flags = (int)u->rw_flags[io_u->ddir];
	sqe_target(u, sqe, io_u->file);
	sqe->off = io_u->offset;
	if (u->vectored) {
		struct iovec *iov = &u->slots[io_u->index].iov;

		iov->iov_base = io_u->xfer_buf;
		iov->iov_len = io_u->xfer_buflen;
		sqe->addr = (uintptr_t)iov;
		sqe->len = 1;
	} else {
		sqe->addr = (uintptr_t)io_u->xfer_buf;
		sqe->len = (uint32_t)io_u->xfer_buflen;
	}
}

/* queue: everything else */

/* A fresh entry: the kernel insists on zero in the fields an operation does not use. */
static struct io_uring_sqe *sqe_fresh(struct uring *u, struct io_u *io_u, uint8_t opcode)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[io_u->index];

	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = opcode;
	sqe->user_data = (uintptr_t)io_u;
	sqe_target(u, sqe, io_u->file);
	return sqe;
}

/* True when the operation went to the ring, false when it has to be done in place. */
static bool push_other(struct thread_data *td, struct uring *u, struct io_u *io_u)
{
	const struct fio_file *f = io_u->file;
	struct io_uring_sqe *sqe;
	uint64_t bytes;

	/* A polled ring takes reads and writes alone (the kernel answers EINVAL). */
	if (u->ring.setup_flags & IORING_SETUP_IOPOLL)
		return false;
	switch (io_u->ddir) {
	case DDIR_SYNC:
		sqe_fresh(u, io_u, IORING_OP_FSYNC);
		break;
	case DDIR_DATASYNC:
		sqe = sqe_fresh(u, io_u, IORING_OP_FSYNC);
		sqe->fsync_flags = IORING_FSYNC_DATASYNC;
		break;
	case DDIR_SYNC_FILE_RANGE:
		bytes = f->last_write - f->first_write;
		/* Length 0 would mean "to the end of the file", and more does not fit the field. */
		if (!bytes || bytes > UINT32_MAX)
			return false;
		sqe = sqe_fresh(u, io_u, IORING_OP_SYNC_FILE_RANGE);
		sqe->off = f->first_write;
		sqe->len = (uint32_t)bytes;
		sqe->sync_range_flags = td->o.sync_file_range;
		break;
	case DDIR_TRIM:
		/* With zonemode=zbd a trim is a zone reset, which fio's core does. */
		if (u->sync_trim || f->filetype != FIO_TYPE_BLOCK ||
		    td->o.zone_mode == ZONE_MODE_ZBD)
			return false;
		sqe = sqe_fresh(u, io_u, IORING_OP_URING_CMD);
		sqe->cmd_op = URING_CMD_DISCARD;
		sqe->addr = io_u->offset;
		sqe->addr3 = io_u->xfer_buflen;
		break;
	default:
		return false;
	}
	ring_push(&u->ring, io_u->index);
	u->queued++;
	return true;
}

static enum fio_q_status uring_queue(struct thread_data *td, struct io_u *io_u)
{
	struct uring *u = td->io_ops_data;

	fio_ro_check(td, io_u);
	u->slots[io_u->index].retries = 0;
	if (async_is_rw(io_u)) {
		sqe_rw(u, io_u);
		if (u->prio && fio_cmdprio_set_ioprio(td, &u->cmdprio, io_u))
			u->ring.sqes[io_u->index].ioprio = io_u->ioprio;
		ring_push(&u->ring, io_u->index);
		u->queued++;
		return FIO_Q_QUEUED;
	}
	if (push_other(td, u, io_u))
		return FIO_Q_QUEUED;
	/* fio counts a completed io_u as its own batch: what is queued goes first */
	return u->queued ? FIO_Q_BUSY : async_do_in_place(td, io_u, &u->count);
}

/* completion */

static bool discard_unknown(int res)
{
	/* -515 is ENOIOCTLCMD, which some drivers let escape */
	return res == -EOPNOTSUPP || res == -EINVAL || res == -ENOTTY || res == -ENOSYS ||
	       res == -515;
}

static void complete_other(struct thread_data *td, struct uring *u, struct io_u *io_u, int res)
{
	slot_template(td, u, io_u->index);
	if (io_u->ddir == DDIR_TRIM && discard_unknown(res)) {
		u->sync_trim = true;
		do_io_u_trim(td, io_u);
	} else if (res < 0) {
		io_u->error = (unsigned)-res;
	}
}

/* Send an I/O again that the kernel had no resources for. False when enough is enough. */
static bool send_again(struct uring *u, struct io_u *io_u)
{
	struct slot *s = &u->slots[io_u->index];

	if (s->retries >= RETRY_MAX)
		return false;
	if (++s->retries > RETRY_QUIET)
		usleep(RETRY_US);
	ring_push(&u->ring, io_u->index); /* its sqe is still as it was */
	u->queued++;
	u->resend = true;
	u->resent++;
	return true;
}

/* Move up to 'max' completions from the ring to the ready list. Returns how many. */
static unsigned reap(struct thread_data *td, struct uring *u, unsigned max)
{
	unsigned there = ring_cq_ready(&u->ring), n = 0, done = 0;

	for (; n < there && done < max; n++) {
		const struct io_uring_cqe *cqe = ring_cqe(&u->ring, n);
		struct io_u *io_u = (struct io_u *)(uintptr_t)cqe->user_data;
		int res = cqe->res;

		if (((res == -EAGAIN && !u->nowait) || res == -EINTR) && send_again(u, io_u))
			continue;
		if (async_is_rw(io_u))
			async_complete_rw(io_u, res);
		else
			complete_other(td, u, io_u, res);
		if (io_u->error)
			async_failed(td, io_u, &u->count);
		ready_add(&u->ready, io_u);
		done++;
	}
	if (n) {
		ring_cq_advance(&u->ring, n);
		u->in_flight -= n;
	}
	return done;
}

static struct io_u *uring_event(struct thread_data *td, int event)
{
	struct uring *u = td->io_ops_data;

	return ready_get(&u->ready, (unsigned)event);
}

/* submission */

/* The kernel has consumed 'nr' entries from position 'first' on. */
static void account_submitted(struct thread_data *td, struct uring *u, unsigned first, unsigned nr,
			      const struct timespec *now)
{
	u->queued -= nr;
	u->in_flight += nr;
	u->count.submitted += nr;
	for (unsigned i = 0; now && i < nr; i++) {
		const struct slot *s = &u->slots[ring_slot_at(&u->ring, first + i)];

		if (s->retries) /* stamped when it was first sent */
			continue;
		async_stamp(td, s->io_u, now);
	}
	if (now && td->o.read_iolog_file)
		td->last_issue = *now;
	io_u_mark_submit(td, nr);
}

/*
 * The kernel took nothing (EAGAIN, EBUSY): let completions make room. They are kept
 * on the ready list for the next getevents, so none is lost.
 */
static int make_room(struct thread_data *td, struct uring *u)
{
	int ret;

	if (reap(td, u, u->nr_slots))
		return 0;
	ret = ring_enter(&u->ring, 0, 0);
	if (ret < 0 && ret != -EAGAIN && ret != -EBUSY && ret != -EINTR)
		return ret;
	if (!reap(td, u, u->nr_slots))
		usleep(RETRY_US);
	return 0;
}

/*
 * One attempt to hand over what is queued, waiting for 'wait' completions in the same
 * system call. Returns 0 (look at u->queued for what is left), or -errno.
 *
 * In split mode the issue time is taken after the call, as fio's io_uring does; fused,
 * the call returns when the I/O is complete, so it has to be taken before.
 */
static int submit_once(struct thread_data *td, struct uring *u, unsigned wait)
{
	unsigned first = u->ring.sq_tail - u->queued;
	struct timespec now;
	bool timed = wait && async_take_time(td, &now);
	int ret = ring_enter(&u->ring, u->queued, wait);

	if (ret > 0) {
		if (!wait)
			timed = async_take_time(td, &now);
		account_submitted(td, u, first, (unsigned)ret, timed ? &now : NULL);
		return 0;
	}
	if (ret == -EINTR)
		return 0;
	if (!ret || ret == -EAGAIN || ret == -EBUSY)
		ret = make_room(td, u);
	if (ret < 0)
		td_verror(td, -ret, "io_uring_enter");
	return ret;
}

/* With a polling kernel thread, showing it the tail is the submission. */
static int submit_by_thread(struct thread_data *td, struct uring *u)
{
	unsigned first = u->ring.sq_tail - u->queued;
	struct timespec now;
	/* once the tail is visible, an I/O may complete at once */
	bool timed = async_take_time(td, &now);
	int ret;

	account_submitted(td, u, first, u->queued, timed ? &now : NULL);
	ret = ring_publish(&u->ring);
	if (ret < 0)
		td_verror(td, -ret, "io_uring_enter");
	return ret;
}

static int flush(struct thread_data *td, struct uring *u)
{
	int ret = 0;

	if (u->sqpoll && u->queued)
		ret = submit_by_thread(td, u);
	while (!ret && u->queued)
		ret = submit_once(td, u, 0);
	if (!ret)
		u->resend = false;
	return ret;
}

/*
 * fio commits for three reasons that look alike: a batch is full, it is about to wait, or
 * it drains the queue. When every slot is queued or in flight, a wait is what comes next
 * in any case, so in fused mode the submission is left to getevents.
 */
static int uring_commit(struct thread_data *td)
{
	struct uring *u = td->io_ops_data;

	if (u->fused && u->queued + u->in_flight == u->nr_slots)
		return 0;
	return flush(td, u);
}

static int enter_to_wait(struct thread_data *td, struct uring *u, unsigned wait)
{
	int ret;

	if (u->sqpoll) /* polled for in user space; the thread may have gone to sleep meanwhile */
		ret = ring_publish(&u->ring);
	else
		ret = ring_enter(&u->ring, 0, wait);
	if (ret >= 0 || ret == -EAGAIN || ret == -EBUSY || ret == -EINTR)
		return 0;
	td_verror(td, -ret, "io_uring_enter");
	return ret;
}

static int uring_getevents(struct thread_data *td, unsigned int min, unsigned int max,
			   const struct timespec *t fio_unused)
{
	struct uring *u = td->io_ops_data;
	/* as in fio's own engines, iodepth_batch_complete_min=0 asks for polling, not sleeping */
	bool sleep = td->o.iodepth_batch_complete_min != 0;
	unsigned have;
	bool looked = false;
	int ret;

	for (;;) {
		have = ready_next(&u->ready);
		if (have < max)
			have += reap(td, u, max - have);
		if (u->resend || (u->fused && u->queued && (!sleep || have >= min))) {
			ret = flush(td, u);
			if (ret < 0)
				return ret;
			continue; /* the flush may have reaped */
		}
		if (have >= min && (have || looked || !ring_has_work(&u->ring)))
			break;
		ret = u->fused && u->queued
			      ? submit_once(td, u, min - have)
			      : enter_to_wait(td, u, sleep && min > have ? min - have : 0);
		if (ret < 0)
			return ret;
		looked = true;
	}
	return (int)ready_give(&u->ready, max);
}

/* files */

static int uring_open_file(struct thread_data *td, struct fio_file *f)
{
	struct uring *u = td->io_ops_data;
	struct err e = ERR_INIT;
	int ret = glue_open_file(td, f);

	/* Before the ring is there (fio measures devices first) there is no table either. */
	if (ret || !u || !u->fixed_files ||
	    !ring_update_file(&u->ring, (unsigned)f->fileno, f->fd, &e))
		return ret;
	if (generic_close_file(td, f))
		f->fd = -1;
	return glue_fail(td, &e);
}

static int uring_close_file(struct thread_data *td, struct fio_file *f)
{
	struct uring *u = td->io_ops_data;

	/* The table holds a reference: without this the file would stay open. */
	if (u && u->fixed_files)
		(void)ring_update_file(&u->ring, (unsigned)f->fileno, -1, NULL);
	return generic_close_file(td, f);
}

/*
 * A file's place in the table is its fileno: fio's own engine_pos would do, but
 * generic_close_file() sets that to 0.
 */
static int register_files(struct thread_data *td, struct uring *u, struct err *e)
{
	unsigned n = td->files_index ? td->files_index : 1;
	int *fds = calloc(n, sizeof(*fds));
	int ret;

	if (!fds)
		return err_set(e, ENOMEM, "no memory to register %u files", n);
	fds[0] = -1;
	for (unsigned i = 0; i < td->files_index; i++) {
		struct fio_file *f = td->files[i];

		fds[i] = fio_file_open(f) ? f->fd : -1;
	}
	ret = ring_register_files(&u->ring, fds, n, e);
	free(fds);
	u->fixed_files = !ret;
	return ret;
}

/* setup */

/*
 * fio lays all buffers of a job out side by side. One registered buffer covers as
 * many of them as fit 1 GiB, instead of one registration per slot.
 */
static int register_buffers(struct uring *u, unsigned long long bs, struct err *e)
{
	struct iovec *iov = calloc(u->nr_slots, sizeof(*iov));
	unsigned n = 0;
	int ret;

	if (!iov)
		return err_set(e, ENOMEM, "no memory to register %u buffers", u->nr_slots);
	for (unsigned i = 0; i < u->nr_slots; i++) {
		char *buf = u->slots[i].io_u->buf;
		struct iovec *last = n ? &iov[n - 1] : NULL;

		if (last && (char *)last->iov_base + last->iov_len == buf &&
		    last->iov_len + bs <= URING_BUF_MAX) {
			last->iov_len += bs;
		} else {
			iov[n].iov_base = buf;
			iov[n].iov_len = bs;
			n++;
		}
		u->slots[i].buf_index = (uint16_t)(n - 1);
	}
	ret = ring_register_buffers(&u->ring, iov, n, e);
	free(iov);
	return ret;
}

static void choose_operations(struct uring *u, const struct uring_options *o)
{
	bool plain = o->nonvectored;

	/* -1: READ and WRITE came with 5.6, READV and WRITEV with io_uring itself. */
	if (o->nonvectored == (unsigned)-1)
		plain = ring_has_op(&u->ring, IORING_OP_READ);
	u->vectored = !o->fixedbufs && !plain;
	if (o->fixedbufs) {
		u->opcode[DDIR_READ] = IORING_OP_READ_FIXED;
		u->opcode[DDIR_WRITE] = IORING_OP_WRITE_FIXED;
	} else if (plain) {
		u->opcode[DDIR_READ] = IORING_OP_READ;
		u->opcode[DDIR_WRITE] = IORING_OP_WRITE;
	} else {
		u->opcode[DDIR_READ] = IORING_OP_READV;
		u->opcode[DDIR_WRITE] = IORING_OP_WRITEV;
	}
}

static int check_options(const struct thread_data *td, const struct uring_options *o, struct err *e)
{
	if (td->o.iodepth > RING_MAX_SLOTS)
		return err_set(e, EINVAL, "iodepth=%u is more than io_uring's %u: lower iodepth",
			       td->o.iodepth, RING_MAX_SLOTS);
	if (o->sqthread_poll_cpu != (unsigned)-1 && !o->sqthread_poll)
		return err_set(e, EINVAL, "sqthread_poll_cpu needs sqthread_poll");
	if (o->hipri_hybrid && !o->hipri)
		return err_set(e, EINVAL, "hipri_hybrid needs hipri");
	if (o->hipri && !td->o.odirect)
		return err_set(e, EINVAL,
			       "hipri polls the device for completions, which needs direct=1");
	return 0;
}

static int uring_init(struct thread_data *td)
{
	struct uring_options *o = td->eo;
	struct err e = ERR_INIT;
	struct uring *u;

	if (glue_init(td))
		return 1;
	if (check_options(td, o, &e))
		return glue_fail(td, &e);
	u = calloc(1, sizeof(*u));
	if (u)
		u->slots = calloc(td->o.iodepth, sizeof(*u->slots));
	if (!u || !u->slots || ready_init(&u->ready, td->o.iodepth)) {
		if (u)
			free(u->slots);
		free(u);
		err_set(&e, ENOMEM, "no memory for iodepth=%u", td->o.iodepth);
		return glue_fail(td, &e);
	}
	u->ring.fd = -1;
	u->nr_slots = td->o.iodepth;
	u->force_async = o->force_async;
	u->nowait = o->nowait;
	for (enum fio_ddir d = DDIR_READ; d <= DDIR_WRITE; d++) {
		u->rw_flags[d] = async_rwf(td, d, o->nowait);
		if (o->uncached && !td->o.odirect)
			u->rw_flags[d] |= ASYNC_RWF_DONTCACHE;
	}
	u->sqpoll = o->sqthread_poll;
	/* a batch that was asked for and a kernel thread that submits are served at once */
	u->fused = o->submit == SUBMIT_FUSED && !u->sqpoll && td->o.iodepth_batch <= 1;
	td->io_ops_data = u;
	if (o->engine_log)
		async_log_begin(&u->log, td, o->engine_log);
	return async_cmdprio_init(td, &u->cmdprio, &o->cmdprio_options, &u->prio);
}

static int uring_io_u_init(struct thread_data *td, struct io_u *io_u)
{
	struct uring *u = td->io_ops_data;

	u->slots[io_u->index].io_u = io_u;
	return 0;
}

/* The first hook that runs in the job's own thread with its buffers there. */
static int uring_post_init(struct thread_data *td)
{
	const struct uring_options *o = td->eo;
	struct uring *u = td->io_ops_data;
	struct ring_want want = {.slots = u->nr_slots,
				 .iopoll = o->hipri,
				 .hybrid = o->hipri_hybrid,
				 .sqpoll = o->sqthread_poll,
				 .sqpoll_cpu = (int)o->sqthread_poll_cpu};
	struct err e = ERR_INIT;

	if (ring_open(&u->ring, &want, &e))
		return glue_fail(td, &e);
	choose_operations(u, o);
	/* a job that only trims has no buffers */
	if (o->fixedbufs && u->slots[0].io_u->buf && register_buffers(u, td_max_bs(td), &e))
		return glue_fail(td, &e);
	/* before Linux 5.11 the kernel's thread took registered files only; it is faster anyway */
	if ((o->registerfiles || o->sqthread_poll) && register_files(td, u, &e))
		return glue_fail(td, &e);
	for (unsigned i = 0; i < u->nr_slots; i++)
		slot_template(td, u, i);
	return 0;
}

static void write_log(const struct thread_data *td, struct uring *u)
{
	struct joblog *j = &u->log.line;
	const char *flags[RING_FLAG_NAMES];

	ring_flag_names(&u->ring, flags);
	joblog_string(j, "submit", u->fused ? "fused" : "split");
	joblog_list(j, "ring_flags", flags);
	joblog_number(j, "enter_calls", u->ring.enters);
	joblog_number(j, "submitted", u->count.submitted);
	joblog_number(j, "sent_again", u->resent);
	joblog_number(j, "failed", u->count.failed);
	async_log_end(&u->log, td);
}

static void uring_cleanup(struct thread_data *td)
{
	struct uring *u = td->io_ops_data;

	if (!u)
		return;
	if (u->log.path && u->ring.impl)
		write_log(td, u);
	fio_cmdprio_cleanup(&u->cmdprio);
	ring_close(&u->ring);
	free(u->slots);
	ready_free(&u->ready);
	free(u);
	td->io_ops_data = NULL;
}

#define OPTION(...) ASYNC_OPTION(struct uring_options, __VA_ARGS__), .group = FIO_OPT_G_IOURING

static struct fio_option options[] = {
	{OPTION("hipri", FIO_OPT_STR_SET, hipri,
		"Poll for completions instead of waiting for interrupts. Needs direct=1; the device "
		"needs poll queues (nvme.poll_queues), else completions still come by interrupt")},
	{OPTION("hipri_hybrid", FIO_OPT_STR_SET, hipri_hybrid,
		"With hipri: sleep for a part of the time that an I/O is expected to take, then poll, "
		"which spares CPU time (Linux 6.13)")},
	{OPTION("fixedbufs", FIO_OPT_STR_SET, fixedbufs,
		"Register the job's buffers once, so that the kernel need not map them for each I/O. "
		"Counts against RLIMIT_MEMLOCK")},
	{OPTION("registerfiles", FIO_OPT_STR_SET, registerfiles,
		"Register the job's files, so that the kernel need not look each up for each I/O. "
		"Works with openfiles below nrfiles too")},
	{OPTION("nonvectored", FIO_OPT_INT, nonvectored,
		"1: use READ and WRITE; 0: use READV and WRITEV; -1: READ and WRITE where the kernel "
		"has them (Linux 5.6)"),
	 .def = "-1"},
	{OPTION("uncached", FIO_OPT_INT, uncached,
		"Buffered I/O that leaves nothing in the page cache (RWF_DONTCACHE, Linux 6.14). No "
		"effect with direct=1")},
	{OPTION("nowait", FIO_OPT_BOOL, nowait,
		"Set RWF_NOWAIT: an I/O that would have to wait fails with EAGAIN instead"),
	 .def = "0"},
	{OPTION("force_async", FIO_OPT_INT, force_async,
		"Make every Nth I/O go through the kernel's worker threads (IOSQE_ASYNC); 0: none")},
	{OPTION("sqthread_poll", FIO_OPT_STR_SET, sqthread_poll,
		"A thread of the kernel takes submissions, so that none costs a system call. Implies "
		"registerfiles")},
	{OPTION("sqthread_poll_cpu", FIO_OPT_INT, sqthread_poll_cpu, "CPU to bind that thread to"),
	 .def = "-1"},
	ASYNC_CMDPRIO(struct uring_options, FIO_OPT_G_IOURING),
	{OPTION("submit", FIO_OPT_STR, submit,
		"split: submit, then wait, as fio's io_uring does. fused: submit and wait in one system "
		"call when all I/Os of the job are due; submission time then counts as completion "
		"latency, so compare lat, not slat or clat"),
	 .def = "split",
	 .posval = {{.ival = "split", .oval = SUBMIT_SPLIT, .help = "As fio's io_uring"},
		    {.ival = "fused", .oval = SUBMIT_FUSED, .help = "One system call for both"}}},
	{OPTION("engine_log", FIO_OPT_STR_STORE, engine_log,
		"Append one JSON object per job to this file: system calls, ring flags obtained, I/Os "
		"sent again")},
	{.name = NULL},
};

GLUE_EXPORT struct ioengine_ops ioengine = {
	.name = "uring",
	.version = FIO_IOOPS_VERSION,
	/* No FIO_ASYNCIO_SYNC_TRIM: trims go through the ring. */
	.flags = ASYNC_FLAGS,
	.init = uring_init,
	.post_init = uring_post_init,
	.io_u_init = uring_io_u_init,
	.queue = uring_queue,
	.commit = uring_commit,
	.getevents = uring_getevents,
	.event = uring_event,
	.cleanup = uring_cleanup,
	.open_file = uring_open_file,
	.close_file = uring_close_file,
	.unlink_file = glue_unlink_file,
	.get_file_size = glue_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct uring_options),
};
