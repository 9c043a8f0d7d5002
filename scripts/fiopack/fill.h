/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Making sure that a target holds data before it is measured: reads of blocks that
 * were never written are answered without the medium, by file systems and drives
 * alike, and writes to them measure allocation.
 */
#ifndef FIOPACK_FILL_H
#define FIOPACK_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "../normalize/fault.h"
#include "plan.h"

/*
 * Files of VMs that have to be written first, in bytes; 0 when all are there. Not for
 * devices. With `assume_filled`, a file that is long enough is taken to hold data.
 */
uint64_t fill_missing_bytes(const struct plan *plan, const struct target *t, bool assume_filled);

/*
 * Will this target be written before its runs? `assume_filled` is the user's word
 * that a device, or a file that exists, holds data already.
 */
bool fill_needed(const struct plan *plan, const struct target *t, bool assume_filled);

/* Is there room for the files? Returns 0, or -1 with `f` filled. */
int fill_check_room(const struct plan *plan, const struct target *t, bool assume_filled,
		    struct fault *f);

/*
 * The job that writes all of the target's region once, with data that cannot be
 * compressed, through the target's own engine. Free with jobfile_free.
 */
void fill_job(const struct plan *plan, const struct target *t, struct jobfile *job);

/*
 * Make the files at their full size, without data, and mark them as ours: a fill that is
 * interrupted then leaves files that may be overwritten and are seen to lack data.
 * Returns 0, or -1 with `f` filled.
 */
int fill_prepare(const struct plan *plan, const struct target *t, struct fault *f);

#endif
