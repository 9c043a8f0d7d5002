#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Drives in use and drives taken away, on a kernel whose NVMe queues can be polled.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
lab_or_skip
boot --devices="poll-queues plain-512 spare-1 spare-2" lab/guest/hipri.sh lab/guest/holders.sh lab/guest/removal.sh
done_testing
