// SPDX-License-Identifier: GPL-2.0-only
/*
 * The uring engine: files and block devices through io_uring, as a drop-in for
 * fio's io_uring engine. Owns its options, files and setup, and the ops table; how I/Os move is
 * uring_io.c's, the ring itself core/ring's, targets and messages are fio_glue's.
 *
 * The life of one I/O is told in engines/README.md.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uring.h"

#define URING_BUF_MAX (1ULL << 30) /* one registered buffer holds at most 1 GiB */

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

/* The opcodes, and whether a read or write needs more than a template and four fields. */
static void choose_operations(const struct thread_data *td, struct uring *u,
			      const struct uring_options *o)
{
	bool plain = o->nonvectored;

	/* -1: READ and WRITE came with 5.6, READV and WRITEV with io_uring itself. */
	if (o->nonvectored == (unsigned)-1)
		plain = ring_has_op(&u->ring, IORING_OP_READ);
	u->vectored = !o->fixedbufs && !plain;
	if (o->fixedbufs) {
		u->head[DDIR_READ].opcode = IORING_OP_READ_FIXED;
		u->head[DDIR_WRITE].opcode = IORING_OP_WRITE_FIXED;
	} else if (plain) {
		u->head[DDIR_READ].opcode = IORING_OP_READ;
		u->head[DDIR_WRITE].opcode = IORING_OP_WRITE;
	} else {
		u->head[DDIR_READ].opcode = IORING_OP_READV;
		u->head[DDIR_WRITE].opcode = IORING_OP_WRITEV;
	}
	for (enum fio_ddir d = DDIR_READ; d <= DDIR_WRITE; d++) {
		u->head[d].flags = u->fixed_files ? IOSQE_FIXED_FILE : 0;
		u->head[d].ioprio = (uint16_t)td->ioprio;
	}
	u->special = u->vectored || u->force_async || u->prio || td->o.read_iolog_file ||
		     u->rw_flags[DDIR_READ] != u->rw_flags[DDIR_WRITE];
	u->plain = !u->special && u->timed && u->sleep && !u->sqpoll;
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
	u->timed = fio_fill_issue_time(td);
	u->sleep = td->o.iodepth_batch_complete_min != 0;
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
	/* a job that only trims has no buffers */
	if (o->fixedbufs && u->slots[0].io_u->buf && register_buffers(u, td_max_bs(td), &e))
		return glue_fail(td, &e);
	/* before Linux 5.11 the kernel's thread took registered files only; it is faster anyway */
	if ((o->registerfiles || o->sqthread_poll) && register_files(td, u, &e))
		return glue_fail(td, &e);
	choose_operations(td, u, o);
	for (unsigned i = 0; i < u->nr_slots; i++)
		uring_slot_template(u, i);
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
		"needs poll queues (nvme.poll_queues): without, completions come by interrupt (Linux "
		"6.1), or the kernel refuses the I/O (6.12)")},
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
	.flags = ASYNC_FLAGS | FIO_NO_OFFLOAD, /* a ring is for one thread only */
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
