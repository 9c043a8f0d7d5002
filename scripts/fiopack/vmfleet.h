/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * VMFleet's names of workloads as profiles: B8-T4-O16-W30-PR, or b8t4o16w30pr as in the
 * names of its result files.
 */
#ifndef FIOPACK_VMFLEET_H
#define FIOPACK_VMFLEET_H

#include <stdbool.h>
#include <stddef.h>

#include "../normalize/fault.h"
#include "../normalize/paper.h"

/*
 * Is `arg` meant to be such a name, well-formed or not? What a paper in `profiles_dir` is
 * called is none, and neither is PAPER/PROFILE.
 */
bool vmfleet_is_meant(const char *profiles_dir, const char *arg);

/*
 * A paper without figures whose profiles are the `n` names, in their order, each once.
 * Returns NULL with `f` filled when one is no name: a sentence that says what the letters
 * mean and which is wrong. Free with paper_free.
 */
struct paper *vmfleet_paper(char *const *names, size_t n, struct fault *f);

#endif
