#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs that fail: a sentence with fio's reason, a dash with a footnote in the table,
# the other runs made, exit status 1.
. "$(dirname "$0")/lib.sh"
need_plugin

short --target "t=uring:$TMP/t.dat,nosuchoption=1"
is "a bad target option fails" "$rc" 1
like "with fio's own reason" "$(errors)" 'fio ended with status.*nosuchoption'
like "and says that the target is not measured" "$(errors)" 't could not be filled|fio ended'

mkdir "$TMP/small"
if is_root && mount -t tmpfs -o size=24m none "$TMP/small" 2> /dev/null; then
    at_exit umount "$TMP/small"
    pack run r640 --runtime 1 --ramp 0 --vm-size 32m --target "t=uring:$TMP/small/f"
    says "no room is seen before anything is written" 2 'has room for'
    ok "and nothing was" test -z "$(ls "$TMP/small")"
    short --target "t=uring:$TMP/small/f"
    is "what fits runs" "$rc" 0
    like "tmpfs is marked as memory" "$(output)" 'memory \(tmpfs'
else
    skip "a file system without room" "cannot mount a tmpfs here"
fi

# one profile of a paper fails, the others are measured
mkdir -p "$TMP/papers"
cp -r "$SRC/profiles/r640" "$TMP/papers/"
echo "verify=nosuchverify" >> "$TMP/papers/r640/B4-T2-O32-W100-PR.fio"
FIOPACK_PROFILES=$TMP/papers short --target "t=uring:$TMP/t.dat" -o "$TMP/one-bad"
is "one bad run: exit status 1" "$rc" 1
is "the others are made" "$(find "$TMP/one-bad/t/healthy" -name fio.json -path '*/1/*' | wc -l)" 3
ok "the bad one is kept for a look" test -s "$TMP/one-bad/t/healthy/B4-T2-O32-W100-PR/1.failed/fio.log"
like "the table has a dash for it" "$(output)" '^B4-T2-O32-W100-PR.* - '
like "and a footnote" "$(output)" '[Ff]ailed'

echo "[second]" >> "$TMP/papers/r640/B4-T2-O32-W0-PR.fio"
FIOPACK_PROFILES=$TMP/papers short --target "t=uring:$TMP/t.dat" -o "$TMP/two"
says "a profile with two workloads" 2 'line [0-9]+: a profile is one workload'
printf 'ioengine=libaio\n' >> "$TMP/papers/r640/B512-T2-O2-W0-PS.fio"
FIOPACK_PROFILES=$TMP/papers pack run r640/B512-T2-O2-W0-PS --target "t=uring:$TMP/t.dat"
says "a profile that sets an engine" 2 'does not set ioengine'
rm "$TMP/papers/r640/B512-T2-O2-W100-PS.fio"
FIOPACK_PROFILES=$TMP/papers pack run r640/B512-T2-O2-W100-PS --target "t=uring:$TMP/t.dat"
says "a profile that is gone" 2 'cannot read profile'
done_testing
