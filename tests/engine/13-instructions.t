#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# An engine takes at most 0.60 of the instructions per I/O that fio's own takes (0.85 for laio in
# batches). Counted by tests/bench/instructions.sh, of which these are the cases that differ most;
# counts, unlike times, are the same on a busy machine.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
[ -n "${ENGINES:-}" ] || skip_all "no engine was built here (see the end of ./configure)"
command -v valgrind > /dev/null || skip_all "valgrind is missing: install valgrind"
symbols=$("$SRC/scripts/fio-source.sh" symbols "$FIO" "$BUILD/fio-source" 2> "$TMP/why") ||
    skip_all "no fio with symbols: $(tail -n 1 "$TMP/why")"

FIO_WITH_SYMBOLS=$symbols/fio BENCH_DIR=$TMP BENCH_CSV=$TMP BENCH_QUICK=1 \
    bash "$SRC/tests/bench/instructions.sh" > "$TMP/table" 2>&1
rc=$?
# 0 and 1 say whether the gate was met, case by case below
ok "counted" test $rc -le 1 || diag "$(tail -n 5 "$TMP/table")"
for engine in $ENGINES; do
    is "$engine: cases counted" "$(grep -c "^$engine," "$TMP/instructions.csv")" 3
done
while IFS=, read -r engine name ours theirs ratio gate _; do
    # hooks that cost nothing would be hooks not found
    ok "$engine $name: both engines were seen" awk -v a="$ours" -v b="$theirs" 'BEGIN { exit !(a > 20 && b > 20) }'
    within "$engine $name: per mille of fio's own ($ours of $theirs instructions per I/O)" \
        "$(awk -v r="$ratio" 'BEGIN { printf "%.0f", r * 1000 }')" 1 "$(awk -v g="$gate" 'BEGIN { printf "%.0f", g * 1000 }')"
done < <(tail -n +2 "$TMP/instructions.csv")
done_testing
