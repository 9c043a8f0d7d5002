# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For tests of the fiopack command: runs it and keeps its streams. Sourced instead
# of ../lib.sh.
# shellcheck source=tests/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

FIOPACK=${FIOPACK:-$BUILD/fiopack}
[ -x "$FIOPACK" ] || skip_all "the fiopack command was not built here (see the end of ./configure)"

# pack ARG...: run fiopack; $rc, $TMP/out and $TMP/err as with fio_run
# shellcheck disable=SC2034 # rc is for the caller
pack()
{
    timeout -k 5 "${LIMIT:-120}" "$FIOPACK" "$@" > "$TMP/out" 2> "$TMP/err" < /dev/null
    rc=$?
}

output()
{
    cat "$TMP/out"
}

# short ARG...: the paper with the shortest runs that still fill every cell
short()
{
    pack run r640 --runtime 1 --ramp 0 --vm-size 16m "$@"
}

# says NAME STATUS REGEX: the last command ended with STATUS and one sentence that matches
says()
{
    if [ "$rc" -eq "$2" ] && grep -Eq -- "$3" "$TMP/err" && [ "$(grep -c '^fiopack' "$TMP/err")" -eq 1 ]; then
        result 0 "$1"
    else
        result 1 "$1"
        diag "status $rc (wanted $2), stderr:"
        diag "$(head -c 1000 "$TMP/err")"
        diag "wanted: $3"
        return 1
    fi
}
