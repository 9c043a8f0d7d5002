/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes of an earlier fio that nobody waits for any more.
 */
#ifndef FIOPACK_STRAYS_H
#define FIOPACK_STRAYS_H

#include "../normalize/fault.h"

/* Environment variable of every fio that fiopack starts: the results folder it works for. */
#define STRAYS_MARK "FIOPACK_RESULTS"

/*
 * Kill what still runs for the results folder `root` (absolute), and wait until it is gone: the
 * jobs of a fio that was killed itself, or the fio of a killed fiopack. To be called while no fio
 * of ours is meant to run. Sees the processes that the user may look into; what it does not see
 * still holds the lock of its target (target_lock).
 * Returns 0, or -1 with `f` filled when something does not end.
 */
int strays_end(const char *root, struct fault *f);

#endif
