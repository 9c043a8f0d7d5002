#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Where a report goes: -o writes a file whole or not at all; the newest results
# folder is the default; the formats are what they say they are.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

FIOPACK=${FIOPACK:-$SRC/build/fiopack}
[ -x "$FIOPACK" ] || skip_all "fiopack was not built"
export FIOPACK_PROFILES=$SRC/profiles
cases=$SRC/tests/data/normalize/valid

report()
{
    "$FIOPACK" report "$@"
}

files_here()
{
    find "$TMP/o" -mindepth 1 | wc -l
}

mkdir "$TMP/o"
report "$cases/mixed/fio.json" > "$TMP/want"
ok "-o is accepted" report -o "$TMP/o/r.txt" "$cases/mixed/fio.json"
ok "-o writes what stdout would have got" cmp "$TMP/want" "$TMP/o/r.txt"
is "and leaves no other file" "$(files_here)" 1

echo old > "$TMP/o/r.txt"
chmod 600 "$TMP/o/r.txt"
ok "an unreadable input is refused" test "$(report -o "$TMP/o/r.txt" /nonexistent 2> /dev/null; echo $?)" -eq 3
is "and the old file is as it was" "$(cat "$TMP/o/r.txt")" old
ok "the old file is replaced" report -o "$TMP/o/r.txt" "$cases/mixed/fio.json"
is "and keeps its permissions" "$(stat -c %a "$TMP/o/r.txt")" 600
is "no temporary file is left" "$(files_here)" 1
ok "-o /dev/null" report -o /dev/null "$cases/mixed/fio.json"

if [ -c /dev/full ]; then
    report "$cases/mixed/fio.json" > /dev/full 2> "$TMP/err"
    is "a full disk is an error" $? 3
    like "and said" "$(cat "$TMP/err")" "No space left"
fi

mkdir -p "$TMP/r/results"
cp -r "$cases/results-folder/dir" "$TMP/r/results/20260101T000000Z"
cp -r "$cases/results-synchronous/dir" "$TMP/r/results/20260102T000000Z"
cd "$TMP/r" || exit 1
like "without arguments: the newest results" "$(report)" "64 jobs of depth 1|ran as 64"

for format in markdown csv json; do
    report --format "$format" "$cases/results-folder/dir" > "$TMP/$format"
    is "$format: the exit status is the same" $? 1
done
is "markdown: rows have as many cells as their head" \
    "$(grep '^|' "$TMP/markdown" | sed 's/\\|//g' | awk -F'|' '{ print NF }' | uniq | wc -l)" 2
is "csv: lines end in CR LF" "$(grep -c $'\r$' "$TMP/csv")" "$(wc -l < "$TMP/csv")"
if perl -MJSON::PP -e 1 2> /dev/null; then
    like "json: it is" "$(perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>);
        print "$d->{schema} $d->{paper}{id} ", scalar @{$d->{records}}, " ", $d->{fio}' < "$TMP/json")" \
        '^1 r640 [0-9]+ fio-3\.33$'
else
    skip "json: it is" "no perl with JSON::PP"
fi

done_testing
