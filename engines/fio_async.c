// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns what the asynchronous engines would otherwise each have a copy of, apart from the hot
 * path (inline in the header). Serves the one `ioengine` of its plugin, as fio_glue does.
 */
#include "fio_async.h"
#include "version.h"

static const char *hint_for(const struct io_u *io_u)
{
	switch (io_u->error) {
	case ASYNC_MOVED_NOTHING:
		if (async_is_rw(io_u))
			return "an error of the device (see the kernel log), or the target ends before "
			       "this offset";
		break;
	case EAGAIN:
		return "the kernel had no resources, or nowait=1 was set and it would have had to wait";
	case EOPNOTSUPP:
		if (async_is_rw(io_u))
			return "the file system, device or kernel lacks something that was asked for: "
			       "nowait, atomic and sync= need support of the device; uncached=1 needs Linux "
			       "6.14; hipri a device that can be polled";
		break;
	}
	return NULL;
}

void async_failed(const struct thread_data *td, const struct io_u *io_u, struct async_counts *c)
{
	if (!c->failed++)
		glue_tell_io_error(td, io_u, hint_for(io_u));
}

enum fio_q_status async_do_in_place(struct thread_data *td, struct io_u *io_u,
				    struct async_counts *c)
{
	if (fio_fill_issue_time(td)) {
		fio_gettime(&io_u->issue_time, NULL);
		if (td->o.read_iolog_file)
			td->last_issue = io_u->issue_time;
	}
	if (io_u->ddir == DDIR_TRIM)
		do_io_u_trim(td, io_u);
	else
		do_io_u_sync(td, io_u);
	if (io_u->error)
		async_failed(td, io_u, c);
	io_u_mark_submit(td, 1);
	io_u_mark_complete(td, 1);
	return FIO_Q_COMPLETED;
}

int async_cmdprio_init(struct thread_data *td, struct cmdprio *c, struct cmdprio_options *o,
		       bool *on)
{
	struct err e = ERR_INIT;

	if (fio_cmdprio_init(td, c, o)) {
		err_set(&e, EINVAL, "the cmdprio options do not fit together (see above)");
		return glue_fail(td, &e);
	}
	*on = c->mode != CMDPRIO_MODE_NONE;
	return 0;
}

void async_log_begin(struct async_log *l, const struct thread_data *td, const char *path)
{
	l->path = strdup(path);
	joblog_string(&l->line, "engine", ioengine.name);
	joblog_string(&l->line, "fiopack", FIOPACK_VERSION);
	joblog_string(&l->line, "job", td->o.name);
	joblog_number(&l->line, "subjob", td->subjob_number);
}

void async_log_end(struct async_log *l, const struct thread_data *td)
{
	struct err e = ERR_INIT;

	if (joblog_append(&l->line, l->path, &e))
		log_err("%s: %s: %s\n", ioengine.name, td->o.name ? td->o.name : "job", e.text);
	free(l->path);
	l->path = NULL;
}
