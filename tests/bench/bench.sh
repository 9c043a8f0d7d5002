#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Our uring engine against fio's io_uring, on this machine, by hand: make bench.
#
# Times differ from minute to minute, so each cell is a number of pairs, run one after
# the other in alternating order, and what is printed is the median of the pairs'
# ratios. The A/A column is io_uring against itself, measured the same way: a ratio
# inside its range says nothing. System calls per I/O are counted, not timed.
#
# BENCH_PAIRS (5), BENCH_SECONDS (2), BENCH_DIR (a folder on the disk to use).
set -eu

SRC=${SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
BUILD=${BUILD:-$SRC/build}
FIO=${FIO:-$(command -v fio)}
pairs=${BENCH_PAIRS:-5}
secs=${BENCH_SECONDS:-2}
dir=$(mktemp -d "${BENCH_DIR:-/var/tmp}/fiopack-bench.XXXXXX")
trap 'rm -rf "$dir"' EXIT
ours="external:$BUILD/fio-uring.so"

"$FIO" --name=fill --ioengine=psync --filename="$dir/f" --rw=write --bs=1m --size=256m --end_fsync=1 \
    --output=/dev/null

# job ENGINE KIND BS DEPTH: fio's arguments for one measurement
job()
{
    args=(--name=b --ioengine="$1" --filename="$dir/f" --rw=randread --bs="$3" --iodepth="$4" --size=256m
        --norandommap --randrepeat=0 --readonly --fixedbufs --registerfiles --minimal)
    case $2 in
    direct) args+=(--direct=1) ;;
    cached) args+=(--invalidate=0 --pre_read=1) ;;
    esac
}

iops()
{
    job "$@"
    # field 8 of the terse format: read IOPS
    "$FIO" "${args[@]}" --time_based --runtime="$secs" 2> /dev/null | cut -d';' -f8
}

enters()
{
    job "$@"
    strace -f -qq -o "$dir/st" -e trace=io_uring_enter "$FIO" "${args[@]}" --number_ios=2000 > /dev/null 2>&1
    grep -c io_uring_enter "$dir/st" | awk '{ printf "%.2f", $1 / 2000 }'
}

# ratios A B KIND BS DEPTH: "median low high" of B's IOPS over A's
ratios()
{
    for ((i = 0; i < pairs; i++)); do
        if ((i % 2)); then
            b=$(iops "$2" "${@:3}")
            a=$(iops "$1" "${@:3}")
        else
            a=$(iops "$1" "${@:3}")
            b=$(iops "$2" "${@:3}")
        fi
        awk -v a="$a" -v b="$b" 'BEGIN { print b / a }'
    done | sort -n | awk '{ r[NR] = $1 } END { printf "%.3f %.3f %.3f", r[int((NR + 1) / 2)], r[1], r[NR] }'
}

echo "$("$FIO" --version), kernel $(uname -r), $pairs pairs of $secs s; both engines with fixedbufs and registerfiles"
printf '%-8s %-5s %5s  %-22s %-22s %s\n' "" bs depth "uring / io_uring" "A/A" "enters per I/O, uring io_uring"
for kind in direct cached; do
    for bs in 512 4k; do
        for depth in 1 4 32 128; do
            read -r m l h <<< "$(ratios io_uring "$ours" "$kind" "$bs" "$depth")"
            read -r am al ah <<< "$(ratios io_uring io_uring "$kind" "$bs" "$depth")"
            printf '%-8s %-5s %5d  %-22s %-22s %s %s\n' "$kind" "$bs" "$depth" "$m ($l..$h)" "$am ($al..$ah)" \
                "$(enters "$ours" "$kind" "$bs" "$depth")" "$(enters io_uring "$kind" "$bs" "$depth")"
        done
    done
done
