#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# hipri on an NVMe drive. With poll queues, completions are polled for: the I/O is
# right and the drive sends no interrupt for it. Without, the kernel decides (it
# takes them by interrupt, or refuses the I/O), and the engine says what it says;
# in no case does a job hang.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need plain-512
each_engine
grep -q '^hipri ' <("$FIO" --enghelp="$PLUGIN" 2>&1) || skip_all "the engine $ENGINE has no hipri"
dev=$(node plain-512)
LIMIT=30

# interrupts COMMAND...: how many of the drive's I/O queues came while it ran
interrupts()
{
    local controller=${dev%n*} before
    count()
    {
        awk -v queue="${controller#/dev/}q[1-9]" '$NF ~ queue { for (i = 2; i < NF && $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts
    }
    before=$(count)
    "$@"
    came=$(($(count) - before))
}
job=(--filename="$dev" --rw=randread --bs=4k --size=1m --direct=1)

interrupts ours "${job[@]}" --iodepth=1
is "contrast: without hipri, exit status and words" "$rc $(errors)" "0 "
within "contrast: without hipri there is about one interrupt per I/O" "$came" 128 300

if [ "$(cat "/sys/block/${dev##*/}/queue/io_poll")" = 1 ]; then
    for how in --iodepth=1 "--iodepth=16 --fixedbufs --registerfiles" "--iodepth=4 --thread --submit=fused" \
        "--iodepth=4 --sqthread_poll"; do
        rm -f "$TMP/log"
        # shellcheck disable=SC2086 # options are words
        interrupts ours --filename="$dev" --rw=randwrite --bs=4k --size=512k --direct=1 --hipri --verify=crc32c \
            --verify_fatal=1 --engine_log="$TMP/log" $how
        is "polled, $how: what is written is read, exit status and words" "$rc $(errors)" "0 "
        like "polled, $how: the ring is polled" "$(cat "$TMP/log")" '"ring_flags":\[.*"IOPOLL".*"submitted":(25[6-9]|26[0-9]),'
        # fio itself looks at the device without polling when it opens it
        within "polled, $how: no interrupts" "$came" 0 8
    done
    ours --filename="$dev" --rw=write --bs=4k --size=256k --direct=1 --hipri --iodepth=8 --fsync=16
    is "polled, with fsync: exit status and words" "$rc $(errors)" "0 "
    ours --filename="$dev" --rw=randtrim --bs=64k --size=1m --direct=1 --hipri --iodepth=8
    is "polled, trim: exit status and words" "$rc $(errors)" "0 "
else
    for how in --iodepth=1 "--iodepth=16 --thread"; do
        # shellcheck disable=SC2086
        interrupts theirs "${job[@]}" --hipri $how
        want=$rc
        # shellcheck disable=SC2086
        interrupts ours "${job[@]}" --hipri $how
        if [ "$want" -eq 0 ]; then
            is "not polled, $how: exit status and words" "$rc $(errors)" "0 "
            within "not polled, $how: completions come by interrupt" "$came" 16 300
        else
            # shellcheck disable=SC2086
            refused "not polled, $how: refused by this kernel" 'not supported.*hipri.*device' "${job[@]}" --hipri $how
        fi
    done
fi
done_testing
