# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the two benchmarks share: which engines stand against each other, where the
# scratch file is, and what their environment means.
#
#   BENCH_DIR=FOLDER   on the disk to use (default /var/tmp)
#   BENCH_ONLY=REGEX   only these cells, as the table names them: "uring direct 4k 32 .*"
#                      Exit status 3 when there are none
#   BENCH_CSV=FOLDER   also write instructions.csv and speed.csv there
set -eu -o pipefail
export LC_ALL=C

SRC=${SRC:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}
BUILD=${BUILD:-$SRC/build}
FIO=${FIO:-$(sed -n 's/^FIO := //p' "$BUILD/build-config.mak" 2> /dev/null || true)}
FIO=${FIO:-$(command -v fio)}

die()
{
    echo "$(basename "$0"): $*" >&2
    exit 1
}

# engines FIO: "ours fio's" by line, for the plugins built here, to $engines
engines()
{
    local ours theirs known
    known=$("$1" --enghelp) || die "$1 does not run"
    engines=
    while read -r ours theirs; do
        [ -e "$BUILD/fio-$ours.so" ] || continue
        if grep -qw "$theirs" <<< "$known"; then
            engines+="$ours $theirs"$'\n'
        else
            echo "this fio has no $theirs to compare $ours with" >&2
        fi
    done <<< "uring io_uring
laio libaio"
    [ -n "$engines" ] || die "no engine was built in $BUILD (see the end of ./configure)"
}

nothing_wanted()
{
    echo "none of these matches BENCH_ONLY=${BENCH_ONLY:-}"
    exit 3
}

wanted()
{
    grep -Eq -- "${BENCH_ONLY:-.}" <<< "$1"
}

# in $scratch; what else a script makes, it takes away in clean_up
scratch=$(mktemp -d "${BENCH_DIR:-/var/tmp}/fiopack-bench.XXXXXX")
clean_up()
{
    :
}
trap 'clean_up; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM HUP

# csv NAME HEADER: start that file, if one is wanted
csv()
{
    csv=
    [ -n "${BENCH_CSV:-}" ] || return 0
    mkdir -p "$BENCH_CSV"
    csv=$BENCH_CSV/$1
    echo "$2" > "$csv"
}

# a file of $2 MiB, written once, that no job lays out again
fill()
{
    "$FIO" --name=fill --ioengine=psync --filename="$1" --rw=write --bs=1m --size="$2m" --end_fsync=1 \
        --output=/dev/null || die "cannot write $2 MiB to $1"
}
