#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The shell linter has nothing to say about any shell program of the project.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
command -v shellcheck > /dev/null || skip_all "shellcheck is missing"
cd "$SRC" || exit 1
while read -r file; do
    head -n 1 "$file" | grep -Eq '^#!.*(sh|bash)$|^# SPDX' || continue
    # SC2016: programs for perl and sh are meant to be in single quotes; SC2317: functions that ok calls
    shellcheck -x -P SCRIPTDIR -e SC2016,SC2317 "$file" > "$TMP/said" 2>&1
    result $? "$file" || diag "$(head -n 40 "$TMP/said")"
done < <(
    printf "%s\n" configure .ci/run
    find scripts tests -name '*.sh' -o -name '*.t' | sort
)
done_testing
