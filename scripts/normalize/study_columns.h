/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which targets of several results folders stand in one column:
 *
 *   - the same target, by name, engine, place, device and machine: its folders fill different
 *     cells, such as a scenario each, and each cell says what it was measured with;
 *   - and where two folders fill the same cell, only if these are repeats: nothing differs that
 *     may change a figure, neither kernel, fio, engine and job nor VMs, sizes and times.
 *
 * What does not fit gets a column of its own.
 */
#ifndef NORMALIZE_STUDY_COLUMNS_H
#define NORMALIZE_STUDY_COLUMNS_H

#include "study.h"

/*
 * Make s->targets from s->folders. False with `f` filled when a folder, or a copy of it, is there
 * twice: its runs would count as repeats.
 */
bool study_add_columns(struct study *s, struct fault *f);

#endif
