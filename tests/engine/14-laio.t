#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What the laio engine alone does: completions taken without a system call, fsync queued where
# the kernel can, and a kernel or sandbox that refuses a part of native AIO. A library loaded
# before libaio plays such a kernel. What all engines do is in the other files.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
engine_test laio
# shellcheck source-path=SCRIPTDIR source=shim.sh
. "$SRC/tests/engine/shim.sh"

file=$TMP/data
random_file "$file" 8M

# --- fewer system calls than libaio ---
if can_strace; then
    # calls ENGINE NAME ARG...: how many of one call a job of 1024 reads makes
    calls()
    {
        enters "$FIO" --name=t --ioengine="$1" --filename="$file" --rw=randread --bs=4k --size=4m "${@:3}" > /dev/null
        grep -c "$2(" "$TMP/strace"
    }
    cached="--invalidate=0 --pre_read=1"
    # shellcheck disable=SC2086 # options are words
    {
        is "cached, depth 1: one call submits, none waits" \
            "$(calls "$OURS" io_submit --iodepth=1 $cached) $(calls "$OURS" io_getevents --iodepth=1 $cached)" "1024 0"
        is "contrast: libaio waits for each" "$(calls libaio io_getevents --iodepth=1 $cached)" 1024
        is "cached, batches of 16: one call each" "$(calls "$OURS" io_submit --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=16 \
                --iodepth_batch_complete_max=16 $cached)" 64
        is "cached, completions polled for: none waits" \
            "$(calls "$OURS" io_getevents --iodepth=16 --iodepth_batch_complete_min=0 $cached)" 0
    }
    within "direct, depth 32: less than one wait for two I/Os" "$(calls "$OURS" io_getevents --iodepth=32 --direct=1)" 0 512
    ok "contrast: libaio waits for each" test "$(calls libaio io_getevents --iodepth=32 --direct=1)" -ge 990
else
    skip "system calls" "strace cannot trace here"
fi

# --- options of libaio ---
for what in "" --userspace_reap --libaio_vectored=1 "--userspace_reap --iodepth_batch_complete_min=0" "--nowait=1 --pre_read=1 --invalidate=0"; do
    # shellcheck disable=SC2086
    fine "randread $what" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=16 $what
    is "randread $what: all" "$(total jobs.0.read.total_ios)" 1024
done
if is_root; then
    ours --filename="$file" --rw=randread --bs=4k --size=8m --iodepth=8 --cmdprio_percentage=30 --cmdprio_class=1
    is "cmdprio: two kinds of I/O are accounted" "$rc $(json 'jobs.0.read.prios.*.prioclass' | sort -u | wc -l)" "0 2"
    within "cmdprio: as many as asked for" \
        "$(paste <(json 'jobs.0.read.prios.*.prioclass') <(json 'jobs.0.read.prios.*.clat_ns.N') | awk '$1 == 1 { print $2 }')" 480 750
    fine "cmdprio_bssplit" --filename="$file" --rw=randread --bssplit=4k/50:8k/50 --size=4m --iodepth=8 --cmdprio_bssplit=4k/100
    if can_strace; then
        enters "$FIO" --name=t --ioengine="$OURS" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=8 \
            --cmdprio_percentage=50 --cmdprio_class=2 --cmdprio=3 > /dev/null
        # RESFD is flag 1, IOPRIO is flag 2; strace prints aio_reqprio when it is not 0
        within "the kernel sees the priority of half of them" "$(grep -c 'reqprio' "$TMP/strace")" 400 624
    fi
else
    skip "priorities" "the real-time class needs root"
fi
refused "cmdprio options that do not fit" 'cmdprio' --filename="$file" --rw=randread --bs=4k --size=64k --cmdprio_percentage=30 \
    --cmdprio_bssplit=4k/100
# fio's core may hang at the end of such a job, with any engine: that says nothing
for depth in 1 8; do
    LIMIT=10 ours --filename="$TMP/offload" --rw=randrw --bs=4k --size=1m --iodepth=$depth --io_submit_mode=offload --fsync=16 \
        --engine_log="$TMP/offload.log"
    if [ "$rc" -ge 124 ] && [ "$rc" -ne 139 ]; then
        skip "io_submit_mode=offload, depth $depth" "fio does not end, which happens with libaio too"
    else
        is "io_submit_mode=offload, depth $depth" "$rc $(total jobs.0.read.io_bytes jobs.0.write.io_bytes)" "0 1048576"
    fi
done

# --- engine_log ---
log=$TMP/engine.log
fine "engine_log of four jobs" --filename="$file" --rw=randread --bs=4k --size=1m --numjobs=4 --iodepth=4 --engine_log="$log"
is "one JSON object per job, each whole" \
    "$(perl -MJSON::PP -ne '$d = decode_json($_); $n += $d->{engine} eq "laio" && $d->{submitted} == 256; END { print $n }' "$log")" 4
fine "engine_log in a thread" --filename="$file" --rw=randread --bs=4k --size=1m --thread --engine_log="$log"
is "its line is there too" "$(wc -l < "$log")" 5

# --- limits ---
in_use=$(cat /proc/sys/fs/aio-nr)
most=$(cat /proc/sys/fs/aio-max-nr)
if ((most - in_use < 4000000)); then
    refused "more requests than the system has" "fs.aio-max-nr.*lower iodepth or numjobs" --filename="$file" --rw=read --bs=512 \
        --size=64k --iodepth=$((most - in_use + 1)) --mem=shm
