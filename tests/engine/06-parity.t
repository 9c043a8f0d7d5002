#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A drop-in for fio's own io_uring or libaio: the same job does the same I/O on both, keeps
# the same depth, and never makes more system calls for it.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
need_theirs

file=$TMP/data
random_file "$file" 8M

# what a run did, without its times
did()
{
    json jobs.0.{read,write,trim}.{total_ios,io_bytes,short_ios,drop_ios} jobs.0.error | xargs
}

# same NAME ARG...
same()
{
    local name=$1 want
    shift
    theirs --filename="$file" "$@"
    want="$rc $(did)"
    ours --filename="$file" "$@"
    is "same I/O: $name" "$rc $(did)" "$want"
}

same "read" --rw=read --bs=4k --size=1m
same "randread, depth 32, direct" --rw=randread --bs=4k --size=4m --iodepth=32 --direct=1
same "write, bssplit, depth 8" --rw=write --bssplit=4k/50:16k/30:64k/20 --size=4m --iodepth=8
same "randrw, rwmixread=70, depth 16" --rw=randrw --rwmixread=70 --bs=4k --size=4m --iodepth=16 --direct=1
same "verify" --rw=randwrite --bs=8k --size=2m --iodepth=16 --verify=crc32c
same "number_ios" --rw=randread --bs=4k --size=8m --number_ios=300 --iodepth=8
same "io_size, zipf" --rw=randread --bs=4k --size=8m --io_size=2m --random_distribution=zipf:1.1 --iodepth=8
same "batches" --rw=randread --bs=4k --size=4m --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_max=16
on uring same "fixedbufs, registerfiles, force_async" --rw=randread --bs=4k --size=2m --iodepth=16 --fixedbufs --registerfiles --force_async=4
same "fsync at depth 1" --rw=write --bs=4k --size=1m --fsync=8
# at greater depth io_uring (and libaio since fio 3.41) queues them, and fio's core repeats them: chance
same_fsyncs()
{
    theirs --filename="$file" --rw=write --bs=4k --size=1m --iodepth=8 "$@"
    local want
    want="$rc $(total jobs.0.sync.total_ios)"
    ours --filename="$file" --rw=write --bs=4k --size=1m --iodepth=8 "$@"
    is "same number of syncs at depth 8: $*" "$rc $(total jobs.0.sync.total_ios)" "$want"
}
if [ "$ENGINE" = laio ] && grep -Eq 'define FIO_IOOPS_VERSION[[:space:]]+(2.|3[0-8])$' "$FIO_SRC/ioengines.h"; then
    same_fsyncs --fsync=8
    same_fsyncs --fdatasync=4
fi

# the end of a file that is no multiple of the block size
random_file "$TMP/odd" 10000
file=$TMP/odd
same "10000 bytes by 4 KiB" --rw=read --bs=4k
same "10000 bytes by 4 KiB, depth 4" --rw=read --bs=4k --iodepth=4
same "10000 bytes, bsrange" --rw=read --bsrange=512-4k --bs_unaligned=1
fine "all of 10000 bytes" --filename="$TMP/odd" --rw=read --bs=4k --bs_unaligned=1 --bsrange=1-4k
is "all of 10000 bytes: bytes read" "$(total jobs.0.read.io_bytes)" 10000
: > "$TMP/empty"
file=$TMP/empty
same "an empty file" --rw=read --bs=4k
file=$TMP/data

# --- system calls ---
if ! can_strace; then
    skip "system calls" "strace cannot trace here"
    done_testing
fi
ios=512
# cost ENGINE ARG...: system calls for $ios direct reads
cost()
{
    enters "$FIO" --name=t --ioengine="$1" --filename="$file" --rw=randread --bs=4k --size=8m --number_ios=$ios \
        --direct=1 "${@:2}"
}
# no_more NAME ARG...: when completions arrive is chance, so the smallest of up to five counts; 3 % are allowed
no_more()
{
    local name=$1 theirs ours best=0
    shift
    theirs=$(cost "$INTREE" "$@")
    for _ in 1 2 3 4 5; do
        ours=$(cost "$OURS" "$@")
        ((best > 0 && best <= ours)) || best=$ours
        ((best > theirs + theirs * 3 / 100 + 4)) || break
    done
    within "system calls: $name (fio's engine: $theirs for $ios I/Os)" "$best" 1 $((theirs + theirs * 3 / 100 + 4))
}
no_more "depth 1" --iodepth=1
on uring no_more "depth 1, registered" --iodepth=1 --fixedbufs --registerfiles
no_more "depth 4" --iodepth=4
no_more "depth 32" --iodepth=32
no_more "depth 32, batches of 16" --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_max=16
no_more "depth 32, complete as many as there are" --iodepth=32 --iodepth_batch_complete_max=32
# and in absolute terms: a batch is one call
within "system calls: depth 32, exact batches of 16" \
    "$(cost "$OURS" --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16)" 1 $((ios * 2 / 16 + 8))
within "system calls: depth 1 is at most two" "$(cost "$OURS" --iodepth=1)" $ios $((ios * 2 + 4))

# --- no more in flight than asked for, a power of two or not ---
for depth in 1 12 33; do
    fine "iodepth=$depth" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=$depth --direct=1 --iodepth_batch_complete_max=1
    # fio's buckets: 1 2 4 8 16 32 >=64, by largest power of two not above the depth
    above=0
    for bucket in 1 2 4 8 16 32 64; do
        value=$(sed -n "s/^jobs\.0\.iodepth_level\.>\{0,1\}=\{0,1\}$bucket	//p" "$TMP/flat")
        ((bucket <= depth)) || [ "$value" = 0.000000 ] || [ "$value" = 0.0 ] || [ "$value" = 0 ] || above=$((above + 1))
    done
    is "iodepth=$depth: no bucket of the depth histogram above it is used" "$above" 0
done
# ... as the kernel sees it: submitted and not yet completed never exceeds the depth
fine "iodepth=12, all at once" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=12 --iodepth_batch=12 \
    --iodepth_batch_complete_min=12 --iodepth_batch_complete_max=12 --direct=1
is "iodepth=12, all at once: bytes" "$(total jobs.0.read.io_bytes)" 4194304
enters "$FIO" --name=t --ioengine="$OURS" --filename="$file" \
    --rw=randread --bs=4k --size=4m --iodepth=12 --iodepth_batch=12 --direct=1 > "$TMP/calls"
ok "iodepth=12: there were calls" test "$(cat "$TMP/calls")" -gt 80
is "iodepth=12: no call submits more than 12" \
    "$(awk -F', ' '/io_uring_enter\(|io_submit\(/ && $2 > 12 { n++ } END { print n + 0 }' "$TMP/strace")" 0
done_testing
