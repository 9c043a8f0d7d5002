// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns how an io_u becomes a submission entry, when the kernel is entered, and how a completion
 * becomes an io_u again. The ring itself is core/ring's; options, files and setup are uring.c's.
 *
 * What every I/O runs through is written for few instructions (tests/bench/instructions.sh counts
 * them): whatever a job does not ask for is one test away, in functions of its own.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "uring.h"

/* blkdev.h BLOCK_URING_CMD_DISCARD of Linux 6.12; packaged headers are older than the kernels we
 * meet. */
#define URING_CMD_DISCARD _IO(0x12, 0)

/* An I/O that the kernel answers with EAGAIN is sent again this often, with pauses. */
#define RETRY_MAX   20000
#define RETRY_QUIET 16
#define RETRY_US    50

/* Pushed, not yet consumed by the kernel. */
static inline unsigned queued(const struct uring *u)
{
	return u->ring.sq_tail - u->taken;
}

void uring_slot_template(struct uring *u, unsigned index)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[index];

	memset(sqe, 0, sizeof(*sqe));
	sqe->rw_flags = (int)u->rw_flags[DDIR_READ];
	sqe->buf_index = u->slots[index].buf_index;
	sqe->user_data = (uintptr_t)u->slots[index].io_u;
}

/* queue: reads and writes */

static inline int sqe_fd(const struct uring *u, const struct fio_file *f)
{
	return u->fixed_files ? f->fileno : f->fd;
}

static inline struct io_uring_sqe *sqe_rw(struct uring *u, const struct io_u *io_u)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[io_u->index];

	memcpy(sqe, &u->head[io_u->ddir], sizeof(u->head[0]));
	sqe->fd = sqe_fd(u, io_u->file);
	sqe->off = io_u->offset;
	sqe->addr = (uintptr_t)io_u->xfer_buf;
	sqe->len = (uint32_t)io_u->xfer_buflen;
	return sqe;
}

static void count_force_async(struct uring *u, struct io_uring_sqe *sqe)
{
	if (u->force_async && ++u->since_async == u->force_async) {
		u->since_async = 0;
		sqe->flags |= IOSQE_ASYNC;
	}
}

/* A read or write with what most jobs do not ask for. */
static void queue_special(struct thread_data *td, struct uring *u, struct io_u *io_u)
{
	struct slot *s = &u->slots[io_u->index];
	struct io_uring_sqe *sqe = sqe_rw(u, io_u);

	s->retries = 0;
	sqe->rw_flags = (int)u->rw_flags[io_u->ddir];
	if (u->vectored) {
		s->iov.iov_base = io_u->xfer_buf;
		s->iov.iov_len = io_u->xfer_buflen;
		sqe->addr = (uintptr_t)&s->iov;
		sqe->len = 1;
	}
	count_force_async(u, sqe);
	if (u->prio && fio_cmdprio_set_ioprio(td, &u->cmdprio, io_u))
		sqe->ioprio = io_u->ioprio;
	ring_push(&u->ring, io_u->index);
}

/* queue: everything else */

/* A fresh entry: the kernel insists on zero in the fields an operation does not use. */
static struct io_uring_sqe *sqe_fresh(struct uring *u, struct io_u *io_u, uint8_t opcode)
{
	struct io_uring_sqe *sqe = &u->ring.sqes[io_u->index];

	memset(sqe, 0, sizeof(*sqe));
	sqe->opcode = opcode;
	sqe->flags = u->head[DDIR_READ].flags;
	sqe->fd = sqe_fd(u, io_u->file);
	sqe->user_data = (uintptr_t)io_u;
	count_force_async(u, sqe);
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
	u->slots[io_u->index].retries = 0;
	ring_push(&u->ring, io_u->index);
	u->last = io_u;
	return true;
}

static ASYNC_RARE enum fio_q_status queue_other(struct thread_data *td, struct uring *u,
						struct io_u *io_u)
{
	fio_ro_check(td, io_u);
	if (async_is_rw(io_u)) {
		queue_special(td, u, io_u);
		return FIO_Q_QUEUED;
	}
	if (push_other(td, u, io_u))
		return FIO_Q_QUEUED;
	/* fio counts a completed io_u as its own batch: what is queued goes first */
	return queued(u) ? FIO_Q_BUSY : async_do_in_place(td, io_u, &u->count);
}

