#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What only a newer kernel has, or does differently: a switch for io_uring, and polling
# of a drive without poll queues.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
lab_or_skip
boot --kernel=newer --devices=plain-512 lab/guest/refused.sh lab/guest/hipri.sh
done_testing
