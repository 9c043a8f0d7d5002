/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of one job of the uring engine, between its two halves: uring.c sets it up,
 * uring_io.c moves I/Os with it.
 */
#ifndef FIOPACK_URING_H
#define FIOPACK_URING_H

#include "fio_async.h"
#include "core/ready.h"
#include "core/ring.h"

/* What belongs to one slot; a slot is an io_u->index, an sqe and a place in the region. */
struct slot {
	struct io_u *io_u;
	struct iovec iov;   /* for nonvectored=0 */
	uint16_t buf_index; /* registered buffer that holds io_u->buf */
	uint16_t retries;   /* EAGAIN answers to the I/O in flight */
};

/* The first four bytes of an entry, which depend on the direction alone. */
struct sqe_head {
	uint8_t opcode;
	uint8_t flags;
	uint16_t ioprio;
};

struct uring {
	/* what every I/O touches */
	struct ring ring;
	unsigned taken; /* submission position up to which the kernel has consumed entries */
	bool special;	/* reads and writes need queue_special() */
	bool plain;	/* nothing special, timed, waits may sleep, and this thread submits */
	bool fixed_files;
	bool fused;		 /* submit with the wait where both are due */
	bool sqpoll;		 /* a kernel thread takes submissions */
	bool timed;		 /* fio wants issue times */
	bool sleep;		 /* a wait may sleep: iodepth_batch_complete_min is not 0 */
	bool resend;		 /* the queue holds I/Os to send again */
	struct sqe_head head[2]; /* by DDIR_READ, DDIR_WRITE */
	unsigned nr_slots;
	struct io_u *last; /* pushed last */
	struct ready ready;
	struct async_counts count;

	/* what only some jobs need */
	struct slot *slots;
	bool vectored;
	bool nowait;	/* EAGAIN is an answer, not a shortage */
	bool prio;	/* cmdprio options are in force */
	bool sync_trim; /* this thread has learnt that discards do not go through the ring */
	uint32_t rw_flags[2];
	unsigned force_async, since_async;
	struct cmdprio cmdprio;
	struct async_log log;
	uint64_t resent; /* for engine_log */
};

/* Write what stays the same in every read and write of a slot. */
void uring_slot_template(struct uring *u, unsigned index);

/* The hooks of fio that every I/O runs through. */
enum fio_q_status uring_queue(struct thread_data *td, struct io_u *io_u);
int uring_commit(struct thread_data *td);
int uring_getevents(struct thread_data *td, unsigned int min, unsigned int max,
		    const struct timespec *t);
struct io_u *uring_event(struct thread_data *td, int event);

#endif