enum fio_q_status uring_queue(struct thread_data *td, struct io_u *io_u)
{
	struct uring *u = td->io_ops_data;

	if (unlikely(u->special || !async_is_rw(io_u)))
		return queue_other(td, u, io_u);
	fio_ro_check(td, io_u);
	sqe_rw(u, io_u);
	ring_push(&u->ring, io_u->index);
	u->last = io_u;
	return FIO_Q_QUEUED;
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
	uring_slot_template(u, io_u->index);
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
	u->resend = true;
	u->plain = false;
	u->special = true; /* from now on, somebody has to reset the count of a slot */
	u->resent++;
	return true;
}

/* A completion that is not simply a whole read or write. False when the I/O was sent again. */
static ASYNC_RARE bool complete_special(struct thread_data *td, struct uring *u, struct io_u *io_u,
					int res)
{
	if (((res == -EAGAIN && !u->nowait) || res == -EINTR) && send_again(u, io_u))
		return false;
	if (async_is_rw(io_u))
		async_complete_rw(io_u, res);
	else
		complete_other(td, u, io_u, res);
	if (io_u->error)
		async_failed(td, io_u, &u->count);
	return true;
}

/* Move up to 'max' completions from the ring to the ready list. */
static ASYNC_HOT void reap(struct thread_data *td, struct uring *u, unsigned max)
{
	unsigned head = *u->ring.cq_khead;
	unsigned n = __atomic_load_n(u->ring.cq_ktail, __ATOMIC_ACQUIRE) - head, end;

	if (n > max)
		n = max;
	if (!n)
		return;
	for (end = head + n; head != end; head++) {
		const struct io_uring_cqe *cqe = &u->ring.cqes[head & u->ring.cq_mask];
		struct io_u *io_u = (struct io_u *)(uintptr_t)cqe->user_data;

		if (likely((unsigned)cqe->res == io_u->xfer_buflen && async_is_rw(io_u)) ||
		    complete_special(td, u, io_u, cqe->res))
			ready_add(&u->ready, io_u);
	}
	__atomic_store_n(u->ring.cq_khead, end, __ATOMIC_RELEASE);
}

struct io_u *uring_event(struct thread_data *td, int event)
{
	struct uring *u = td->io_ops_data;

	return ready_get(&u->ready, (unsigned)event);
}

/* submission */

/* The kernel has consumed 'nr' more entries; 'now' is when they were submitted, where fio wants
 * that. */
static ASYNC_HOT void account_submitted(struct thread_data *td, struct uring *u, unsigned nr,
					const struct timespec *now)
{
	unsigned at = u->taken, end = at + nr;

	u->taken = end;
	u->count.submitted += nr;
	for (; u->timed && at != end; at++) {
		unsigned slot = ring_slot_at(&u->ring, at);

		if (unlikely(u->special) && u->slots[slot].retries)
			continue; /* stamped when it was first sent */
		async_stamp(td, (struct io_u *)(uintptr_t)u->ring.sqes[slot].user_data, now);
	}
	if (unlikely(u->special) && td->o.read_iolog_file)
		td->last_issue = *now;
	io_u_mark_submit(td, nr);
}

/* The same for one I/O, in a job that wants nothing special. */
static ASYNC_HOT void account_one(struct thread_data *td, struct uring *u, struct io_u *io_u)
{
	u->taken++;
	u->count.submitted++;
	io_u_queued(td, io_u);
	io_u_mark_submit(td, 1);
}

/* The ring itself fails, so the job has to end. Returns 'ret'. */
static ASYNC_RARE int enter_failed(struct thread_data *td, int ret)
{
	struct err e = ERR_INIT;

	if (ret == -EPERM || ret == -EACCES || ret == -ENOSYS)
		err_set(&e, ret,
			"io_uring_enter is refused to this process: look at the container's seccomp "
			"profile, or use the laio engine");
	else
		err_set(&e, ret,
			"io_uring_enter failed: %s: look at the kernel log, or use the laio engine",
			strerror(-ret));
	glue_fail(td, &e);
	return ret;
}

/*
 * The kernel took nothing (EAGAIN, EBUSY): let completions make room. They are kept
 * on the ready list for the next getevents, so none is lost.
 */
