/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An io_uring whose submission entries are bound to slots.
 *
 * liburing sets the ring up and maps it; after that the rings are plain shared
 * memory, and the hot path works on it directly: slot i always uses sqes[i], and
 * the submission array says in which order slots go to the kernel. What never
 * changes in an entry (buffer index, user data, flags) is then written once.
 *
 * A ring belongs to the thread that opened it. None of these functions may be
 * called from another thread (the ring may be IORING_SETUP_SINGLE_ISSUER).
 */
#ifndef FIOPACK_RING_H
#define FIOPACK_RING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>
#include <linux/time_types.h>
#include <liburing/io_uring.h> /* the kernel interface as liburing ships it, so that both agree */

#include "err.h"

/* Largest number of slots: the kernel's IORING_MAX_ENTRIES, which no header exports. */
#define RING_MAX_SLOTS 32768u

struct ring_want {
	unsigned slots; /* 1..RING_MAX_SLOTS; also the most completions ever outstanding */
	bool iopoll;	/* IORING_SETUP_IOPOLL: completions are polled for */
	bool hybrid;	/* with iopoll: sleep for a part of the time first (Linux 6.13) */
	bool sqpoll;	/* IORING_SETUP_SQPOLL: a kernel thread takes submissions */
	int sqpoll_cpu; /* the CPU that thread is bound to, or -1 */
};

struct ring {
	int fd;		      /* what io_uring_enter is called with: registered where possible */
	unsigned enter_flags; /* IORING_ENTER_* that go with it */
	unsigned setup_flags; /* IORING_SETUP_* that the kernel granted */
	uint64_t enters;      /* how often the kernel was entered */

	/* submission side: 'sq_tail' is ours, *sq_ktail what the kernel may see */
	struct io_uring_sqe *sqes;
	unsigned *sq_array;
	unsigned *sq_khead;
	unsigned *sq_ktail;
	unsigned *sq_kflags;
	unsigned sq_mask;
	unsigned sq_tail;

	/* completion side */
	struct io_uring_cqe *cqes;
	unsigned *cq_khead;
	unsigned *cq_ktail;
	unsigned cq_mask;

	unsigned no_array; /* stands in for the submission array of a ring without one */

	void *impl; /* struct io_uring; kept out of here so that only ring.c needs liburing */
};

/*
 * Open a ring. Setup flags the running kernel does not know are dropped one by
 * one, the most recent first; only what 'want' asks for is never dropped.
 * Returns 0, or -errno with a sentence in 'e'.
 */
int ring_open(struct ring *r, const struct ring_want *want, struct err *e);

/* Close and unmap. Safe on a zeroed struct and after a failed ring_open(). */
void ring_close(struct ring *r);

/* True when the running kernel knows this IORING_OP_*. One system call. */
bool ring_has_op(struct ring *r, unsigned op);

/*
 * Register n buffers for the *_FIXED operations. -ENOMEM means RLIMIT_MEMLOCK;
 * its soft limit has then already been raised to the hard one.
 * Returns 0, or -errno with a sentence in 'e'.
 */
int ring_register_buffers(struct ring *r, const struct iovec *iov, unsigned n, struct err *e);

/*
 * Register a table of n file descriptors (-1 for an empty place), and later
 * replace place 'pos'. Returns 0, or -errno with a sentence in 'e'.
 */
int ring_register_files(struct ring *r, const int *fds, unsigned n, struct err *e);
int ring_update_file(struct ring *r, unsigned pos, int fd, struct err *e);

/*
 * io_uring_enter(2): hand 'to_submit' entries to the kernel (publishing everything
 * pushed so far) and, with 'wait' > 0, return only when that many completions are
 * there. Completions are always looked for (IORING_ENTER_GETEVENTS), which is
 * what lets a ring with deferred task work make progress.
 * Returns the number of entries consumed, or -errno.
 */
int ring_enter(struct ring *r, unsigned to_submit, unsigned wait);

/*
 * For a ring with 'sqpoll': let the kernel's thread see what was pushed, and wake it
 * when it sleeps. Returns 0, or -errno of the wake-up.
 */
int ring_publish(struct ring *r);

/* The names of the setup flags obtained, without "IORING_SETUP_"; ends with NULL. */
#define RING_FLAG_NAMES 12
void ring_flag_names(const struct ring *r, const char *names[RING_FLAG_NAMES]);

/* Put a slot at the end of the submission queue. The caller keeps within 'slots'. */
static inline void ring_push(struct ring *r, unsigned slot)
{
	r->sq_array[r->sq_tail & r->sq_mask] = slot;
	r->sq_tail++;
}

/* The slot at submission position 'pos' (a position is a free-running counter). */
static inline unsigned ring_slot_at(const struct ring *r, unsigned pos)
{
	return r->sq_array[pos & r->sq_mask];
}

/* The next completion, or NULL. Stays at the head until ring_cq_advance(). */
static inline const struct io_uring_cqe *ring_peek(const struct ring *r)
{
	unsigned head = *r->cq_khead;

	if (head == __atomic_load_n(r->cq_ktail, __ATOMIC_ACQUIRE))
		return NULL;
	return &r->cqes[head & r->cq_mask];
}

/* How many completions are there to read, without asking the kernel. */
static inline unsigned ring_cq_ready(const struct ring *r)
{
	return __atomic_load_n(r->cq_ktail, __ATOMIC_ACQUIRE) - *r->cq_khead;
}

/* Completion number i of those that ring_cq_ready() counted. */
static inline const struct io_uring_cqe *ring_cqe(const struct ring *r, unsigned i)
{
	return &r->cqes[(*r->cq_khead + i) & r->cq_mask];
}

/* Give n completions back to the kernel; their contents must have been read. */
static inline void ring_cq_advance(struct ring *r, unsigned n)
{
	__atomic_store_n(r->cq_khead, *r->cq_khead + n, __ATOMIC_RELEASE);
}

/*
 * True when entering the kernel may turn up completions that are not in the
 * completion ring yet: polled rings always, others when the kernel has flagged
 * deferred task work or an overflow. Saves the system call of a fruitless look.
 */
bool ring_has_work(const struct ring *r);

#endif
