/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only way from an engine to fio: no other file includes fio's headers.
 *
 * Besides the headers it holds what all engines do the same way: refusing a fio
 * they were not built for, refusing targets that a job would harm, and turning our
 * errors into fio's. Messages go to stderr through fio's log_err(); nothing here
 * ever writes to stdout, where fio puts its JSON.
 */
#ifndef FIOPACK_FIO_GLUE_H
#define FIOPACK_FIO_GLUE_H

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#include "fio.h"
#include "optgroup.h"
#include "engines/cmdprio.h"
#pragma GCC diagnostic pop

#include "build-config.h"
#include "core/err.h"

/* Each plugin defines exactly one; the version script exports it and nothing else. */
extern struct ioengine_ops ioengine;

#define GLUE_EXPORT __attribute__((visibility("default")))

/*
 * Report a failure of a whole job: the sentence on stderr, the errno to td->error
 * so that fio ends the job and exits non-zero. What the numjobs= copies of a job all have to
 * say is said once. Returns 1, as fio's hooks do.
 */
int glue_fail(struct thread_data *td, const struct err *e);

/*
 * Call at the start of .init: refuses a thread_data whose layout is not the one
 * we were built for, and (for jobs whose direction is known only now, as in
 * iolog replay) a device in use. Returns 0, or 1 after a sentence.
 */
int glue_init(struct thread_data *td);

/*
 * .get_file_size, .open_file, .unlink_file: fio's generic ones behind our checks.
 *
 * glue_get_file_size runs in the parent, before any layout. It refuses a
 * directory, a path that cannot be looked at, a path under /dev that does not exist
 * (fio would create a regular file there), a trim of a regular file, and, for jobs
 * that write or trim, a block device that is mounted, swap or held unless
 * allow_mounted_write=1.
 *
 * glue_unlink_file is how fio's core announces that it will lay a file out anew.
 * For a job that only reads it refuses to touch a file that exists.
 *
 * glue_open_file says in a sentence what could not be opened and why, and refuses
 * a read beyond the end of a file.
 */
int glue_get_file_size(struct thread_data *td, struct fio_file *f);
int glue_unlink_file(struct thread_data *td, struct fio_file *f);
int glue_open_file(struct thread_data *td, struct fio_file *f);

/*
 * Say in one sentence what failed about an I/O (io_u->error is set) and what helps.
 * fio's own message, one for each I/O, has neither. Meant to be called for the first
 * failure of a job only. 'hint' is what the engine knows about this error, or NULL.
 */
void glue_tell_io_error(const struct thread_data *td, const struct io_u *io_u, const char *hint);

#endif