static int make_room(struct thread_data *td, struct uring *u)
{
	unsigned before = u->ready.tail;
	int ret;

	reap(td, u, u->nr_slots);
	if (u->ready.tail != before)
		return 0;
	ret = ring_enter(&u->ring, 0, 0);
	if (ret < 0 && ret != -EAGAIN && ret != -EBUSY && ret != -EINTR)
		return ret;
	reap(td, u, u->nr_slots);
	if (u->ready.tail == before)
		usleep(RETRY_US);
	return 0;
}

static ASYNC_RARE int submit_failed(struct thread_data *td, struct uring *u, int ret)
{
	if (ret == -EINTR)
		return 0;
	if (!ret || ret == -EAGAIN || ret == -EBUSY)
		ret = make_room(td, u);
	return ret < 0 ? enter_failed(td, ret) : ret;
}

/*
 * One attempt to hand over the 'nr' that are queued, waiting for 'wait' completions in the
 * same system call. Returns 0 (look at queued() for what is left), or -errno.
 *
 * In split mode the issue time is taken after the call, as fio's io_uring does; fused,
 * the call returns when the I/O is complete, so it has to be taken before.
 */
static ASYNC_HOT int submit_once(struct thread_data *td, struct uring *u, unsigned nr,
				 unsigned wait)
{
	struct timespec now;
	int ret;

	if (wait && u->timed)
		fio_gettime(&now, NULL);
	ret = ring_enter(&u->ring, nr, wait);
	if (unlikely(ret <= 0))
		return submit_failed(td, u, ret);
	if (!wait && u->timed)
		fio_gettime(&now, NULL);
	account_submitted(td, u, (unsigned)ret, &now);
	return 0;
}

/* With a polling kernel thread, showing it the tail is the submission. */
static int submit_by_thread(struct thread_data *td, struct uring *u)
{
	struct timespec now;
	int ret;

	/* once the tail is visible, an I/O may complete at once */
	if (u->timed)
		fio_gettime(&now, NULL);
	account_submitted(td, u, queued(u), &now);
	ret = ring_publish(&u->ring);
	return ret < 0 ? enter_failed(td, ret) : ret;
}

static ASYNC_RARE int flush(struct thread_data *td, struct uring *u)
{
	int ret = 0;

	if (u->sqpoll && queued(u))
		ret = submit_by_thread(td, u);
	while (!ret && queued(u))
		ret = submit_once(td, u, queued(u), 0);
	if (!ret)
		u->resend = false;
	return ret;
}

static __attribute__((noinline)) int commit_several(struct thread_data *td, struct uring *u)
{
	int ret;

	if (unlikely(u->sqpoll || u->resend))
		return flush(td, u);
	ret = submit_once(td, u, queued(u), 0);
	return likely(!queued(u)) ? 0 : ret ? ret : flush(td, u);
}

/* Without iodepth_batch, I/Os are handed over one at a time. */
static __attribute__((noinline)) int commit_one(struct thread_data *td, struct uring *u)
{
	struct io_u *io_u = u->last;

	if (unlikely(ring_enter(&u->ring, 1, 0) != 1))
		return flush(td, u); /* tries again, and says what is wrong */
	fio_gettime(&io_u->issue_time, NULL);
	account_one(td, u, io_u);
	return 0;
}

/*
 * fio commits for three reasons that look alike: a batch is full, it is about to wait, or
 * it drains the queue. When every slot is queued or in flight, a wait is what comes next
 * in any case, so in fused mode the submission is left to getevents.
 */
int uring_commit(struct thread_data *td)
{
	struct uring *u = td->io_ops_data;
	unsigned nr = queued(u);

	if (!nr)
		return 0;
	/* each submission ends as one completion, so the difference is what is queued or in flight
	 */
	if (u->fused && u->ring.sq_tail - *u->ring.cq_khead == u->nr_slots)
		return 0;
	return nr == 1 && u->plain ? commit_one(td, u) : commit_several(td, u);
}

static ASYNC_HOT int enter_to_wait(struct thread_data *td, struct uring *u, unsigned wait)
{
	int ret;

	if (u->sqpoll) /* polled for in user space; the thread may have gone to sleep meanwhile */
		ret = ring_publish(&u->ring);
	else
		ret = ring_enter(&u->ring, 0, wait);
	if (likely(ret >= 0) || ret == -EAGAIN || ret == -EBUSY || ret == -EINTR)
		return 0;
	return enter_failed(td, ret);
}

