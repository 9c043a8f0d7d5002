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
 * Find out whether the target has to be written before its runs, set t->filled when it has
 * not, and see that there is room for its files. `assume_filled` is the user's word that a
 * device, or a file that is long enough, holds data already.
 * Returns 0, or -1 with `f` filled.
 */
int fill_decide(const struct plan *plan, struct target *t, bool assume_filled, struct fault *f);

/*
 * Does a device that was filled before still look so? The fill is of random data, so a block of
 * zeros was trimmed, erased or replaced since. A sample of blocks all over the region is read.
 */
bool fill_is_there(const struct plan *plan, const struct target *t);

/* Does filling `t` fill `other` too? One disk is often measured with several engines. */
bool fill_covers(const struct plan *plan, const struct target *t, const struct target *other);

/*
 * The job that writes all of the target's region once, with data that cannot be
 * compressed, through the target's own engine. Free part->job with jobfile_free.
 */
void fill_job(const struct plan *plan, const struct target *t, struct plan_part *part);

/*
 * Make the files at their full size, without data, and mark them as ours: a fill that is
 * interrupted then leaves files that may be overwritten and are seen to lack data.
 * Returns 0, or -1 with `f` filled.
 */
int fill_prepare(const struct plan *plan, const struct target *t, struct fault *f);

#endif
