#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A kernel short of resources answers io_uring_enter with EAGAIN or EBUSY, takes fewer
# entries than it is given, is interrupted, or completes an I/O with EAGAIN. No I/O and
# no completion may be lost or counted twice, and the job must not hang. A library
# loaded before liburing plays such a kernel.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
engine_test uring
# shellcheck source-path=SCRIPTDIR source=shim.sh
. "$SRC/tests/engine/shim.sh"

cat > "$TMP/shim.c" <<'END'
#define _GNU_SOURCE
#include <liburing.h>
#include <unistd.h>
#include "shim.h"

/* Words: eagain ebusy eintr part cqe; the last at every Nth completion. */
static _Thread_local struct io_uring *ring;
static _Thread_local unsigned calls, cqes, seen;

int io_uring_queue_mmap(int fd, struct io_uring_params *p, struct io_uring *r)
{
	static int (*real)(int, struct io_uring_params *, struct io_uring *);

	if (!real)
		real = (int (*)(int, struct io_uring_params *, struct io_uring *))dlsym(RTLD_NEXT, "io_uring_queue_mmap");
	ring = r;
	seen = 0;
	return real(fd, p, r);
}

int io_uring_enter(unsigned fd, unsigned submit, unsigned wait, unsigned flags, sigset_t *s)
{
	static int (*real)(unsigned, unsigned, unsigned, unsigned, sigset_t *);
	unsigned tail;
	int ret;

	if (!real)
		real = (int (*)(unsigned, unsigned, unsigned, unsigned, sigset_t *))dlsym(RTLD_NEXT, "io_uring_enter");
	if (submit && ++calls % every() == 0) {
		play();
		switch (calls / every() % 4) {
		case 0:
			if (asked("eagain"))
				return -EAGAIN;
			break;
		case 1:
			if (asked("ebusy"))
				return -EBUSY;
			break;
		case 2:
			if (asked("eintr"))
				return -EINTR;
			break;
		default:
			break;
		}
		if (asked("part") && submit > 1) {
			submit /= 2;
			wait = 0;
		}
	} else if (!submit && asked("eintr") && ++calls % every() == 0) {
		play();
		return -EINTR;
	}
	ret = real(fd, submit, wait, flags, s);
	if (asked("cqe") && ring) {
		tail = __atomic_load_n(ring->cq.ktail, __ATOMIC_ACQUIRE);
		if (!seen)
			seen = *ring->cq.khead;
		for (; seen != tail; seen++) {
			if (++cqes % every())
				continue;
			play();
			ring->cq.cqes[seen & *ring->cq.kring_mask].res = asked("always") || cqes % 2 ? -EAGAIN : -EINTR;
		}
	}
	return ret;
}
END
# shellcheck disable=SC2046 # flags are words
play_kernel $(from_config CFLAGS_uring) -Wl,--no-as-needed $(from_config LIBS_uring)
LIMIT=30

rm -f "$SHIM_LOG"
fine "contrast: without any of it" --filename="$TMP/data" --rw=randwrite --bs=4k --size=4m --iodepth=32 --verify=crc32c
while read -r depth every words; do
    SHIM=$words SHIM_EVERY=$every
    survives "$words at every $every, depth $depth" 1024 --rw=randwrite --iodepth="$depth" --direct=1
done <<'END'
1 2 eagain ebusy eintr
32 3 eagain ebusy eintr part
32 2 eagain
32 2 ebusy
32 2 eintr
32 7 cqe
1 5 cqe
32 3 eagain ebusy eintr part cqe
END
SHIM="eagain ebusy eintr part" SHIM_EVERY=2
survives "batches of 16" 1024 --rw=randwrite --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=8 \
    --iodepth_batch_complete_max=16
survives "batches, completions polled for" 1024 --rw=randwrite --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=0 \
    --iodepth_batch_complete_max=16
survives "a thread, registered" 1024 --rw=randwrite --iodepth=32 --thread --fixedbufs --registerfiles --direct=1
SHIM="cqe part" SHIM_EVERY=3
survives "a thread, registered, completions" 1024 --rw=randwrite --iodepth=32 --iodepth_batch=8 --thread --fixedbufs \
    --registerfiles --direct=1
SHIM="eagain ebusy eintr part cqe" SHIM_EVERY=4
survives "with fsyncs" 1024 --rw=randwrite --iodepth=16 --fsync=32

# what was asked not to wait is told so, and not tried again
SHIM="cqe always" SHIM_EVERY=5
random_file "$TMP/data" 1M
ours --filename="$TMP/data" --rw=read --bs=4k --size=1m --nowait=1 --pre_read=1 --invalidate=0
ok "nowait: EAGAIN ends the job" test "$rc" -eq 1
is "nowait: one sentence" "$(sentences | grep -c 'nowait')" 1

# a kernel that never takes it: an error at last, no hang
SHIM="cqe always" SHIM_EVERY=1 LIMIT=60
refused "EAGAIN for ever is an error in the end" 'read of 4096 bytes at offset 0 .*Resource temporarily unavailable' \
    --filename="$TMP/data" --rw=read --bs=4k --size=64k
done_testing
