#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Drives on which reads of the 4 KiB at 1 MiB fail, and writes of those at 2 MiB: a job
# ends there with a sentence; one that may go on loses exactly those, counts them as
# fio's own engine does, and leaves fio's JSON whole.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need bad-virtio bad-nvme
each_engine

# Linux makes EIO of an error of a virtio disk, and ENODATA of one of an NVMe drive's medium,
# which fio takes for fatal unless it is told not to. Neighbours are not merged into one request
# here (QEMU's virtio-blk would do it too): they would fail together.
for drive in bad-virtio bad-nvme; do
    dev=$(node $drive)
    case $drive in
    bad-virtio) code=5 says='Input/output error: .*kernel log' go_on=(--continue_on_error=io) ;;
    bad-nvme) code=61 says='No data available: .*kernel log.*ignore_error=61,61' go_on=(--continue_on_error=io "--ignore_error=61,61") ;;
    esac
    echo 2 > "/sys/block/${dev##*/}/queue/nomerges"
    blkdiscard -fz -l 2M "$dev" 2> "$TMP/said"

    refused "$drive: a read" "read of 4096 bytes at offset 1048576 of $dev failed: $says" --filename="$dev" --rw=read \
        --bs=4k --size=2m --direct=1 --iodepth=8
    refused "$drive: a write" "write of 4096 bytes at offset 2097152 of $dev failed: $says" --filename="$dev" --rw=randwrite \
        --bs=4k --offset=1m --size=2m --direct=1 --iodepth=8
    counters=(jobs.0.error jobs.0.total_err jobs.0.first_error jobs.0.{read,write}.{total_ios,io_bytes,short_ios,drop_ios})
    for way in read randwrite; do
        job=(--filename="$dev" --bs=4k --size=2m --direct=1 --iodepth=8 "${go_on[@]}" "--rw=$way")
        want="$code 1 $code 512 $((511 * 4096)) 0 0 0 0 0 0"
        if [ $way = randwrite ]; then
            job+=(--offset=1m --buffer_pattern=0xa5)
            want="$code 1 $code 0 0 0 0 512 $((511 * 4096)) 0 0"
        fi
        ours "${job[@]}"
        is "$drive: $way, goes on: exit status, and one sentence" "$rc $(sentences | wc -l)" "0 1"
        is "$drive: $way, goes on: one error of 512, and the bytes of the others" "$(json "${counters[@]}" | xargs)" "$want"
    done
    # that this is also how fio's own engine counts is worth one look
    if [ $drive = bad-virtio ]; then
        theirs "${job[@]}"
        is "contrast: $INTREE counts the same" "$(json "${counters[@]}" | xargs)" "$want"
    fi
    is "$drive: all was written but that one place" "$(dd if="$dev" bs=4K skip=257 count=511 iflag=direct status=none | sha256sum)" \
        "$({ head -c 1020K /dev/zero | tr '\0' '\245'; head -c 4K /dev/zero; head -c 1020K /dev/zero | tr '\0' '\245'; } | sha256sum)"
done
done_testing
