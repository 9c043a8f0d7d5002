#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Writing to a block device that is mounted, swap, or held, or of which a partition
# is, is refused before anything is written, whatever makes the job write (rw=, a
# trim, an I/O log); reading is not; allow_mounted_write=1 is the only override.
# Everything happens on loop devices of files that this test made.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
why=$(no_loop_reason)
[ -z "$why" ] || skip_all "$why"

# the part of a device that the jobs here would write; a mounted file system itself writes elsewhere
part_sum()
{
    dd if="$1" bs=64K skip=$((8 * 16)) count=4 iflag=direct status=none | sha256sum
}

# stopped NAME REGEX ARG...: refused by us, or by fio itself before it asks any engine. fio knows
# a mounted device by name only, lets trims pass, and ends with status 0 then.
stopped()
{
    local name=$1 want=$2
    shift 2
    ours "$@"
    if grep -q "appears mounted, and .allow_mounted_write. isn.t set" "$TMP/err"; then
        is "$name (by fio)" "$(sentences; json "jobs.*.write.total_ios" 2> /dev/null | grep -v "^0$")" ""
    else
        refused "$name" "$want" "$@"
    fi
}

# refuses NAME REGEX DEVICE: whatever would change the device is refused, and does not
refuses()
{
    local name=$1 want=$2 target=$3 before how
    before=$(part_sum "$target")
    for how in "--rw=write" "--rw=randwrite --thread --direct=1" "--rw=randrw --iodepth=8" "--rw=trim" "--rw=randtrim" \
        "--rw=trimwrite" "--rw=readwrite --create_on_open=1" "--rw=write --fsync=2 --direct=1"; do
        # shellcheck disable=SC2086 # options are words
        stopped "$name: $how" "will not write to $target: $want.*allow_mounted_write=1" $how --filename="$target" --bs=4k \
            --offset=8m --size=256k
    done
    is "$name: nothing was written" "$(part_sum "$target")" "$before"
}

# --- mounted ---
dev=
new_loop dev 16M
mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$dev"
# contrast: while nothing uses it, it can be written
fine "contrast: an unused device can be written" --filename="$dev" --rw=write --bs=4k --size=256k --direct=1
mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$dev"
mkdir "$TMP/mnt with blank"
mount "$dev" "$TMP/mnt with blank" || skip_all "cannot mount a loop device here"
at_exit umount -l "$TMP/mnt with blank"
random_file "$TMP/mnt with blank/precious" 1M
precious=$(sum_of "$TMP/mnt with blank/precious")
sync -f "$TMP/mnt with blank"
refuses "mounted" "$dev is mounted on $TMP/mnt with blank: unmount" "$dev"
# another name of the same device
mknod "$TMP/alias" b "$((0x$(stat -c %t "$dev")))" "$((0x$(stat -c %T "$dev")))"
ln -s "$dev" "$TMP/by-id"
for path in "$TMP/alias" "$TMP/by-id"; do
    refused "mounted, by another name (${path##*/})" 'is mounted on .*mnt with blank' --filename="$path" --rw=write --bs=4k --size=64k
done
stopped "one of two devices" 'is mounted on' --filename="$TMP/plain:$dev" --rw=write --bs=4k --filesize=64k
# an I/O log tells its direction only when it is read
cat > "$TMP/iolog" <<END
fio version 2 iolog
$dev add
$dev open
$dev write 8388608 4096
$dev close
END
before=$(part_sum "$dev")
refused "replay of an I/O log with writes" 'will not write to .* is mounted on' --read_iolog="$TMP/iolog" --replay_no_stall=1
refused "replay redirected to it" 'will not write to .* is mounted on' --read_iolog="$TMP/iolog" --replay_no_stall=1 --replay_redirect="$dev"
is "replay: nothing was written" "$(part_sum "$dev")" "$before"
fine "reading a mounted device" --filename="$dev" --rw=randread --bs=4k --size=1m --iodepth=8 --direct=1
is "the mounted files are as they were" "$(sum_of "$TMP/mnt with blank/precious")" "$precious"
umount "$TMP/mnt with blank"
e2fsck -fn "$dev" > "$TMP/fsck" 2>&1
result $? "the file system is clean"

