#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What a run may overwrite: a file of somebody else and a device with a file system
# or partition table only with --destroy, a device in use never. A refusal changes
# nothing.
# shellcheck disable=SC2154 # new_loop sets the variable it is given
. "$(dirname "$0")/lib.sh"
engine_test uring

random_file "$TMP/precious" $((32 << 20))
before=$(state_of "$TMP/precious")
short --target "t=uring:$TMP/precious"
says "somebody's file is not overwritten" 2 'not made by fiopack.*--destroy'
is "and is as it was" "$(state_of "$TMP/precious")" "$before"
pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m --target "t=uring:$TMP/precious"
is "but it may be read" "$rc" 0
is "which leaves it as it was" "$(state_of "$TMP/precious")" "$before"
pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 64m --target "t=uring:$TMP/precious"
says "a read of more than it has would need a fill, so it is refused" 2 '--destroy'
is "and it is as it was" "$(state_of "$TMP/precious")" "$before"
short --destroy --target "t=uring:$TMP/precious"
is "--destroy overwrites it" "$rc" 0
ok "really" test "$(state_of "$TMP/precious")" != "$before"
mkdir "$TMP/dir"
mkdir "$TMP/dir/fiopack-vm1.dat"
short --target "t=uring:$TMP/dir"
says "a folder in a file's place" 2 'in the way'

# fio cuts a job file's lines at # and ;: what is left would be another file
for bad in '#x' ';x' ' ' '$x'; do
    before=$(state_of "$TMP/precious")
    short --destroy --target "t=uring:$TMP/precious$bad"
    says "a path that fio would read as another one ($bad)" 2 'cannot be a target'
    is "and that one is as it was" "$(state_of "$TMP/precious")" "$before"
done
short --target "t=uring:$TMP/new,bs=4k#x"
says "nor can an option" 2 'cannot be a target option'

# allocated is not written: reads of such blocks would not touch the medium
if fallocate -l 16M "$TMP/allocated" 2> /dev/null; then
    pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m --target "t=uring:$TMP/allocated"
    says "an allocated file that was never written is not measured" 2 '--destroy'
    pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m --assume-filled --target "t=uring:$TMP/allocated"
    is "unless the user says that it holds data" "$rc" 0
    rm "$TMP/allocated"
else
    skip "an allocated file that was never written" "no fallocate here"
fi
truncate -s 16M "$TMP/sparse"
pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m --target "t=uring:$TMP/sparse"
says "nor is a sparse one" 2 '--destroy'

reason=$(no_loop_reason)
if [ -n "$reason" ]; then
    skip "devices" "$reason"
    done_testing
fi

new_loop blank 64M
short --target "t=uring:$blank"
is "a blank device runs" "$rc" 0
like "it is filled before it is read" "$(errors)" '\[1/5\] t: writing'
like "the table says that it is a loop device" "$(output)" 'loop device'
short --vms 2 --target "t=uring:$blank" -o "$TMP/slices"
is "two VMs share a device" "$(grep -h '^offset=' "$TMP/slices/t/healthy/B4-T2-O32-W0-PR/1/job.fio" | tr '\n' ' ')" \
    "offset=0 offset=16777216 "
pack run r640 --runtime 1 --ramp 0 --vm-size 40m --vms 2 --target "t=uring:$blank"
says "slices that do not fit" 2 'lower --vm-size or --vms'
pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m --assume-filled --target "t=uring:$blank"
is "--assume-filled skips the fill" "$rc $(grep -c writing "$TMP/err")" "0 0"

new_loop fs 64M
mkfs.ext4 -q "$fs"
before=$(sum_of "$fs")
short --target "t=uring:$fs"
says "a file system is not overwritten" 2 'ext4.*--destroy'
is "and is as it was" "$(sum_of "$fs")" "$before"
mkdir "$TMP/mnt"
mount "$fs" "$TMP/mnt"
at_exit umount "$TMP/mnt"
short --destroy --target "t=uring:$fs"
says "a mounted one never, --destroy or not" 2 'is mounted on'
pack run r640/B4-T2-O32-W0-PR --assume-filled --target "t=psync:$fs"
says "with fio's engines neither" 2 'is mounted on'
umount "$TMP/mnt"
is "it is as mount and umount left it" "$(e2fsck -fn "$fs" > /dev/null 2>&1; echo $?)" 0
short --destroy --target "t=uring:$fs"
is "unmounted, --destroy overwrites it" "$rc" 0
ok "really" bash -c '! blkid -p "$1" > /dev/null' - "$fs"

new_loop parts 64M
echo 'start=2048, type=83' | sfdisk -q "$parts" 2> /dev/null
short --target "t=uring:$parts"
says "a partition table is not overwritten" 2 'partition table \(dos\)'
done_testing
