/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the measuring machine is, as JSON. Every value that cannot be read is
 * null, never a guess.
 */
#ifndef FIOPACK_ENVIRONMENT_H
#define FIOPACK_ENVIRONMENT_H

#include <jansson.h>

#include "target.h"

/*
 * The machine: {"fio":{version,path,fingerprint},"fiopack","kernel":{release,version},"cpu":{model,
 * logical,numa_nodes,governor},"memory_bytes","hostname","targets":[{name, device ...}]}.
 * `fio_version` may be NULL. The caller owns the result.
 */
json_t *environment_collect(const char *fio, const char *fio_version, const struct target *targets,
			    size_t n);

/*
 * Where a target's data lives, and what gets it there: {device, device_model, device_firmware,
 * device_id, device_bytes, plugin (fingerprint of our engine), filesystem, queue:{scheduler,
 * nr_requests, logical_block_size, physical_block_size, rotational, io_poll, write_cache}}.
 * `device` is the whole disk behind a partition or file system, or null (tmpfs, overlay, network
 * file systems).
 */
json_t *environment_target(const struct target *t);

#endif