# the override, on a mount that may be destroyed
mount "$dev" "$TMP/mnt with blank"
fine "allow_mounted_write=1" --filename="$dev" --rw=write --bs=4k --size=64k --allow_mounted_write=1 --offset=8m
umount -l "$TMP/mnt with blank"
fine "unmounted, it can be written again" --filename="$dev" --rw=write --bs=4k --size=64k

# --- mounted where this process cannot see it ---
new_loop dev 16M
mkfs.ext4 -q -F "$dev"
unshare -m --propagation private sh -c 'mount "$1" "$2" && echo there && exec sleep 60' - "$dev" "$TMP/mnt with blank" > "$TMP/there" &
hidden=$!
for _ in $(seq 50); do
    [ -s "$TMP/there" ] && break
    sleep 0.1
done
before=$(part_sum "$dev")
refused "mounted in another mount namespace" 'in use by the kernel or another program' --filename="$dev" --rw=write --bs=4k --size=64k
is "and nothing was written" "$(part_sum "$dev")" "$before"
kill "$hidden"
{ wait "$hidden"; } 2> /dev/null

# --- a partition is mounted, the whole disk is written ---
disk=
new_loop disk 16M -P
if addpart "$disk" 1 2048 16384 2> "$TMP/why" && [ -b "${disk}p1" ] && mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "${disk}p1"; then
    mkdir "$TMP/part"
    mount "${disk}p1" "$TMP/part"
    at_exit umount -l "$TMP/part"
    refuses "a partition is mounted" "partition ${disk}p1 of $disk is mounted on $TMP/part" "$disk"
    stopped "the partition itself" "${disk}p1 is mounted on $TMP/part" --filename="${disk}p1" --rw=write --bs=4k --size=64k
    umount "$TMP/part"
    fine "partition unmounted" --filename="${disk}p1" --rw=write --bs=4k --size=64k
    delpart "$disk" 1
else
    skip "a partition is mounted" "no partitions on loop devices here: $(head -n 1 "$TMP/why")"
fi

# --- swap ---
swap=
new_loop swap 16M
mkswap "$swap" > /dev/null
if swapon "$swap" 2> "$TMP/why"; then
    at_exit swapoff "$swap"
    for how in --rw=write "--rw=trim --thread"; do
        # shellcheck disable=SC2086
        refused "active swap: $how" "$swap is active swap: swapoff" $how --filename="$swap" --bs=4k --size=64k
    done
    ok "swapoff" swapoff "$swap"
    fine "swap that is off" --filename="$swap" --rw=write --bs=4k --size=64k
else
    skip "active swap" "$(head -n 1 "$TMP/why")"
fi

# --- held by another device ---
held=
new_loop held 16M
name=fiopack-test-$$
if dmsetup create "$name" --table "0 16384 linear $held 0" 2> "$TMP/why"; then
    at_exit dmsetup remove "$name"
    refuses "held by device mapper" "$held is held by /dev/dm-[0-9]+" "$held"
    fine "the mapped device itself" --filename="/dev/mapper/$name" --rw=write --bs=4k --size=64k --direct=1
    dmsetup remove "$name"
    fine "no longer held" --filename="$held" --rw=write --bs=4k --size=64k
else
    skip "held by device mapper" "no device mapper in this kernel: $(tail -n 1 "$TMP/why")"
fi
# the same without device mapper: what the engine reads is put in place in a mount namespace of its own
if unshare -m true 2> /dev/null; then
    node=$(stat -c '%Hr:%Lr' "$held" 2> /dev/null)
    [[ $node =~ ^[0-9]+:[0-9]+$ ]] || node=$((0x$(stat -c %t "$held"))):$((0x$(stat -c %T "$held")))
    cat > "$TMP/with-holder" <<END
#!/bin/sh
exec unshare -m sh -c '
    mount -t tmpfs none "/sys/dev/block/$node/holders" && mkdir "/sys/dev/block/$node/holders/dm-77" && exec "\$0" "\$@"' "$FIO" "\$@"
END
    chmod +x "$TMP/with-holder"
    saved=$FIO
    FIO=$TMP/with-holder
    refused "a holder in sysfs" "$held is held by /dev/dm-77" --filename="$held" --rw=write --bs=4k --size=64k
    fine "a holder in sysfs: reading" --filename="$held" --rw=read --bs=4k --size=64k
    FIO=$saved
else
    skip "a holder in sysfs" "no mount namespaces here"
fi
done_testing
