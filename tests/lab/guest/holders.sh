#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Drives that are in use for real: mounted, with a mounted partition, swap, part of a
# device mapper device, member of a RAID array. Writing and trimming is refused in one
# sentence and changes nothing; once released, or with allow_mounted_write=1, it goes.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need spare-1 spare-2
each_engine
one=$(node spare-1)
two=$(node spare-2)
mkdir "$TMP/mnt"

# the part that the jobs here would write
part()
{
    dd if="$1" bs=64K skip=$((8 * 16)) count=4 iflag=direct status=none | sha256sum
}
job=(--bs=4k --offset=8m --size=256k --iodepth=4 --direct=1)

# in_use NAME REGEX DEVICE ARG...: a job that would change the device is refused
in_use()
{
    local before
    before=$(part "$3")
    ours --filename="$3" "${job[@]}" "${@:4}"
    ok "$1: fails" test "$rc" -ne 0
    like "$1: one sentence" "$(sentences | wc -l) $(sentences)" "^1 .*will not write to $3: $2.*allow_mounted_write=1"
    is "$1: nothing was written" "$(part "$3")" "$before"
}
# free NAME DEVICE: now they are not
free()
{
    ours --filename="$2" --rw=randwrite "${job[@]}" "${@:3}"
    is "$1: exit status and words" "$rc $(errors)" "0 "
}
blkdiscard -f "$one" 2> "$TMP/said"
blkdiscard -f "$two" 2> "$TMP/said"
free "not in use" "$one"

mkfs.ext4 -q -F "$one"
mount "$one" "$TMP/mnt" || diag "cannot mount"
at_exit umount -l "$TMP/mnt"
random_file "$TMP/mnt/precious" 1M
precious=$(sum_of "$TMP/mnt/precious")
sync -f "$TMP/mnt"
# fio itself stops writes to a device that is mounted by the name given, not trims, not other names
ln -s "$one" "$TMP/by-id"
in_use "mounted, trim" "$one is mounted on $TMP/mnt: unmount" "$one" --rw=trim
in_use "mounted, by another name" "$TMP/by-id is mounted on $TMP/mnt: unmount" "$TMP/by-id" --rw=randwrite --thread
umount "$TMP/mnt"
e2fsck -fn "$one" > "$TMP/fsck" 2>&1
result $? "mounted: the file system is clean" || diag "$(cat "$TMP/fsck")"
mount "$one" "$TMP/mnt"
is "mounted: its files are as they were" "$(sum_of "$TMP/mnt/precious")" "$precious"
free "mounted, allow_mounted_write=1" "$one" --allow_mounted_write=1 --buffer_pattern=0xa5
umount "$TMP/mnt"
is "mounted, allow_mounted_write=1: it was written" "$(part "$one")" \
    "$(head -c 256K /dev/zero | tr '\0' '\245' | sha256sum)"

echo '2048 65536' | sfdisk -q --no-tell-kernel "$two" > "$TMP/said" 2>&1
blockdev --rereadpt "$two"
mkfs.ext4 -q -F "${two}p1" && mount "${two}p1" "$TMP/mnt"
in_use "a partition is mounted" "partition ${two}p1 of $two is mounted on $TMP/mnt" "$two" --rw=randwrite
umount "$TMP/mnt"
mkswap "${two}p1" > /dev/null 2>&1
swapon "${two}p1" && at_exit swapoff "${two}p1"
in_use "a partition is swap" "partition ${two}p1 of $two is active swap: swapoff" "$two" --rw=randtrim
in_use "swap" "${two}p1 is active swap: swapoff" "${two}p1" --rw=randrw
swapoff "${two}p1"
blkdiscard -f "$two" 2> "$TMP/said"
blockdev --rereadpt "$two"

if modprobe dm_mod && dmsetup create held --table "0 65536 linear $two 0"; then
    at_exit dmsetup remove held
    in_use "held by device mapper" "$two is held by /dev/dm-[0-9]+" "$two" --rw=write --fsync=4
    free "the mapped device itself" "/dev/dm-$(dmsetup info -c --noheadings -o minor held)"
    dmsetup remove held
else
    skip "held by device mapper" "this kernel has no dm_mod"
fi

# an array without metadata, by sysfs alone
md=/sys/block/md77/md
if modprobe raid1 && echo md77 > /sys/module/md_mod/parameters/new_array && [ -d $md ]; then
    echo none > $md/metadata_version
    echo raid1 > $md/level
    echo 1 > $md/raid_disks
    echo 32768 > $md/component_size
    cat "/sys/block/${two##*/}/dev" > $md/new_dev
    echo 32768 > "$md/dev-${two##*/}/size"
    echo 0 > "$md/dev-${two##*/}/slot"
    echo active > $md/array_state
    like "the array runs" "$(cat $md/array_state)" "^(active|clean)$"
    in_use "member of an array" "$two is held by /dev/md77" "$two" --rw=randwrite --thread
    free "the array itself" /dev/md77
    echo clear > $md/array_state
    free "no longer a member" "$two"
else
    skip "member of an array" "this kernel has no raid1"
fi
done_testing
