#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Speed of our engines against fio's own, in the same fio, both with the flags that make fio's
# own fastest; by hand, on a quiet machine: make bench.
#
# Times differ from minute to minute, so a cell of the table is a number of rounds of three
# short jobs in random order, one after the other on one CPU: fio's engine, ours, and fio's
# again. Ours / fio's is the result; fio's / fio's, got in the same way, is the noise. Both
# have their interval (see pairs.pl), and a cell is "above" or "below" only when the result's
# interval excludes 1 and does not touch the noise's. System calls per I/O are counted with
# strace, not timed; since what strace slows down completes meanwhile, they are a lower bound.
#
# Targets: "cached", a file all of which is in the page cache (I/Os complete in the
# submission); "disk", a file with direct=1; and a block device with direct=1: null_blk where
# the kernel has it, else a loop device on that file (both need root).
#
# Gates: every cell has a result, none is "below", and none makes more system calls than fio's engine (3 % are
# allowed: when completions arrive is chance). Exit status 1 when one is not met.
#
#   BENCH_PAIRS=N      rounds per cell, 6 or more (12)
#   BENCH_SECONDS=S    of each job (0.2); about 0.3 s go into starting it
#   BENCH_CPU=N        where the jobs run (the last one that we may use)
#   BENCH_QUICK=1      a look in a few minutes: 6 rounds, shorter, 4k on files alone
#   and see lib.sh
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

if [ -n "${BENCH_QUICK:-}" ]; then
    rounds=${BENCH_PAIRS:-6} secs=${BENCH_SECONDS:-0.15} targets="cached disk" sizes=4k
else
    rounds=${BENCH_PAIRS:-12} secs=${BENCH_SECONDS:-0.2} targets="cached disk device" sizes="512 4k"
fi
cpu=${BENCH_CPU:-$(taskset -cp $$ | sed 's/.*[^0-9]//')}
[[ $rounds =~ ^([6-9]|[1-9][0-9]+)$ ]] || die "BENCH_PAIRS=$rounds: an interval of 95 % needs 6 or more"
taskset -c "$cpu" true 2> /dev/null || die "BENCH_CPU=$cpu is no CPU that we may use"
ms=$(awk -v s="$secs" 'BEGIN { if (s * 1000 >= 10) printf "%d", s * 1000 }')
[ -n "$ms" ] || die "BENCH_SECONDS=$secs is not a time of 0.01 s or more"

# --- targets ---------------------------------------------------------------

device=
loop=
null_blk=

clean_up()
{
    [ -z "$loop" ] || losetup -d "$loop"
    [ -z "$null_blk" ] || modprobe -r null_blk
}

# device and device_kind, or why there is none in no_device
make_device()
{
    local dio
    [ "$(id -u)" -eq 0 ] || { no_device="a null_blk or loop device needs root"; return; }
    # one that is loaded already is somebody's
    if [ ! -e /sys/module/null_blk ] &&
        modprobe null_blk nr_devices=1 gb=1 queue_mode=2 irqmode=1 submit_queues=1 2> /dev/null; then
        null_blk=1
        ! command -v udevadm > /dev/null || udevadm settle
        device=/dev/nullb0 device_kind=null_blk
        return
    fi
    loop=$(losetup --show -r -f --direct-io=on "$scratch/data" 2>&1) ||
        { no_device="neither null_blk nor a loop device to be had: $loop"; loop=; return; }
    dio=$(cat "/sys/block/${loop#/dev/}/loop/dio")
    [ "$dio" = 1 ] || { no_device="the loop device does no direct I/O on this file system"; return; }
    device=$loop device_kind=loop
}

# options of a job on target $1 with block size $2
target_options()
{
    case $1 in
    cached) printf '%s\n' "filename=$scratch/cached" invalidate=0 ;;
    disk) printf '%s\n' "filename=$scratch/data" direct=1 ;;
    *) printf '%s\n' "filename=$device" direct=1 ;;
    esac
    printf '%s\n' rw=randread "bs=$2" size=64m norandommap randrepeat=0 cpus_allowed="$cpu"
}

# Can target $1 be read in blocks of $2 at all? If not, say so once.
declare -A asked
usable()
{
    [ -z "${asked[$1 $2]:-}" ] || return "${asked[$1 $2]}"
    {
        echo "[probe]"
        target_options "$1" "$2"
        printf '%s\n' ioengine=psync number_ios=1
    } > "$scratch/probe"
    asked[$1 $2]=0
    "$FIO" --readonly --minimal "$scratch/probe" > /dev/null 2> "$scratch/err" < /dev/null && return
    asked[$1 $2]=1
    echo "$1 $2: left out, it cannot be read like this: $(head -n 1 "$scratch/err")"
    return 1
}

# --- cells -----------------------------------------------------------------

# ways ENGINE: "depth" or "depth word" by line
ways()
{
    echo 1
    [ "$1" != uring ] || echo "1 fused"
    printf '%s\n' 4 32 128 "32 batch"
}

# both_options ENGINE WAY: what both have
both_options()
{
    echo "iodepth=${2%% *}"
    case $1 in
    uring) printf '%s\n' fixedbufs registerfiles ;;
    laio) echo userspace_reap ;;
    esac
    case $2 in
    *batch) printf '%s\n' iodepth_batch=16 iodepth_batch_complete_min=16 iodepth_batch_complete_max=16 ;;
    esac
}

own_options()
{
    case $1 in
    *fused) echo submit=fused ;;
    esac
}

