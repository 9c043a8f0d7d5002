/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the asynchronous engines do alike with an io_u: judging a completion, stamping the
 * submission, doing in place what cannot be queued, and the options they share.
 */
#ifndef FIOPACK_FIO_ASYNC_H
#define FIOPACK_FIO_ASYNC_H

#include "fio_glue.h"
#include "core/joblog.h"

#ifndef likely
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

/* Kept out of the functions that every I/O runs through, so that those stay small. */
#define ASYNC_RARE __attribute__((noinline, cold))
/* Part of one of those, whatever the compiler thinks. */
#define ASYNC_HOT inline __attribute__((always_inline))

/* RWF_*, from the kernel's include/uapi/linux/fs.h; packaged headers are older than the kernels we
 * meet. */
#define ASYNC_RWF_NOWAIT    0x08
#define ASYNC_RWF_ATOMIC    0x40 /* since Linux 6.11 */
#define ASYNC_RWF_DONTCACHE 0x80 /* since Linux 6.14 */

/* Nothing moved although something was asked for: the end of the target was reached early. */
#define ASYNC_MOVED_NOTHING EIO

/* What a newer fio lets an engine announce, and what asks for it. */
#ifdef HAVE_FIO_ATOMICWRITES
#define ASYNC_ATOMIC_FLAG FIO_ATOMICWRITES
static inline bool async_wants_atomic(const struct thread_data *td)
{
	return td->o.oatomic;
}
#else
#define ASYNC_ATOMIC_FLAG 0
static inline bool async_wants_atomic(const struct thread_data *td)
{
	(void)td;
	return false; /* before 3.38 the option meant something that Linux never had */
}
#endif
#ifdef HAVE_FIO_SYNCFS
#define ASYNC_SYNCFS_FLAG FIO_SYNCFS
#else
#define ASYNC_SYNCFS_FLAG 0
#endif

/* ioengine_ops.flags of every asynchronous engine of ours. */
#define ASYNC_FLAGS (FIO_ASYNCIO_SETS_ISSUE_TIME | ASYNC_ATOMIC_FLAG | ASYNC_SYNCFS_FLAG)

/* RWF_* flags of reads (DDIR_READ) or writes (DDIR_WRITE) that fio's options ask for. */
static inline unsigned async_rwf(const struct thread_data *td, enum fio_ddir ddir, bool nowait)
{
	return (nowait ? ASYNC_RWF_NOWAIT : 0) |
	       (ddir == DDIR_WRITE && async_wants_atomic(td) ? ASYNC_RWF_ATOMIC : 0);
}

struct async_counts {
	uint64_t submitted; /* I/Os handed to the kernel */
	uint64_t failed;
};

static inline bool async_is_rw(const struct io_u *io_u)
{
	return (unsigned)io_u->ddir <= DDIR_WRITE; /* DDIR_READ is 0 */
}

static inline void async_stamp(struct thread_data *td, struct io_u *io_u,
			       const struct timespec *now)
{
	io_u->issue_time = *now;
	io_u_queued(td, io_u);
}

/* The kernel says that a read or write moved 'res' bytes, or -errno. */
static inline void async_complete_rw(struct io_u *io_u, long res)
{
	if (res == (long)io_u->xfer_buflen)
		return;
	if (res > 0)
		io_u->resid = io_u->xfer_buflen - (unsigned long)res; /* fio asks for the rest */
	else
		io_u->error = res ? (unsigned)-res : ASYNC_MOVED_NOTHING;
}

/* Count an I/O whose io_u->error is set; explain a job's first on stderr. */
void async_failed(const struct thread_data *td, const struct io_u *io_u, struct async_counts *c);

/*
 * Do a sync or trim now, and say so to fio. Only while nothing is queued in the engine: fio
 * counts an io_u that completes at once as a batch of its own.
 */
enum fio_q_status async_do_in_place(struct thread_data *td, struct io_u *io_u,
				    struct async_counts *c);

/* A job's line in engine_log. When a job ends, fio may have freed its options and its name. */
struct async_log {
	char *path; /* NULL: none was asked for */
	struct joblog line;
};

/* In .init, when an engine_log is asked for: keep the path, begin the line with the job's name. */
void async_log_begin(struct async_log *l, const struct thread_data *td, const char *path);

/* In .cleanup: append the line, or say why that cannot be. */
void async_log_end(struct async_log *l, const struct thread_data *td);

#define ASYNC_OPTION(in, opt, kind, field, text)                                                   \
	.name = opt, .lname = opt, .type = kind, .off1 = offsetof(in, field), .help = text,        \
	.category = FIO_OPT_C_ENGINE

/*
 * The priority options, for a struct with a member `cmdprio_options`. A fio that has them as a
 * macro (3.36 and newer) knows more of them than we would.
 */
#ifdef CMDPRIO_OPTIONS
#define ASYNC_CMDPRIO(type, grp) CMDPRIO_OPTIONS(type, grp)
#else
/* clang-format off */
#define ASYNC_CMDPRIO(type, grp)                                                                   \
	{ASYNC_OPTION(type, "cmdprio_percentage", FIO_OPT_INT, cmdprio_options.percentage[DDIR_READ],      \
		      "Send this percentage of I/Os with the priority of cmdprio_class and cmdprio"), \
	 .off2 = offsetof(type, cmdprio_options.percentage[DDIR_WRITE]), .minval = 0, .maxval = 100,       \
	 .group = grp},                                                                            \
	{ASYNC_OPTION(type, "cmdprio_class", FIO_OPT_INT, cmdprio_options.class[DDIR_READ],                \
		      "I/O priority class of those: 1 real time, 2 best effort, 3 idle"),          \
	 .off2 = offsetof(type, cmdprio_options.class[DDIR_WRITE]), .minval = IOPRIO_MIN_PRIO_CLASS + 1,   \
	 .maxval = IOPRIO_MAX_PRIO_CLASS, .interval = 1, .group = grp},                            \
	{ASYNC_OPTION(type, "cmdprio", FIO_OPT_INT, cmdprio_options.level[DDIR_READ],                      \
		      "I/O priority level of those, 0 (highest) to 7"),                            \
	 .off2 = offsetof(type, cmdprio_options.level[DDIR_WRITE]), .minval = IOPRIO_MIN_PRIO,             \
	 .maxval = IOPRIO_MAX_PRIO, .interval = 1, .group = grp},                                  \
	{ASYNC_OPTION(type, "cmdprio_bssplit", FIO_OPT_STR_STORE, cmdprio_options.bssplit_str,             \
		      "Percentages (and priorities) by block size, as "                            \
		      "bs/percentage[/class/level]:..."),                                          \
	 .group = grp}
/* clang-format on */
#endif

/*
 * fio_cmdprio_init() with our sentence. '*on' tells whether priorities are in force.
 * Returns 0, or 1 with the job failed.
 */
int async_cmdprio_init(struct thread_data *td, struct cmdprio *c, struct cmdprio_options *o,
		       bool *on);

#endif
