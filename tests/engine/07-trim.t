#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Trims go through the uring engine's ring, many at a time, where the kernel can do that (6.12), and
# in place where it cannot or the ring is a polled one; either way the blocks are gone
# afterwards and the counts are exact.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine

random_file "$TMP/plain" 1M
before=$(state_of "$TMP/plain")
refused "trim of a plain file" 'trim.*(plain.*block device|block device.*plain)' --filename="$TMP/plain" --rw=trim --bs=4k --size=1m
is "and the file is as it was" "$(state_of "$TMP/plain")" "$before"

why=$(no_loop_reason)
if [ -n "$why" ]; then
    skip "trim on a block device" "$why"
    done_testing
fi
dev=
new_loop dev 16M
if [ "$(cat "/sys/block/${dev##*/}/queue/discard_max_bytes")" = 0 ]; then
    skip "trim on a block device" "loop devices on $(stat -f -c %T "$TMP") do not discard here"
    done_testing
fi
fill()
{
    head -c 16M /dev/zero | tr '\0' '\377' | dd of="$dev" bs=1M status=none oflag=direct iflag=fullblock
}
# bytes_left FROM COUNT (in KiB): those that are not zero
bytes_left()
{
    dd if="$dev" bs=1K skip="$1" count="$2" status=none iflag=fullblock | tr -d '\0' | wc -c
}

fill
is "contrast: the device is full of ones" "$(bytes_left 0 16384)" 16777216

# trims NAME IOS ARG...
trims()
{
    local name=$1 want=$2
    shift 2
    fill
    fine "$name" --filename="$dev" "$@"
    is "$name: how many" "$(total jobs.0.trim.total_ios)" "$want"
    blockdev --flushbufs "$dev"
}
trims "trim of one half" 128 --rw=trim --bs=64k --size=8m
is "trim of one half: it is gone" "$(bytes_left 0 8192)" 0
is "trim of one half: the other is as it was" "$(bytes_left 8192 8192)" 8388608
trims "trim with offset, depth 16" 64 --rw=trim --bs=64k --offset=4m --size=4m --iodepth=16
is "trim with offset, depth 16: it is gone" "$(bytes_left 4096 4096)" 0
is "trim with offset, depth 16: the rest is as it was" "$(($(bytes_left 0 4096) + $(bytes_left 8192 8192)))" 12582912
trims "randtrim, depth 32, thread" 256 --rw=randtrim --bs=64k --size=16m --iodepth=32 --thread
is "randtrim, depth 32, thread: all is gone" "$(bytes_left 0 16384)" 0
on uring trims "randtrim, registered files" 256 --rw=randtrim --bs=64k --size=16m --iodepth=8 --registerfiles
on uring is "randtrim, registered files: all is gone" "$(bytes_left 0 16384)" 0
on uring trims "registered buffers, which a trim does not have" 256 --rw=trim --bs=64k --size=16m --iodepth=8 --fixedbufs
trims "trim in batches" 256 --rw=trim --bs=64k --size=16m --iodepth=32 --iodepth_batch=8 --iodepth_batch_complete_max=8
is "trim in batches: all is gone" "$(bytes_left 0 16384)" 0
on uring trims "force_async" 256 --rw=trim --bs=64k --size=16m --iodepth=8 --force_async=1
on uring is "force_async: all is gone" "$(bytes_left 0 16384)" 0

# a slot is used for reads, writes and trims in turn: nothing of one may be left for the next
fill
fine "trimwrite" --filename="$dev" --rw=trimwrite --bs=64k --size=16m --iodepth=8 --direct=1 --buffer_pattern=0x11
is "trimwrite: as many trims as writes" "$(total jobs.0.trim.total_ios)" "$(total jobs.0.write.total_ios)"
on uring fine "randtrimwrite, registered" --filename="$dev" --rw=randtrimwrite --bs=64k --size=16m --iodepth=8 --direct=1 \
    --registerfiles --fixedbufs

# polled rings take reads and writes alone: a trim is done in place
on uring trims "hipri: in place" 256 --rw=trim --bs=64k --size=16m --iodepth=8 --direct=1 --hipri
on uring is "hipri: all is gone" "$(bytes_left 0 16384)" 0

# beyond the limits of the device
fill
fine "trim larger than one discard of the device" --filename="$dev" --rw=trim --bs=16m --size=16m
is "trim larger than one discard: all is gone" "$(blockdev --flushbufs "$dev"; bytes_left 0 16384)" 0

# native AIO has no trims: those are system calls of their own, as in fio's libaio
[ "$ENGINE" = uring ] || done_testing
if ! can_strace; then
    skip "trims go through the ring" "strace cannot trace here"
    done_testing
fi
# ioctls ARG...: how many of the discard's own system calls a job makes
ioctls()
{
    strace -f -qq -o "$TMP/strace" -e trace=ioctl,fallocate,io_uring_enter "$FIO" --name=t --ioengine="$OURS" \
        --filename="$dev" --rw=trim --bs=64k --size=16m "$@" > /dev/null 2>&1
    grep -Ec 'BLKDISCARD|PUNCH_HOLE' "$TMP/strace"
}
read -r major minor _ <<< "$(uname -r | tr '.-' '  ')"
if ((major * 100 + minor >= 612)); then
    is "trims go through the ring: no system call of their own" "$(ioctls --iodepth=8)" 0
    within "trims go through the ring: it is entered" "$(grep -c 'io_uring_enter(' "$TMP/strace")" 32 560
    ioctls --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16 > /dev/null
    within "sixteen of them with one system call" \
        "$(awk -F', ' '/io_uring_enter\(/ && $2 == 16 { n++ } END { print n + 0 }' "$TMP/strace")" 8 16
else
    skip "trims go through the ring" "Linux $major.$minor has no discard command (6.12)"
fi
is "hipri: each is a system call of its own" "$(ioctls --iodepth=8 --direct=1 --hipri)" 256

# a kernel or driver that does not know the command: found out once, then done in place
# shellcheck source-path=SCRIPTDIR source=shim.sh
. "$SRC/tests/engine/shim.sh"
cat > "$TMP/shim.c" <<'END'
#define _GNU_SOURCE
#include <liburing.h>
#include "shim.h"
static struct io_uring *ring;
int io_uring_queue_mmap(int fd, struct io_uring_params *p, struct io_uring *r)
{
	int (*real)(int, struct io_uring_params *, struct io_uring *) =
		(int (*)(int, struct io_uring_params *, struct io_uring *))dlsym(RTLD_NEXT, "io_uring_queue_mmap");
	ring = r;
	return real(fd, p, r);
}
int io_uring_enter(unsigned fd, unsigned submit, unsigned wait, unsigned flags, sigset_t *s)
{
	int (*real)(unsigned, unsigned, unsigned, unsigned, sigset_t *) =
		(int (*)(unsigned, unsigned, unsigned, unsigned, sigset_t *))dlsym(RTLD_NEXT, "io_uring_enter");
	unsigned head = *ring->sq.khead, tail = *ring->sq.ktail;
	for (; head != tail; head++) {
		struct io_uring_sqe *e = &ring->sq.sqes[ring->sq.array[head & *ring->sq.kring_mask]];
		if (e->opcode == IORING_OP_URING_CMD)
			e->cmd_op = 0x7777; /* no driver knows this one */
	}
	return real(fd, submit, wait, flags, s);
}
END
# shellcheck disable=SC2046 # flags are words
play_kernel $(from_config CFLAGS_uring) -Wl,--no-as-needed $(from_config LIBS_uring)
fill
fine "a kernel without the command" --filename="$dev" --rw=randtrim --bs=64k --size=16m --iodepth=16
is "a kernel without the command: how many" "$(total jobs.0.trim.total_ios)" 256
blockdev --flushbufs "$dev"
is "a kernel without the command: all is gone" "$(bytes_left 0 16384)" 0
done_testing
