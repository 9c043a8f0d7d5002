#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The engines on drives behind the real NVMe driver, with blocks of 512 and 4096 bytes,
# and on drives with bad places; and from outside the guest: what was trimmed takes no
# room in the drive's file.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
lab_or_skip
boot --devices="plain-512 plain-4k bad-nvme bad-virtio" lab/guest/errors.sh lab/guest/data.sh
if booted; then
    for name in plain-512 plain-4k; do
        is "$name: sectors its file takes after the last trim" "$(stat -c %b "$TMP/images/$name")" 0
    done
fi
done_testing