/* Whatever getevents may have to do: hand over, wait, explain. */
static __attribute__((noinline)) int getevents_fully(struct thread_data *td, struct uring *u,
						     unsigned min, unsigned max)
{
	unsigned have = ready_next(&u->ready), wait;
	bool looked = false;
	int ret;

	for (;;) {
		wait = u->sleep && min > have ? min - have : 0;
		/* what is fused has to go out; what is complete by now is seen afterwards */
		if (u->fused && queued(u) && wait)
			ret = submit_once(td, u, queued(u), wait);
		else if (u->resend || (u->fused && queued(u)))
			ret = flush(td, u);
		else if (have < min || (!have && !looked && ring_has_work(&u->ring)))
			ret = enter_to_wait(td, u, wait);
		else
			break;
		if (unlikely(ret < 0))
			return ret;
		looked = true;
		have = u->ready.tail; /* making room adds to it */
		if (have < max) {
			reap(td, u, max - have);
			have = u->ready.tail;
		}
	}
	return (int)ready_give(&u->ready, max);
}

/*
 * Take the whole reads and writes that are at the head of the completions, up to 'max'; the ready
 * list is empty. Stops before what needs more than that. Calls nothing, so it is cheap.
 */
static ASYNC_HOT unsigned take_simple(struct uring *u, unsigned max)
{
	unsigned head = *u->ring.cq_khead, n, i;

	n = __atomic_load_n(u->ring.cq_ktail, __ATOMIC_ACQUIRE) - head;
	if (n > max)
		n = max;
	for (i = 0; i < n; i++) {
		const struct io_uring_cqe *cqe = &u->ring.cqes[(head + i) & u->ring.cq_mask];
		struct io_u *io_u = (struct io_u *)(uintptr_t)cqe->user_data;

		if (unlikely((unsigned)cqe->res != io_u->xfer_buflen || !async_is_rw(io_u)))
			break;
		u->ready.at[i] = io_u;
	}
	u->ready.tail = u->ready.given = i;
	if (i)
		__atomic_store_n(u->ring.cq_khead, head + i, __ATOMIC_RELEASE);
	return i;
}

/* What take_simple() gave was not enough. */
static int take_more(struct thread_data *td, struct uring *u, unsigned min, unsigned max)
{
	u->ready.given = 0; /* not told of yet */
	return getevents_fully(td, u, min, max);
}

static __attribute__((noinline)) int wait_and_take(struct thread_data *td, struct uring *u,
						   unsigned min, unsigned max)
{
	unsigned n;

	if (unlikely(ring_enter(&u->ring, 0, min) < 0))
		return getevents_fully(td, u, min, max); /* tries again, and says what is wrong */
	n = take_simple(u, max);
	return likely(n >= min) ? (int)n : take_more(td, u, min, max);
}

/* The same for one, which is what fio asks for unless told otherwise. */
static __attribute__((noinline)) int wait_and_take_one(struct thread_data *td, struct uring *u)
{
	if (unlikely(ring_enter(&u->ring, 0, 1) < 0))
		return getevents_fully(td, u, 1, 1);
	return likely(take_simple(u, 1)) ? 1 : take_more(td, u, 1, 1);
}

/* submit=fused at depth 1. The issue time has to be taken before the call, which ends with the I/O.
 */
static __attribute__((noinline)) int submit_and_take_one(struct thread_data *td, struct uring *u)
{
	struct io_u *io_u = u->last;

	fio_gettime(&io_u->issue_time, NULL);
	if (unlikely(ring_enter(&u->ring, 1, 1) != 1))
		return getevents_fully(td, u, 1, 1);
	account_one(td, u, io_u);
	return likely(take_simple(u, 1)) ? 1 : take_more(td, u, 1, 1);
}

/* Mostly, the list is empty, nothing is queued, and whole reads and writes are there or waited for.
 */
int uring_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		    const struct timespec *t fio_unused)
{
	struct uring *u = td->io_ops_data;
	unsigned n;

	if (unlikely(u->ready.tail != u->ready.given))
		return getevents_fully(td, u, min, max);
	if (queued(u)) {
		if (u->fused && u->plain && u->nr_slots == 1 && min)
			return submit_and_take_one(td, u);
		return getevents_fully(td, u, min, max);
	}
	if (!ring_cq_ready(&u->ring) && min && u->plain)
		return max == 1 ? wait_and_take_one(td, u) : wait_and_take(td, u, min, max);
	n = take_simple(u, max);
	if (likely(n && n >= min))
		return (int)n;
	return take_more(td, u, min, max);
}
