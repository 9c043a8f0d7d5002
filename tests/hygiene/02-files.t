#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every source file names its licence and says what it is about, is formatted as
# .clang-format says, and lies where the layout of the project puts it.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1
sources()
{
    find engines scripts tests "$@" | sort
}

is "every source file has an SPDX line at its top" "$(sources -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.t' \) |
    while read -r f; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || echo "$f"; done)" ""
is "so do configure, Makefile and .ci/run" \
    "$(for f in configure Makefile .ci/run; do head -n 3 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-only' || echo "$f"; done)" ""
# a paragraph: a comment block of at least two lines straight after the licence
is "every .c file opens with a comment paragraph" "$(sources -type f -name '*.c' |
    while read -r f; do
        awk 'NR == 2 && $0 != "/*" { exit 1 } NR > 2 && /\*\// { exit !(NR > 3) } NR > 60 { exit 1 }' "$f" || echo "$f"
    done)" ""
is "every header has an include guard" \
    "$(sources -type f -name '*.h' | while read -r f; do grep -q '^#ifndef [A-Z0-9_]*_H$' "$f" || echo "$f"; done)" ""
is "no source has carriage returns or blanks at the end of a line" \
    "$(sources -type f -name "*.[ch]" -exec grep -lE $'\r|[ \t]+$' {} +)" ""
is "test programs are executable" "$(sources -type f -name '*.t' ! -perm -u+x)" ""

if command -v clang-format > /dev/null; then
    while read -r f; do
        clang-format --dry-run -Werror "$f" > "$TMP/said" 2>&1 || { echo "$f"; head -n 3 "$TMP/said" >&2; }
    done < <(sources -type f -name '*.[ch]') > "$TMP/unformatted" 2> "$TMP/how"
    is "formatted as .clang-format says" "$(cat "$TMP/unformatted")" "" || diag "$(head -n 30 "$TMP/how")"
else
    skip "formatted as .clang-format says" "clang-format is missing"
fi

if git rev-parse --is-inside-work-tree > /dev/null 2>&1; then
    is "nothing but the agreed names at the top level" "$(git ls-files | cut -d/ -f1 | sort -u |
        grep -Evx 'engines|profiles|scripts|tests|configure|Makefile|README\.md|LICENSE|CHANGELOG\.md|\..*')" ""
    is "nothing that was built is under version control" "$(git ls-files | grep -E '^(build|results)/|\.(o|so)$')" ""
else
    skip "nothing but the agreed names at the top level" "not a git checkout"
fi
done_testing
