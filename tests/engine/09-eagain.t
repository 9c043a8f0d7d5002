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

cat > "$TMP/shim.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SHIM: words of "eagain ebusy eintr part cqe", and SHIM_EVERY: at every Nth call (completion). */
static _Thread_local struct io_uring *ring;
static _Thread_local unsigned calls, cqes, seen;
static unsigned long played;

static int asked(const char *what)
{
	const char *s = getenv("SHIM");
	return s && strstr(s, what);
}

static unsigned every(void)
{
	const char *s = getenv("SHIM_EVERY");
	return s ? (unsigned)atoi(s) : 3;
}

static void play(void)
{
	const char *to = getenv("SHIM_LOG");
	FILE *f;

	/* jobs leave with _exit(): tell at once, but only once */
	if (__atomic_fetch_add(&played, 1, __ATOMIC_RELAXED) || !to)
		return;
	f = fopen(to, "a");
	if (f) {
		fputs("played\n", f);
		fclose(f);
	}
}

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
"$CC" -O1 -shared -fPIC -o "$TMP/shim.so" "$TMP/shim.c" $(from_config CFLAGS_uring) \
    -Wl,--no-as-needed $(from_config LIBS_uring) -ldl 2> "$TMP/cc.err"
result $? "the library compiles" || { diag "$(cat "$TMP/cc.err")"; done_testing; }
real=$FIO
cat > "$TMP/fio" <<END
#!/bin/sh
LD_PRELOAD="$TMP/shim.so" exec "$real" "\$@"
END
chmod +x "$TMP/fio"
FIO=$TMP/fio
export SHIM SHIM_EVERY SHIM_LOG=$TMP/played
LIMIT=30

# survives NAME IOS ARG...: all I/Os, verified, and the library really did something
survives()
{
    local name=$1 want=$2
    shift 2
    rm -f "$SHIM_LOG" "$TMP"/data*
    fine "$name" --filename="$TMP/data" --bs=4k --size=4m --verify=crc32c --verify_fatal=1 "$@"
    is "$name: counts" "$(json jobs.0.{read,write}.{total_ios,short_ios,drop_ios} | xargs)" "$want 0 0 $want 0 0"
    ok "$name: the kernel was played" test -s "$SHIM_LOG"
}

SHIM="" SHIM_EVERY=3
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
