#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# One boot by hand:
#
#   tests/lab/boot.sh [--kernel=newer] [--devices="plain-512 zns"] [--limit=SECONDS] SCRIPT...
#
# SCRIPT is a path under tests/ (lab/guest/data.sh, engine/08-devices.t); the devices are those of
# tests/lab/devices. TAP on stdout; the exit status says whether all went well.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
lab_or_skip
boot "$@"
done_testing
