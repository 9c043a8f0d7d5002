#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# cppcheck finds nothing, clang compiles everything without a warning, and the unit
# tests neither leak nor read what was never written (valgrind).
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
cd "$SRC" || exit 1

if command -v cppcheck > /dev/null; then
    # fio's and the system's headers are not looked into, so what depends on them is not reported
    for part in engines/core engines scripts; do
        depth=9
    [ "$part" != engines ] || depth=1
    mapfile -t files < <(find "$part" -maxdepth $depth -name "*.c")
        cppcheck -q -j 2 --std=c11 --enable=warning,portability,performance --error-exitcode=1 --inline-suppr \
            --suppress=missingInclude --suppress=missingIncludeSystem --suppress=unmatchedSuppression \
            -I engines -I "$BUILD" -I . "${files[@]}" > "$TMP/said" 2>&1
        result $? "cppcheck: $part" || diag "$(head -n 40 "$TMP/said")"
    done
else
    skip cppcheck "cppcheck is missing"
fi

if command -v clang > /dev/null; then
    out=$BUILD/by-clang
    mkdir -p "$out"
    opts=(--cc=clang --enable-werror)
    [ -z "$FIO" ] || opts+=("--with-fio=$FIO")
    [ -z "$FIO_SRC" ] || opts+=("--with-fio-src=$FIO_SRC")
    (cd "$out" && "$SRC/configure" "${opts[@]}" && make -j 2) > "$TMP/said" 2>&1
    result $? "clang compiles it without a warning" || diag "$(grep -E 'error|warning|\*\*\*' "$TMP/said" | head -n 30)"
else
    skip "clang compiles it without a warning" "clang is missing"
fi

if ! command -v valgrind > /dev/null; then
    skip valgrind "valgrind is missing"
else
    for t in "$BUILD"/unit/test-*; do
        [[ $t != *.d ]] || continue
        [ -x "$t" ] || continue
        # the tests' own children (losetup, mkfs) are other people's programs
        CMOCKA_MESSAGE_OUTPUT=TAP timeout 120 valgrind -q --error-exitcode=99 --leak-check=full \
            --errors-for-leak-kinds=definite "$t" > "$TMP/said" 2>&1 < /dev/null
        result $? "valgrind: ${t##*/}" || diag "$(grep -Ev '^(#|)ok ' "$TMP/said" | head -n 30)"
    done
fi
done_testing
