#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# On NVMe with blocks of 512 and of 4096 bytes: what the engine writes is what dd
# finds on the device and nowhere else, what dd wrote is what the engine reads, a
# flush reaches the device, and a trim leaves nothing where it was and everything
# where it was not.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need plain-512 plain-4k
each_engine

# ones.N: 4 MiB of the byte N (octal)
for byte in 021 132 245 377; do
    head -c 4M /dev/zero | tr '\0' "\\$byte" > "$TMP/ones.$byte"
done

# put OCTAL FROM COUNT: write that byte to KiB FROM on of the device
put()
{
    dd if="$TMP/ones.$1" of="$dev" bs=64K count=$(($3 * 1024)) seek=$(($2 * 1024)) iflag=count_bytes oflag=direct,seek_bytes status=none
}
# holds FILE FROM COUNT: KiB FROM on of the device are as FILE begins
holds()
{
    dd if="$dev" bs=64K skip=$(($2 * 1024)) count=$(($3 * 1024)) iflag=direct,skip_bytes,count_bytes status=none |
        cmp -n $(($3 * 1024)) - "$1" >&2
}
# lay OCTAL FROM COUNT: that is how $TMP/expected is from KiB FROM on
lay()
{
    dd if="$TMP/ones.$1" of="$TMP/expected" bs=1K seek="$2" count="$3" conv=notrunc status=none
}

# stat_of FIELD: a counter of the device (Documentation/block/stat.rst)
stat_of()
{
    awk -v n="$1" '{ print $n }' "/sys/block/${dev##*/}/stat"
}
DISCARDS=12 FLUSHES=16

ways="plain thread=1"
on uring eval 'ways+=" fixedbufs registerfiles sqthread_poll fixedbufs+registerfiles+submit=fused nonvectored=0"'

for size in 512 4096; do
    dev=$(node plain-${size/4096/4k})
    is "$size: the device has such blocks" "$(blockdev --getss "$dev")" "$size"

    # For each way three jobs, all at the same time, each in 64 KiB of its own among 64 KiB that nobody writes:
    # one writes and verifies, one writes what dd will look for, one reads what dd put there.
    put 021 0 4096
    cp "$TMP/ones.021" "$TMP/expected"
    at=0
    verified=()
    {
        printf '[global]\nfilename=%s\nioengine=%s\ndirect=1\niodepth=8\nsize=64k\n' "$dev" "$OURS"
        for way in $ways; do
            options=$(sed '/^plain$/d' <<< "${way//+/$'\n'}")
            printf '[%s: verified]\noffset=%dk\nrw=randwrite\nbsrange=%s-16k\nverify=crc32c\n%s\n' "$way" $at $size "$options"
            printf '[%s: written]\noffset=%dk\nrw=write\nbs=%s\nbuffer_pattern=0xa5\n%s\n' "$way" $((at + 128)) $size "$options"
            printf '[%s: read]\noffset=%dk\nrw=randread\nbs=%s\nverify=pattern\nverify_pattern=0x5a\n%s\n' \
                "$way" $((at + 256)) $size "$options"
            verified+=("$at")
            lay 245 $((at + 128)) 64
            lay 132 $((at + 256)) 64
            put 132 $((at + 256)) 64
            at=$((at + 384))
        done
    } > "$TMP/ways.fio"
    n=${#verified[@]}
    fio_run "$TMP/ways.fio"
    was_fine "$size: each of $n ways writes and verifies, writes, reads what dd put there"
    is "$size: all was read and written" "$(total 'jobs.*.read.io_bytes') $(total 'jobs.*.write.io_bytes')" "$((131072 * n)) $((131072 * n))"
    for at in "${verified[@]}"; do
        dd if="$dev" of="$TMP/expected" bs=1K skip="$at" seek="$at" count=64 conv=notrunc status=none
    done
    ok "$size: dd finds what was written, and nothing else" holds "$TMP/expected" 0 4096
    ours --filename="$dev" --rw=read --bs=$size --offset=64k --size=64k --direct=1 --verify=pattern --verify_pattern=0x5a --verify_fatal=1
    ok "$size: contrast: other contents are seen" test "$rc" -ne 0

    before=$(stat_of $FLUSHES)
    ours --filename="$dev" --rw=write --bs=4k --size=128k --direct=1 --iodepth=1 --fsync=8
    is "$size: fsync, exit status and words" "$rc $(errors)" "0 "
    is "$size: each of the three flushed the device" $(($(stat_of $FLUSHES) - before)) 3

    put 377 0 4096
    before=$(stat_of $DISCARDS)
    ours --filename="$dev" --rw=trim --bs=64k --offset=1m --size=1m --iodepth=8
    is "$size: trim, exit status and words" "$rc $(errors)" "0 "
    is "$size: sixteen discards reached the device" $(($(stat_of $DISCARDS) - before)) 16
    uncache "$dev"
    ok "$size: what was trimmed is gone" holds /dev/zero 1024 1024
    ok "$size: what is before and behind is as it was" eval 'holds "$TMP/ones.377" 0 1024 && holds "$TMP/ones.377" 2048 2048'
    ours --filename="$dev" --rw=randtrim --bs=1m --iodepth=8
    is "$size: all of the device at random, exit status and words" "$rc $(errors)" "0 "
    uncache "$dev"
    ok "$size: nothing is left" holds /dev/zero 0 16384
done
done_testing
