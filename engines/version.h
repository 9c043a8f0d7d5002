/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one place that holds the release number. The engines, the fiopack command
 * and the normalizer all name themselves by it.
 */
#ifndef FIOPACK_VERSION_H
#define FIOPACK_VERSION_H

#define FIOPACK_VERSION "0.1.0"

#endif
