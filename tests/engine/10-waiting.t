#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Jobs that do not simply wait for the next completion: no wait at all
# (iodepth_batch_complete_min=0), rates, pauses, time limits and several files. Each
# has to end by itself. And a job that is interrupted or killed leaves a whole JSON,
# or at least nothing that keeps running.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
file=$TMP/data
random_file "$file" 4M
LIMIT=20

while read -r bytes what; do
    for thread in "" --thread; do
        # shellcheck disable=SC2086 # options are words
        fine "ends: $what $thread" --filename="$file" --rw=randread --bs=4k --size=4m $what $thread
        is "ends: $what $thread: bytes" "$(total jobs.0.read.io_bytes)" "$bytes"
    done
done <<'END'
4194304 --iodepth=16 --iodepth_batch_complete_min=0
4194304 --iodepth=1 --iodepth_batch_complete_min=0 --direct=1
4194304 --iodepth=16 --iodepth_batch=4 --iodepth_batch_complete_min=0 --iodepth_batch_complete_max=16 --direct=1
819200 --iodepth=16 --iodepth_batch_complete_min=0 --rate_iops=400 --io_size=800k
819200 --iodepth=16 --rate_iops=400 --io_size=800k --rate_process=poisson
409600 --iodepth=4 --iodepth_batch_complete_min=0 --thinktime=2000 --thinktime_blocks=4 --io_size=400k
4194304 --iodepth=32 --iodepth_low=1 --iodepth_batch=32 --direct=1
4194304 --iodepth=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16 --iodepth_batch=16
END
if can_strace; then
    # sleeps MIN: how many calls of a job wait for completions
    sleeps()
    {
        enters "$FIO" --name=t --ioengine="$OURS" --filename="$file" \
            --rw=randread --bs=256k --size=4m --iodepth=8 --direct=1 --iodepth_batch=8 --iodepth_batch_complete_max=8 \
            --iodepth_batch_complete_min="$1" > /dev/null
        awk -F", " "/io_uring_enter\\(/ && \$3 > 0 || /getevents\\(/ && \$2 > 0 { n++ } END { print n + 0 }" "$TMP/strace"
    }
    is "iodepth_batch_complete_min=0 never sleeps in the kernel" "$(sleeps 0)" 0
    # unless all were there already, which is chance
    for _ in 1 2 3 4 5; do
        slept=$(sleeps 8)
        [ "$slept" -eq 0 ] || break
    done
    ok "contrast: iodepth_batch_complete_min=8 does" test "$slept" -gt 0
else
    skip "iodepth_batch_complete_min=0 never sleeps in the kernel" "strace cannot trace here"
fi
fine "ends: by time" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=16 --iodepth_batch_complete_min=0 \
    --time_based --runtime=1
fine "ends: io_limit in the middle of a batch" --filename="$file" --rw=randread --bs=4k --size=4m --io_size=100k --iodepth=16 \
    --iodepth_batch=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16
is "ends: io_limit in the middle of a batch: bytes" "$(total jobs.0.read.io_bytes)" 102400
fine "ends: stonewall and mixed jobs" --filename="$file" --rw=read --bs=4k --size=1m --iodepth=8 \
    --name=second --stonewall --ioengine="$OURS" --filename="$file" --rw=read --bs=4k --size=1m --iodepth=8
is "ends: both jobs read" "$(json 'jobs.*.read.io_bytes' | xargs)" "1048576 1048576"
fine "ends: a latency target" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=16 --latency_target=10ms \
    --latency_window=100ms --latency_percentile=99 --runtime=2 --time_based

# json+ and no latency accounting at all: nothing but JSON on stdout
for how in --output-format=json+ "--gtod_reduce=1" "--disable_slat=1 --disable_clat=1 --disable_lat=1"; do
    # shellcheck disable=SC2086
    fine "JSON alone: $how" --filename="$file" --rw=randrw --bs=4k --size=1m --iodepth=8 $how
done
fine "status in between" --filename="$file" --rw=randread --bs=4k --size=4m --rate_iops=700 --io_size=4m --iodepth=8 --eta=never

# --- interrupted ---
# interrupted SIGNAL ARG...: send it to fio after a while; sets rc
interrupted()
{
    local sig=$1 pid
    shift
    rm -f "$TMP/flat"
    touch "$TMP/before"
    # a background job of a script ignores SIGINT: perl gives it back
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV or die' "$FIO" --output-format=json --name=t --ioengine="$OURS" \
        --filename="$file" --rw=randrw --bs=4k --size=4m --iodepth=16 --time_based --runtime=60 "$@" \
        > "$TMP/out" 2> "$TMP/err" < /dev/null &
    pid=$!
    # it has begun when it has written something
    for _ in $(seq 100); do
        [ ! "$file" -nt "$TMP/before" ] || break
        sleep 0.1
    done
    sleep 0.5
    children=$(cat "/proc/$pid/task/$pid/children")
    kill -s "$sig" "$pid"
    # five seconds at most, or it hangs
    for _ in $(seq 50); do
        kill -0 "$pid" 2> /dev/null || break
        sleep 0.1
    done
    if kill -0 "$pid" 2> /dev/null; then
        rc=hangs
        kill -9 "$pid"
    fi
    wait "$pid" 2> /dev/null
    # fio says on stdout which signal it got, before the JSON
    sed -i "1,/^{/ { /^{/! d }" "$TMP/out"
}
for how in "" "--thread" "--iodepth_batch_complete_min=0" "--direct=1 --numjobs=2"; do
    for sig in INT TERM; do
        rc=0
        # shellcheck disable=SC2086
        interrupted $sig $how
        is "SIG$sig $how: ends" "$rc" 0
        ok "SIG$sig $how: the JSON is whole and has what was done" \
            test "$(total 'jobs.*.read.total_ios' 2> /dev/null)" -gt 0
        is "SIG$sig $how: nothing of ours is said" "$(sentences)" ""
    done
done
rc=0
interrupted KILL --thread
is "SIGKILL in a thread: gone at once" "$rc" 0
# the jobs are processes of their own here, which fio cannot take along: they must be killable
rc=0
interrupted KILL
ok "SIGKILL: there was a job to end" test -n "$children"
# shellcheck disable=SC2086
kill -9 $children 2> /dev/null
sleep 0.3
alive=
for pid in $children; do
    [ ! -d "/proc/$pid" ] || grep -q "^State:.*Z" "/proc/$pid/status" || alive+="$pid "
done
is "SIGKILL: no process is left that cannot be killed" "$alive" ""
fine "and the file can be used again" --filename="$file" --rw=randread --bs=4k --size=4m --iodepth=8
done_testing
