#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# How many instructions an engine executes for one I/O, ours against fio's own in the same
# fio: callgrind counts them, so it does not matter what else the machine does. What a
# job does once is left out by taking the difference of a short and a long run.
#
# The engine is all functions of our plugin, or of fio's engines/io_uring.c or libaio.c, with
# what the compiler inlined into them. A column of its own adds the library that wraps the
# system calls (liburing, libaio), another one fio's functions that both call (fio_gettime,
# io_u_queued, io_u_mark_submit...). The kernel's side is not counted at
# all, and under valgrind I/Os complete early as seen by the job: waits are rare.
#
# Distributions strip fio, so this needs a fio of the same version with symbols, which is
# built once (scripts/fio-source.sh symbols); its compiler flags are those that fio itself
# sets (-O3). The plugin is the one that make has built.
#
# Gate: ours is at most 0.60 of fio's own in each case; 0.85 for laio in batches, where libaio's
# engine has little to save: of its 98 instructions per I/O, an iocb, its place in the queue, the
# issue time and the look at the completion need about 70 in any engine. Exit status 1 when one
# is above.
#
#   BENCH_FUNCTIONS=1   also the functions that cost most, of both engines
#   BENCH_QUICK=1       the three cases that differ most
#   and see lib.sh
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

gate=0.60
gate_aio_batch=0.85
[ -z "${BENCH_QUICK:-}" ] || BENCH_ONLY=${BENCH_ONLY:-' (direct 4k 32|direct 4k 32 batch|cached 4k 1)$'}
short=1600
long=8000
with_symbols=${FIO_WITH_SYMBOLS:-}

command -v valgrind > /dev/null || die "valgrind is missing: install valgrind"
[ -n "$with_symbols" ] ||
    with_symbols=$("$SRC/scripts/fio-source.sh" symbols "$FIO" "$BUILD/fio-source")/fio

# case_args NAME: fio's arguments for "direct 4k 32 batch fixed" and the like, to args (both engines) and own (ours)
case_args()
{
    local word
    args=(--rw=randread --readonly)
    own=()
    for word in $1; do
        case $word in
        direct) args+=(--direct=1) ;;
        cached) args+=(--invalidate=0) ;;
        4k | 512) args+=(--bs="$word") ;;
        [0-9]*) args+=(--iodepth="$word") ;;
        batch) args+=(--iodepth_batch=16 --iodepth_batch_complete_min=16 --iodepth_batch_complete_max=16) ;;
        fixed) args+=(--fixedbufs --registerfiles) ;;
        reap) args+=(--userspace_reap) ;;
        fused) own+=(--submit=fused) ;;
        write) args=("${args[@]:2}" --rw=randwrite) ;;
        *) die "no such word in a case: $word" ;;
        esac
    done
}

cases()
{
    local kind depth best=fixed
    [ "$1" = uring ] || best=reap
    for kind in direct cached; do
        for depth in 1 4 32 128 "32 batch"; do
            echo "$kind 4k $depth"
            echo "$kind 4k $depth $best"
        done
        [ "$1" != uring ] || printf '%s\n' "$kind 4k 1 fused" "$kind 4k 1 fused fixed"
    done
    echo "cached 4k 32 write"
}

# count NAME ENGINE ARG...: what callgrind.pl prints, to $scratch/NAME
count()
{
    local name=$1 engine=$2 n object='/fio$' source="(^|/)engines/$2[.]c\$"
    shift 2
    case $engine in
    external:*) object="/${engine##*/}\$" source=. ;;
    esac
    for n in $short $long; do
        valgrind --tool=callgrind --callgrind-out-file="$scratch/$name.$n" "$with_symbols" --name=b --thread \
            --ioengine="$engine" --filename="$scratch/data" --size=64m --norandommap --number_ios="$n" \
            --minimal "$@" > "$scratch/$name.log" 2>&1 < /dev/null ||
            { cat "$scratch/$name.log" >&2; die "fio under callgrind failed, with $engine $*"; }
    done
    perl "$SRC/tests/bench/callgrind.pl" "$object" "$source" $((long - short)) \
        "$scratch/$name.$short" "$scratch/$name.$long" > "$scratch/$name"
}

engines "$with_symbols"
fill "$scratch/data" 64
csv instructions.csv "engine,case,ours,theirs,ratio,gate,ours_with_library,theirs_with_library,ours_with_fio,theirs_with_fio"
echo "Instructions per I/O, ours and fio's own"
printf '%-32s %8s %8s %6s %5s   %-15s   %s\n' "" ours "fio's" ratio gate "with library" "with fio's functions"
cells=0
above=0
while read -r ours theirs; do
    while read -r name; do
        wanted "$ours $name" || continue
        case_args "$name"
        count theirs "$theirs" "${args[@]}" &
        count ours "external:$BUILD/fio-$ours.so" "${args[@]}" "${own[@]}"
        wait $!
        allowed=$gate
        case "$ours $name" in laio*batch*) allowed=$gate_aio_batch ;; esac
        read -r a b ab al bl aw bw over < <(paste "$scratch/ours" "$scratch/theirs" | awk -v gate="$allowed" '
            $1 == "own" { a = $2; b = $4 }
            $1 == "engine" { al = $2; bl = $4 }
            $1 == "hooks" { printf "%.1f %.1f %.3f %.1f %.1f %.1f %.1f %d\n", a, b, a / b, al, bl, $2, $4, (a / b > gate); exit }')
        cells=$((cells + 1))
        above=$((above + over))
        printf '%-32s %8s %8s %6s %5s   %7s %7s   %7s %7s%s\n' "$ours $name" "$a" "$b" "$ab" "$allowed" "$al" "$bl" \
            "$aw" "$bw" "$([ "$over" = 0 ] || echo '   above')"
        [ -z "$csv" ] || echo "$ours,$name,$a,$b,$ab,$allowed,$al,$bl,$aw,$bw" >> "$csv"
        [ -z "${BENCH_FUNCTIONS:-}" ] ||
            paste <(sed 1,4d "$scratch/ours") <(sed 1,4d "$scratch/theirs") | column -t -s '	' | sed 's/^/    /'
    done < <(cases "$ours")
done < <(printf %s "$engines")
[ $cells -gt 0 ] || nothing_wanted
echo "$((cells - above)) of $cells cases within the gate"
[ $above -eq 0 ]
