#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The lab itself: what a guest reports becomes results of the test that booted it, and
# a guest that stops in the middle, for whatever reason, is a failure that says so.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"

# reported NAME WANT TEXT: what report() makes of a guest's words: "status failures: results"
reported()
{
    local got
    got=$(
        nr=0 failed=0
        report <<< "$3" > "$TMP/results" 2> "$TMP/diag"
        echo "$? $failed: $(tr '\n' '|' < "$TMP/results")"
    )
    is "$1" "$got" "$2"
}
reported "two scripts, all well" "0 0: ok 1 - x.sh: a|ok 2 - x.sh: b|ok 3 - laio: c|" "lab: begin x.sh -
ok 1 - a
ok 2 - b
1..2
lab: status 0
lab: begin y.sh laio
ok 1 - c
1..1
lab: status 0
lab: end"
reported "a failure" "0 1: ok 1 - x.sh: a|not ok 2 - x.sh: b|" "lab: begin x.sh
ok 1 - a
not ok 2 - b
1..2
lab: status 1
lab: end"
reported "a script that skips itself" "0 0: ok 1 - x.sh # SKIP no device|" "lab: begin x.sh
1..0 # SKIP no device
lab: status 0
lab: end"
reported "a script without a plan" "0 1: ok 1 - x.sh: a|not ok 2 - x.sh ended well|" "lab: begin x.sh
ok 1 - a
lab: status 0
lab: end"
reported "a script with fewer results than planned" "0 1: ok 1 - x.sh: a|not ok 2 - x.sh ended well|" "lab: begin x.sh
ok 1 - a
1..2
lab: status 0
lab: end"
reported "a script that ends with an error" "0 1: ok 1 - x.sh: a|not ok 2 - x.sh ended well|" "lab: begin x.sh
ok 1 - a
1..1
lab: status 3
lab: end"
reported "a script that is not there" "0 1: not ok 1 - x.sh ended well|" "lab: begin x.sh
bash: x.sh: No such file or directory
lab: status 127
lab: end"
reported "a guest that stops" "1 0: ok 1 - x.sh: a|" "lab: begin x.sh
ok 1 - a"
reported "a guest that never began" "1 0: " ""

is "every device of the table is written as its head says" "$(awk '
    /^#/ || !NF { next }
    /^[a-z0-9-]+( needs [a-z-]+\.[a-z]+)?$/ { names[$1]++; next }
    /^    image [a-z0-9-]+ [0-9]+M$/ || /^    kernel [a-z_.]+=/ || /^    module [a-z_ ]+$/ || /^    -[a-z]+ [^ ]+$/ { next }
    { print FILENAME ":" FNR ": " $0 }
    END { for (n in names) if (names[n] > 1) print n " twice" }' "$LAB/devices")" ""

lab_or_skip
# far too little time
out=$(bash "$LAB/boot.sh" --limit=2 --devices=plain-512 lab/guest/data.sh 2>&1)
rc=$?
ok "a guest that does not end in time is a failure" test "$rc" -ne 0
like "and that is said" "$out" 'did not within 2 seconds|SKIP'
out=$(bash "$LAB/boot.sh" --devices=no-such-device lab/guest/data.sh 2>&1)
rc=$?
ok "a device that is not in the table is a failure" test "$rc" -ne 0
like "and is named" "$out" 'no device no-such-device'
done_testing
