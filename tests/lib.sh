# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What every shell test needs: TAP, a scratch folder that goes away, loop devices
# that are detached, fio runs with their exit status and streams kept, and values
# out of fio's JSON. Sourced first thing; ends with done_testing.
set -u

THIS=$(realpath "$0")

SRC=${SRC:-$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)}
BUILD=${BUILD:-$SRC/build}
from_config()
{
    sed -n "s/^$1 := //p" "$BUILD/build-config.mak" 2> /dev/null
}
FIO=${FIO:-$(from_config FIO)}
FIO=${FIO:-$(command -v fio)}
FIO_SRC=${FIO_SRC:-$(from_config FIO_SRC)}
ENGINES=${ENGINES-$(from_config ENGINES)}
CC=${CC:-$(from_config CC)}
CC=${CC:-cc}
export SRC BUILD FIO FIO_SRC ENGINES CC LC_ALL=C
# tests run make of their own, which must not think it belongs to "make check"
unset MAKEFLAGS MFLAGS MAKELEVEL

nr=0
failed=0

diag()
{
    printf '%s\n' "$*" | sed 's/^/# /' >&2
}

# result STATUS NAME
result()
{
    nr=$((nr + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $nr - $2"
    else
        echo "not ok $nr - $2"
        failed=$((failed + 1))
    fi
    return "$1"
}

# ok NAME COMMAND...: passes when the command does
ok()
{
    local name=$1
    shift
    if "$@"; then
        result 0 "$name"
    else
        result 1 "$name"
        diag "failed: $*"
        return 1
    fi
}

# is NAME GOT WANT
is()
{
    if [ "$2" = "$3" ]; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "     got: $2"
        diag "expected: $3"
        return 1
    fi
}

# within NAME GOT LOW HIGH: an integer range
within()
{
    if [ "$2" -ge "$3" ] 2> /dev/null && [ "$2" -le "$4" ]; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "     got: $2"
        diag "expected: $3 to $4"
        return 1
    fi
}

# like NAME TEXT REGEX (extended, any line)
like()
{
    if grep -Eq -- "$3" <<< "$2"; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "     text: $2"
        diag "no match: $3"
        return 1
    fi
}

skip()
{
    nr=$((nr + 1))
    echo "ok $nr - $1 # SKIP $2"
}

skip_all()
{
    echo "1..0 # SKIP $1"
    exit 0
}

done_testing()
{
    echo "1..$nr"
    [ "$failed" -eq 0 ]
    exit
}

# --- scratch and cleanup ---------------------------------------------------

# /var/tmp is on a disk where /tmp may be memory; readable for unprivileged users
TMP=$(mktemp -d "${FIOPACK_TEST_DIR:-/var/tmp}/fiopack-test.XXXXXX") || exit 1
chmod 755 "$TMP"
undo=()

# at_exit COMMAND...: run at the end, last registered first
at_exit()
{
    undo+=("$(printf '%q ' "$@")")
}

clean_up()
{
    local i
    cd / || exit 1
    for ((i = ${#undo[@]} - 1; i >= 0; i--)); do
        eval "${undo[i]}" > /dev/null 2>&1
    done
    rm -rf "$TMP"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP
cd "$TMP" || exit 1

is_root()
{
    [ "$(id -u)" -eq 0 ]
}

# new_loop VAR SIZE [losetup option...]: a loop device on a fresh file, its name in VAR
new_loop()
{
    local -n made=$1
    local back
    back=$(mktemp "$TMP/loop.XXXXXX")
    truncate -s "$2" "$back"
    made=$(losetup --show -f "${@:3}" "$back" 2> "$TMP/loop.err") || return 1
    at_exit losetup -d "$made"
}

# Why this machine cannot do loop devices; nothing when it can.
no_loop_reason()
{
    local dev
    is_root || { echo "loop devices need root"; return; }
    truncate -s 1M "$TMP/loop.probe"
    if dev=$(losetup --show -f "$TMP/loop.probe" 2>&1); then
        losetup -d "$dev"
    else
        echo "no loop device to be had: $dev"
    fi
    rm -f "$TMP/loop.probe"
}

# random_file PATH BYTES: contents that no two runs share
random_file()
{
    head -c "$2" /dev/urandom > "$1"
}

sum_of()
{
    sha256sum < "$1"
}

# everything that must not change: contents, size, time of last write
state_of()
{
    echo "$(sum_of "$1") $(stat -c '%s %y' "$1")"
}

# --- fio -------------------------------------------------------------------

# Which engine is tested, fio's own that it stands for, and the system calls it makes. A test that is
# about one engine alone begins with engine_test NAME.
engine_test()
{
    ENGINE=$1
    PLUGIN=$BUILD/fio-$1.so
    OURS="external:$PLUGIN"
    case $1 in
    uring) INTREE=io_uring CALLS='io_uring_enter' ;;
    laio) INTREE=libaio CALLS='io_submit|io_getevents|io_pgetevents' ;;
    esac
    [ -e "$PLUGIN" ] || skip_all "the engine $1 was not built here (see the end of ./configure)"
}

# The rest of the file is run once for each engine; the results are one TAP stream.
each_engine()
{
    local e
    if [ -n "${ENGINE:-}" ]; then
        engine_test "$ENGINE"
        return
    fi
    [ -n "${ENGINES:-}" ] || skip_all "no engine was built here (see the end of ./configure)"
    for e in $ENGINES; do
        ENGINE=$e bash "$THIS" || echo "status $e $?"
    done | awk -v runs="$(wc -w <<< "$ENGINES")" '
        /^(not )?ok [0-9]+/ { n++; bad += /^not/; sub(/ok [0-9]+/, "ok " n); print; fflush(); next }
        /^1\.\.0 # SKIP/    { plans++; sub(/^1\.\.0/, ""); print "ok " ++n " - all of it" $0; next }
        /^1\.\./            { plans++; next }
        /^status /          { bad++; next }
                            { print }
        END                 { print "1.." n; exit bad || plans != runs }'
    exit
}

# on NAME COMMAND...: only when that engine is tested
on()
{
    [ "$ENGINE" = "$1" ] || return 0
    shift
    "$@"
}

# fio_run ARG...: $rc is the exit status, stdout and stderr are in $TMP/out and $TMP/err
# shellcheck disable=SC2034 # rc is for the caller
fio_run()
{
    rm -f "$TMP/flat"
    FIOPACK_TEST=$TMP timeout -k 5 "${LIMIT:-60}" "$FIO" --output-format=json --group_reporting=0 "$@" \
        > "$TMP/out" 2> "$TMP/err" < /dev/null
    rc=$?
    [[ ! $rc =~ ^(124|137)$ ]] || end_jobs
}

# fio's jobs are sessions of their own, which no signal to fio's group reaches
end_jobs()
{
    local environ
    # shellcheck disable=SC2013 # paths without blanks
    for environ in $(grep -lzsFx "FIOPACK_TEST=$TMP" /proc/[0-9]*/environ); do
        kill -9 "$(cut -d/ -f3 <<< "$environ")" 2> /dev/null
    done
}

# ours ARG...: a job on our engine
ours()
{
    fio_run --name=t --ioengine="$OURS" "$@"
}

theirs()
{
    fio_run --name=t --ioengine="$INTREE" "$@"
}

# fio's own engine, to compare with
need_theirs()
{
    theirs --filename="$TMP/probe" --rw=write --bs=4k --size=4k
    [ "$rc" -eq 0 ] || skip_all "this fio has no $INTREE engine to compare with"
}

errors()
{
    cat "$TMP/err"
}

# sentences: our own lines on stderr
sentences()
{
    grep -E "^(fio: )?$ENGINE: " "$TMP/err"
}

# json PATH...: values of fio's JSON by path (jobs.0.read.total_ios), one a line. Numbers in a
# path index arrays, * stands for any one step. Fails when stdout is not JSON and nothing else.
json()
{
    local path
    # whole document once per run, as "path<TAB>value" lines
    [ -e "$TMP/flat" ] || perl -MJSON::PP -e '
        local $/; my $d = decode_json(<STDIN>);
        sub walk {
            my ($at, $v) = @_;
            if (ref $v eq "HASH") { walk("$at$_.", $v->{$_}) for sort keys %$v }
            elsif (ref $v eq "ARRAY") { walk("$at$_.", $v->[$_]) for 0 .. $#$v }
            else { chop $at; print "$at\t", $v // "null", "\n" }
        }
        walk("", $d);' < "$TMP/out" > "$TMP/flat" || { rm -f "$TMP/flat"; return 1; }
    for path; do
        path=${path//./\\.}
        sed -n "s/^${path//\*/[^.]*}	//p" "$TMP/flat"
    done
}

total()
{
    json "$@" | awk '{ n += $1 } END { printf "%.0f\n", n }'
}

# was_fine NAME: the run just made ended well, in silence, with nothing but JSON on stdout
was_fine()
{
    local problem="" errs
    [ "$rc" -eq 0 ] || problem="exit status $rc; "
    if ! errs=$(json 'jobs.*.error' 2>&1); then
        problem+="stdout is not JSON: $(head -c 300 "$TMP/out"); "
    elif grep -qv '^0$' <<< "$errs"; then
        problem+="error in a job: $errs; "
    fi
    if [ -s "$TMP/err" ]; then
        problem+="stderr: $(head -n 3 "$TMP/err")"
    fi
    if [ -z "$problem" ]; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "$problem"
        return 1
    fi
}

# fine NAME ARG...: a job on our engine that must end well
fine()
{
    local name=$1
    shift
    ours "$@"
    was_fine "$name" || { diag "job: $*"; return 1; }
}

# refused NAME REGEX ARG...: a job on our engine that must fail with one sentence of ours that matches,
# without a crash
refused()
{
    local name=$1 want=$2 said n
    shift 2
    ours "$@"
    said=$(sentences)
    n=$(grep -c . <<< "$said")
    if [ "$rc" -ge 1 ] && [ "$rc" -lt 124 ] && [ "$n" -eq 1 ] && grep -Eq -- "$want" <<< "$said"; then
        result 0 "$name"
    else
        result 1 "$name"
        diag "exit status $rc, $n sentences of ours, wanted: $want"
        diag "$(head -c 1500 "$TMP/err")"
        diag "job: $*"
        return 1
    fi
}

# enters COMMAND...: how many of the engine's system calls a command and its children make
enters()
{
    strace -f -qq -o "$TMP/strace" -e trace="${CALLS//|/,}" "$@" > /dev/null 2>&1 < /dev/null
    grep -Ec "($CALLS)\\(" "$TMP/strace"
}

can_strace()
{
    command -v strace > /dev/null && strace -o /dev/null true 2> /dev/null
}
