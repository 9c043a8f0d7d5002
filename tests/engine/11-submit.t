#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How I/O is handed over: submit=fused (one system call at depth 1), sqthread_poll (none),
# priorities per I/O, and engine_log, which tells what fio cannot know.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
engine_test uring

fine "make a file" --filename="$TMP/data" --rw=write --bs=1m --size=8m --end_fsync=1

# --- fused ---
for way in "--iodepth=1" "--iodepth=1 --thread" "--iodepth=4" "--iodepth=33 --iodepth_batch=8" \
    "--iodepth=8 --iodepth_batch_complete_min=0" "--iodepth=1 --iodepth_batch_complete_min=0" "--iodepth=16 --fixedbufs --registerfiles" \
    "--iodepth=1 --fsync=4" "--iodepth=4 --fdatasync=3" "--iodepth=1 --rate_iops=2000 --number_ios=500" \
    "--iodepth=4 --thinktime=100 --thinktime_blocks=7 --number_ios=300" "--iodepth=1 --bsrange=512-16k --bs_unaligned=0"; do
    # shellcheck disable=SC2086 # options are words
    fine "fused, verified: $way" --filename="$TMP/fused" --submit=fused --rw=randwrite --bs=4k --size=4m \
        --verify=crc32c --verify_fatal=1 $way
done
ours --filename="$TMP/data" --submit=fused --rw=randread --bs=4k --size=8m --iodepth=1
is "fused: all I/O is done" "$rc $(total 'jobs.*.read.total_ios')" "0 2048"
# the time between start and submit is short; the rest is completion
ours --filename="$TMP/data" --submit=fused --rw=randread --bs=4k --size=8m --iodepth=1 --direct=1
ok "fused: slat, clat and lat are there, and add up" perl -e '
    my ($s, $c, $l) = @ARGV; exit !($s > 0 && $c > $s && abs($s + $c - $l) / $l < 0.05)' \
    "$(json jobs.0.read.slat_ns.mean)" "$(json jobs.0.read.clat_ns.mean)" "$(json jobs.0.read.lat_ns.mean)"

if can_strace; then
    per_io()
    {
        local n
        n=$(enters "$FIO" --name=t --ioengine="$OURS" --filename="$TMP/data" --rw=randread --bs=4k --size=4m --direct=1 "$@")
        echo $((n * 100 / 1024))
    }
    within "fused at depth 1: one system call per I/O" "$(per_io --submit=fused --iodepth=1)" 100 102
    within "contrast: split at depth 1: two" "$(per_io --submit=split --iodepth=1)" 150 202
    within "split is the default" "$(per_io --iodepth=1)" 150 202
    within "fused at depth 32 is no more than one" "$(per_io --submit=fused --iodepth=32)" 1 102
    within "a batch that was asked for is still a batch" \
        "$(per_io --submit=fused --iodepth=32 --iodepth_batch=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16)" 1 20
    within "sqthread_poll: next to none" "$(per_io --sqthread_poll --iodepth=16)" 0 30
else
    skip "system calls per I/O" "strace does not work here"
fi

# --- a kernel thread that submits ---
for way in "--iodepth=1" "--iodepth=32" "--iodepth=8 --thread --fixedbufs" "--iodepth=16 --iodepth_batch=4" "--iodepth=4 --fsync=8" \
    "--sqthread_poll_cpu=0 --iodepth=8" "--iodepth=2 --rate_iops=200 --number_ios=100"; do
    # shellcheck disable=SC2086
    fine "sqthread_poll, verified: $way" --filename="$TMP/sq" --sqthread_poll --rw=randwrite --bs=4k --size=2m \
        --verify=crc32c --verify_fatal=1 $way
done
fine "sqthread_poll with openfiles below nrfiles" --directory="$TMP" --nrfiles=8 --openfiles=2 --sqthread_poll --rw=randwrite --bs=4k \
    --filesize=64k --size=512k --iodepth=4 --verify=crc32c --verify_fatal=1
ours --filename="$TMP/data" --sqthread_poll --rw=randread --bs=4k --size=4m --iodepth=4 --direct=1
ok "sqthread_poll: no latency is out of this world" test "$(json jobs.0.read.lat_ns.max | cut -d. -f1)" -lt 30000000000
refused "sqthread_poll_cpu alone" 'needs sqthread_poll' --filename="$TMP/data" --rw=read --bs=4k --size=64k --sqthread_poll_cpu=0
refused "a CPU that is not there" 'sqthread_poll_cpu' --filename="$TMP/data" --rw=read --bs=4k --size=64k --sqthread_poll --sqthread_poll_cpu=4000

# --- priorities ---
if is_root; then
    ours --filename="$TMP/data" --rw=randread --bs=4k --size=8m --iodepth=8 --cmdprio_percentage=30 --cmdprio_class=1
    is "cmdprio: two kinds of I/O are accounted" "$rc $(json 'jobs.0.read.prios.*.prioclass' | sort -u | wc -l)" "0 2"
    within "cmdprio: as many as asked for" \
        "$(paste <(json 'jobs.0.read.prios.*.prioclass') <(json 'jobs.0.read.prios.*.clat_ns.N') | awk '$1 == 1 { print $2 }')" 480 750
    theirs --filename="$TMP/data" --rw=randread --bs=4k --size=8m --iodepth=8 --cmdprio_percentage=30 --cmdprio_class=1
    is "contrast: as fio's own engine does" "$rc $(json 'jobs.0.read.prios.*.prioclass' | sort -u | wc -l)" "0 2"
    fine "cmdprio_bssplit" --filename="$TMP/data" --rw=randread --bssplit=4k/50:8k/50 --size=4m --iodepth=8 --cmdprio_bssplit=4k/100
else
    skip "priorities" "the real-time class needs root"
fi
refused "cmdprio options that do not fit" 'cmdprio' --filename="$TMP/data" --rw=randread --bs=4k --size=64k \
    --cmdprio_percentage=30 --cmdprio_bssplit=4k/100

# --- engine_log ---
log=$TMP/engine.log
fine "engine_log of four jobs" --filename="$TMP/data" --rw=randread --bs=4k --size=1m --numjobs=4 --iodepth=4 --engine_log="$log"
is "is one JSON object per job, each whole" \
    "$(perl -MJSON::PP -ne '$n += decode_json($_)->{submitted} == 256; END { print $n }' "$log")" 4
fio_run --name='a "b" \ c' --ioengine="$OURS" --filename="$TMP/data" --rw=randread --bs=4k --size=1m --submit=fused --engine_log="$log"
is "with names escaped" "$(tail -n 1 "$log" | perl -MJSON::PP -e 'local $/; print decode_json(<STDIN>)->{job}')" 'a "b" \ c'
like "and how I/O was submitted" "$(tail -n 1 "$log")" '"submit":"fused","ring_flags":\["CQSIZE'
ours --filename="$TMP/data" --rw=randread --bs=4k --size=64k --engine_log=/nosuch/folder/log
is "a log that cannot be written harms no result" "$rc $(sentences | grep -c 'cannot write engine_log=/nosuch/folder/log')" "0 1"
is "and stdout is still JSON" "$(json jobs.0.error)" 0
done_testing
