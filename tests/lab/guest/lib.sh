# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# For scripts that run inside a guest of the lab: all of tests/lib.sh, and the
# devices of this boot by their names in tests/lab/devices.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../lib.sh"

# need NAME...: these devices, or the whole script is skipped
need()
{
    local name why
    for name; do
        why=$(sed -n "s/^$name: //p" /fiopack/absent)
        [ -z "$why" ] || skip_all "no device $name: $why"
    done
}

# node NAME [NSID]: the block device with that serial number
node()
{
    local file serial
    for _ in {1..100}; do
        for file in /sys/block/*/device/serial /sys/block/*/serial /sys/block/*/device/vpd_pg80; do
            [ -e "$file" ] || continue
            # the last is binary: four bytes, then the number
            serial=$(tr -dc '[:print:]' < "$file" 2> /dev/null)
            [ "${serial// /}" = "$1" ] || continue
            file=${file#/sys/block/}
            file=${file%%/*}
            if [ "$(cat "/sys/block/$file/nsid" 2> /dev/null || echo "${2:-1}")" = "${2:-1}" ] && [ -b "/dev/$file" ]; then
                echo "/dev/$file"
                return
            fi
        done
        sleep 0.1
    done
    diag "no device with the serial number $1 came up"
    return 1
}

# generic NAME [NSID]: its character device for NVMe commands
generic()
{
    local block
    block=$(node "$@") && echo "${block/nvme/ng}"
}

# drop what the kernel has cached of a device, so that what is read comes from it
uncache()
{
    blockdev --flushbufs "$1"
}
