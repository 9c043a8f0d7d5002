#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs that fail: a sentence with fio's reason, a dash with a footnote in the table,
# the other runs made, exit status 1.
. "$(dirname "$0")/lib.sh"
engine_test uring

# what fio would refuse is found before anything is written, and leaves no results folder
short --target "t=uring:$TMP/t.dat,nosuchoption=1" -o "$TMP/again"
says "an option that fio does not know" 2 'fio does not take B4-T2-O32-W0-PR on t: .*nosuchoption'
short --target "t=nosuchengine:$TMP/t.dat" -o "$TMP/again"
says "an engine that fio does not know" 2 'fio has no engine for target t: .*nosuchengine'
short --vms 65 --target "t=psync:$TMP/t.dat" -o "$TMP/again"
says "more jobs than fio takes" 2 '65 VMs with 64 jobs each on t are more than the 4096'
for option in directory=/x filename=/x bs=8k rw=read iodepth=4 numjobs=1 offset=8m size=1m allow_mounted_write=1 blocksize=8k; do
    short --target "t=uring:$TMP/t.dat,$option" -o "$TMP/again"
    says "target option $option" 2 'change where or what'
done
short --fio /bin/true -o "$TMP/again"
says "a program that is no fio" 2 'is it fio'
ok "nothing was written" test ! -e "$TMP/t.dat" -a ! -e "$TMP/again"

# a fill that fails: its runs are failed ones, in the report too
(ulimit -f 8192; short --target "t=uring:$TMP/t.dat" -o "$TMP/nofill"; exit "$rc")
is "a fill that fails" "$?" 1
like "says why" "$(errors)" 'uring: .*ulimit -f|File too large'
like "and that the target is not measured" "$(errors)" 't could not be filled'
pack report "$TMP/nofill"
is "report says so with its exit status" "$rc" 1
like "and the reason" "$(output)" 'FAILED, B4-T2-O32-W0-PR on t: '
rm -f "$TMP/t.dat"

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
printf 'direct=0\nhipri=1\n' >> "$TMP/papers/r640/B4-T2-O32-W100-PR.fio"
FIOPACK_PROFILES=$TMP/papers short --target "t=uring:$TMP/t.dat" -o "$TMP/one-bad"
is "one bad run: exit status 1" "$rc" 1
is "the others are made" "$(find "$TMP/one-bad/t/healthy" -name fio.json -path '*/1/*' | wc -l)" 3
ok "the bad one is kept for a look" test -s "$TMP/one-bad/t/healthy/B4-T2-O32-W100-PR/1.failed/fio.log"
like "the table has a dash for it" "$(output)" '^B4-T2-O32-W100-PR.* - '
like "and a footnote" "$(output)" '[Ff]ailed'

printf '[second]\nrw=read\n' >> "$TMP/papers/r640/B4-T2-O32-W0-PR.fio"
FIOPACK_PROFILES=$TMP/papers short --target "t=uring:$TMP/t.dat" -o "$TMP/two"
says "a profile with a part that paper.json does not have" 2 'has 2 sections beside \[global\], and 1 in paper.json'
printf 'ioengine=libaio\n' >> "$TMP/papers/r640/B512-T2-O2-W0-PS.fio"
FIOPACK_PROFILES=$TMP/papers pack run r640/B512-T2-O2-W0-PS --target "t=uring:$TMP/t.dat"
says "a profile that sets an engine" 2 'does not set ioengine'
rm "$TMP/papers/r640/B512-T2-O2-W100-PS.fio"
FIOPACK_PROFILES=$TMP/papers pack run r640/B512-T2-O2-W100-PS --target "t=uring:$TMP/t.dat"
says "a profile that is gone" 2 'cannot read profile'
done_testing