# section NAME fio|again|ours: one job
section()
{
    echo "[$1]"
    if [ "$2" = ours ]; then
        echo "ioengine=external:$BUILD/fio-$ours.so"
    else
        echo "ioengine=$theirs"
    fi
    both_options "$ours" "$way"
    [ "$2" != ours ] || own_options "$way"
}

# the job file of a cell
cell_job()
{
    local i who
    echo "[global]"
    target_options "$target" "$bs"
    printf '%s\n' stonewall time_based "runtime=${ms}ms"
    for ((i = 0; i < rounds; i++)); do
        for who in $(shuf -e fio again ours); do
            section "$i-$who" "$who"
        done
    done
}

# run and judge a cell, to ratio ... fio_iops; fails with the reason in $scratch/err
measure()
{
    local result
    cat "$scratch/cached" > /dev/null
    cell_job > "$scratch/cell.fio"
    "$FIO" --readonly --output-format=json "$scratch/cell.fio" > "$scratch/json" 2> "$scratch/err" < /dev/null || return
    result=$(perl "$SRC/tests/bench/pairs.pl" < "$scratch/json" 2> "$scratch/err") || return
    read -r ratio low high aa aa_low aa_high verdict iops fio_iops <<< "$result"
}

# calls fio|ours: system calls per I/O
calls()
{
    local ios=512 regex n
    case $ours in
    uring) regex='io_uring_enter' ;;
    laio) regex='io_submit|io_getevents|io_pgetevents' ;;
    esac
    {
        echo "[global]"
        target_options "$target" "$bs"
        echo number_ios=$ios
        section calls "$1"
    } > "$scratch/calls.fio"
    strace -f -qq -o "$scratch/strace" -e trace="${regex//|/,}" "$FIO" --readonly --minimal "$scratch/calls.fio" \
        > /dev/null 2> "$scratch/err" < /dev/null || die "$name: fio under strace failed: $(head -n 3 "$scratch/err")"
    n=$(grep -Ec "($regex)\\(" "$scratch/strace") || true
    awk -v n="$n" -v ios=$ios 'BEGIN { printf "%.2f", n / ios }'
}

# to c and fc; more is 1 when ours needs more of them in each of three counts
count_calls()
{
    c=- fc=- more=0
    [ -n "$strace" ] || return 0
    fc=$(calls fio)
    for _ in 1 2 3; do
        c=$(calls ours)
        more=$(awk -v a="$c" -v b="$fc" 'BEGIN { print (a > b * 1.03 + 0.005) }')
        [ "$more" = 1 ] || break
    done
}

# --- the table -------------------------------------------------------------

engines "$FIO"
fill "$scratch/data" 64
fill "$scratch/cached" 64
[ "$targets" = "${targets% device}" ] || make_device
strace=yes
{ command -v strace && strace -o /dev/null true; } > /dev/null 2>&1 || strace=
csv speed.csv "engine,target,bs,way,ratio,low,high,aa,aa_low,aa_high,verdict,iops,fio_iops,calls,fio_calls"

cat <<EOF
IOPS of random reads, ours / fio's own, and fio's own / itself, with 95 % intervals; system calls per I/O
$("$FIO" --version), Linux $(uname -r), $(nproc) CPUs, jobs on CPU $cpu, $rounds rounds of 3 jobs of $secs s
EOF
awk '$1 > 0.5 { print "the load of this machine is " $1 ": what follows tells more about the load than about the engines" }' \
    /proc/loadavg
[ -n "$strace" ] || echo "strace cannot trace here: no system calls are counted"
[ -z "${no_device:-}" ] || echo "no block device: $no_device"
printf '%-28s %-22s %-22s %-6s %9s %9s  %s\n' "" "ours / fio's" "fio's / fio's" "" "IOPS ours" "fio's" "calls ours, fio's"

: > "$scratch/results"
while read -r ours theirs; do
    for target in $targets; do
        [ "$target" != device ] || { [ -n "$device" ] || continue; target=$device_kind; }
        for bs in $sizes; do
            while read -r way; do
                name="$ours $target $bs $way"
                wanted "$name" || continue
                usable "$target" "$bs" || continue
                if ! measure; then
                    printf '%-28s no result: %s\n' "$name" "$(head -n 1 "$scratch/err")"
                    echo "$ours 1 1 none 0" >> "$scratch/results"
                    continue
                fi
                count_calls
                printf '%-28s %-22s %-22s %-6s %9s %9s  %s %s%s\n' "$name" "$ratio ($low..$high)" \
                    "$aa ($aa_low..$aa_high)" "$verdict" "$iops" "$fio_iops" "$c" "$fc" \
                    "$([ "$more" = 0 ] || echo '  more')"
                echo "$ours $ratio $aa $verdict $more" >> "$scratch/results"
                [ -z "$csv" ] ||
                    echo "$ours,$target,$bs,$way,$ratio,$low,$high,$aa,$aa_low,$aa_high,$verdict,$iops,$fio_iops,${c#-},${fc#-}" >> "$csv"
            done < <(ways "$ours")
        done
    done
done < <(printf %s "$engines")

[ -s "$scratch/results" ] || nothing_wanted
awk '
    { v[$4]++; more += $5 }
    $4 != "none" { n[$1]++; ours[$1] += log($2); aa[$1] += log($3) }
    END {
        for (e in n)
            printf "%s: geometric mean of %d cells %.3f (fio against itself %.3f)\n", e, n[e], exp(ours[e] / n[e]), exp(aa[e] / n[e])
        bad = v["below"] + v["none"] + more
        printf "%d cells above, %d the same, %d below, %d without a result; %d with more system calls: gates %s\n", v["above"],
            v["same"], v["below"], v["none"], more, bad ? "NOT met" : "met"
        exit bad > 0
    }' "$scratch/results"
