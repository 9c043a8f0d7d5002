#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Runs test programs under prove. Skips are shown with their reasons and counted, in
# a line before prove's own summary: a skipped test is not a passed one.
#
#   run.sh FILE...       all of them
#   run.sh --one FILE    one, as prove runs it
set -o pipefail

if [ "${1:-}" = --one ]; then
    case $2 in
    *.t) exec "$2" ;;
    esac
    # cmocka 1.1.5 writes "not ok" before the SKIP of a test that it did not fail
    "$2" | sed 's/^not ok \(.* # SKIP\|[0-9]* # SKIP\)/ok \1/'
    exit
fi

prove --timer --directives --exec "$0 --one" "$@" 2>&1 | awk '
    / # SKIP /  { skipped++ }
    /skipped: / && !/^#/ { files++ }
    /^Files=/   { printf "Skipped: %d tests, %d whole files (reasons above)\n", skipped, files }
                { print; fflush() }'
