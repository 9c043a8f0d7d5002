/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is this block device in use by something that a raw write would destroy?
 *
 * Used by the engines before a write or trim job touches a device, and by the
 * fiopack command before it plans one. Reads sysfs and the mount table, and opens
 * the device exclusively for a moment; nothing is read from it.
 */
#ifndef FIOPACK_SAFETY_H
#define FIOPACK_SAFETY_H

#include <sys/types.h>

#include "err.h"

/*
 * Check block device 'dev' (st_rdev of the node; 'path' is for that open and the sentence)
 * and each of its partitions: none may be mounted, be active swap, or be held by
 * another device (device mapper, md, bcache: sysfs "holders"). Then ask the kernel
 * itself, by open(2) with O_EXCL, which also knows of what no table here shows: a mount
 * in another mount namespace, an external journal, the further devices of a btrfs.
 * Returns 0 when nothing uses it, -EBUSY with a sentence that names what does, or
 * another -errno when that cannot be found out: which is a reason not to write.
 */
int safety_check_device(dev_t dev, const char *path, struct err *e);

#endif