fi

# --- a kernel that refuses ---
cat > "$TMP/shim.c" <<'END'
#define _GNU_SOURCE
#include <libaio.h>
#include "shim.h"

/* Words: eagain enomem eintr part nofsync badread noget nopget nosetup nosetup-kernel. */
static _Thread_local unsigned calls;

int io_setup(int n, io_context_t *c)
{
	static int (*real)(int, io_context_t *);

	if (asked("nosetup"))
		return asked("nosetup-kernel") ? -ENOSYS : -EPERM;
	if (!real)
		real = (int (*)(int, io_context_t *))dlsym(RTLD_NEXT, "io_setup");
	return real(n, c);
}

int io_submit(io_context_t c, long n, struct iocb **v)
{
	static int (*real)(io_context_t, long, struct iocb **);
	long good = 0;

	if (!real)
		real = (int (*)(io_context_t, long, struct iocb **))dlsym(RTLD_NEXT, "io_submit");
	if (++calls % every() == 0) {
		play();
		switch (calls / every() % 3) {
		case 0:
			if (asked("eagain"))
				return -EAGAIN;
			break;
		case 1:
			if (asked("enomem"))
				return -ENOMEM;
			break;
		default:
			if (asked("eintr"))
				return -EINTR;
		}
		if (asked("part") && n > 1)
			n /= 2;
	}
	for (; good < n; good++) {
		int op = v[good]->aio_lio_opcode;

		if (asked("nofsync") && (op == IO_CMD_FSYNC || op == IO_CMD_FDSYNC))
			break;
		if (asked("badread") && op == IO_CMD_PREAD && v[good]->u.c.offset == 65536)
			break;
	}
	if (!good) {
		play();
		return asked("badread") ? -EBADF : -EINVAL;
	}
	return real(c, good, v);
}

int io_getevents(io_context_t c, long min, long max, struct io_event *e, struct timespec *t)
{
	static int (*real)(io_context_t, long, long, struct io_event *, struct timespec *);

	if (!real)
		real = (int (*)(io_context_t, long, long, struct io_event *, struct timespec *))dlsym(RTLD_NEXT, "io_getevents");
	if (asked("noget")) {
		play();
		return -EPERM;
	}
	return asked("eintr") && ++calls % every() == 0 ? -EINTR : real(c, min, max, e, t);
}

int io_pgetevents(io_context_t c, long min, long max, struct io_event *e, struct timespec *t, sigset_t *s)
{
	static int (*real)(io_context_t, long, long, struct io_event *, struct timespec *, sigset_t *);

	if (!real)
		real = (int (*)(io_context_t, long, long, struct io_event *, struct timespec *, sigset_t *))dlsym(RTLD_NEXT, "io_pgetevents");
	return asked("nopget") ? -ENOSYS : real(c, min, max, e, t, s);
}
END
# shellcheck disable=SC2046 # flags are words
play_kernel $(from_config CFLAGS_laio)
while read -r depth every words; do
    SHIM=$words SHIM_EVERY=$every
    survives "$words at every $every, depth $depth" 1024 --rw=randwrite --iodepth="$depth" --direct=1
    survives "$words at every $every, depth $depth, batches" 1024 --rw=randwrite --iodepth="$depth" --thread \
        --iodepth_batch=$(((depth + 1) / 2)) --iodepth_batch_complete_max="$depth"
done <<'END'
1 2 eagain enomem eintr
32 3 eagain enomem eintr part
33 2 part
END
SHIM="eagain part" SHIM_EVERY=2
survives "with fsyncs" 1024 --async_fsync=1 --rw=randwrite --iodepth=16 --fsync=32
SHIM=nofsync SHIM_EVERY=100000
survives "a kernel that cannot queue an fsync" 1024 --async_fsync=1 --rw=randwrite --iodepth=16 --fsync=32
ok "a kernel that cannot queue an fsync: they were made all the same" test "$(total jobs.0.sync.total_ios)" -ge 31
is "it was asked once" "$(wc -l < "$SHIM_LOG")" 1
SHIM=noget
survives "io_getevents is refused" 1024 --rw=randwrite --iodepth=16 --direct=1
is "it was asked once" "$(wc -l < "$SHIM_LOG")" 1
SHIM="noget nopget"
refused "all ways to wait are refused" 'io_pgetevents.*refused.*(seccomp|psync)' --filename="$file" --rw=read --bs=256k --size=4m --direct=1
SHIM=nosetup
refused "AIO is refused" 'refused to this process.*seccomp.*uring' --filename="$file" --rw=read --bs=4k --size=64k
SHIM=nosetup-kernel
refused "a kernel without AIO" 'no native AIO.*uring' --filename="$file" --rw=read --bs=4k --size=64k

# an I/O that the kernel will not take is an error of that I/O, and the others go on
SHIM=badread
random_file "$file" 4M
ours --filename="$file" --rw=read --bs=4k --size=4m --iodepth=8 --continue_on_error=io --ignore_error=EBADF
is "one that is not taken: counted, and the others are done" "$(total jobs.0.total_err) $(total jobs.0.read.total_ios)" "1 1024"
is "one sentence" "$(sentences | grep -c 'read of 4096 bytes at offset 65536 .*Bad file descriptor')" 1
refused "and without continue_on_error the job ends" 'offset 65536' --filename="$file" --rw=read --bs=4k --size=4m --iodepth=8
done_testing
