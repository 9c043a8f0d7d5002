#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # functions are called by ok
#
# Every folder of tests/data/normalize/{valid,invalid} is a case:
#   cmd        arguments of fiopack, run in the folder
#   status     exit status; absent: 0 for valid, 3 for invalid
#   contains   extended regular expressions, one a line: each matches a line of stdout
#   absent     none of these does
#   stderr     each matches a line of stderr; absent: stderr is empty
# An invalid case without `contains` prints nothing on stdout.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

FIOPACK=${FIOPACK:-$SRC/build/fiopack}
[ -x "$FIOPACK" ] || skip_all "fiopack was not built"
export FIOPACK_PROFILES=$SRC/profiles

matches_all()
{
    local regex missing=0
    while IFS= read -r regex; do
        grep -Eq -- "$regex" "$2" && continue
        diag "no line matches: $regex"
        missing=1
    done < "$1"
    return "$missing"
}

matches_none()
{
    local regex found=0
    while IFS= read -r regex; do
        grep -Eq -- "$regex" "$2" || continue
        diag "a line matches: $regex"
        found=1
    done < "$1"
    return "$found"
}

run_case()
{
    local kind=$1 dir=$2 want=0 rc bad=0
    local -a args
    [ "$kind" = valid ] || want=3
    [ ! -e "$dir/status" ] || read -r want < "$dir/status"
    read -ra args < "$dir/cmd"
    (cd "$dir" && "$FIOPACK" "${args[@]}") > "$TMP/out" 2> "$TMP/err" < /dev/null
    rc=$?
    [ "$rc" -eq "$want" ] || { diag "exit status $rc, expected $want"; bad=1; }
    if [ -e "$dir/contains" ]; then
        matches_all "$dir/contains" "$TMP/out" || bad=1
    elif [ "$kind" = invalid ] && [ -s "$TMP/out" ]; then
        diag "something was printed on stdout"
        bad=1
    fi
    [ ! -e "$dir/absent" ] || matches_none "$dir/absent" "$TMP/out" || bad=1
    if [ -e "$dir/stderr" ]; then
        matches_all "$dir/stderr" "$TMP/err" || bad=1
    elif [ -s "$TMP/err" ]; then
        diag "on stderr: $(head -c 500 "$TMP/err")"
        bad=1
    fi
    return "$bad"
}

for kind in valid invalid; do
    for dir in "$SRC/tests/data/normalize/$kind"/*/; do
        dir=${dir%/}
        ok "$kind: ${dir##*/}" run_case "$kind" "$dir" || diag "$(head -n 30 "$TMP/out" "$TMP/err")"
    done
done

done_testing
