#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every profile of every paper: fio parses it by hand, it is neutral of engine and
# target, and what it says agrees with its name (B4-T2-O32-W0-PR: block, threads,
# outstanding, writes, pattern) and with paper.json.
. "$(dirname "$0")/lib.sh"

# option FILE NAME: the value fio ends up with
option()
{
    sed -n "s/^$2=//p" "$1" | tail -n 1
}

# field PAPER PROFILE KEY: a value of paper.json
field()
{
    perl -MJSON::PP -e 'local $/; my ($id, $key) = @ARGV; @ARGV = ();
        my ($p) = grep { $_->{id} eq $id } @{decode_json(<STDIN>)->{profiles}};
        print $p->{$key} // ""' "$2" "$3" < "$1"
}

declare -A words=([PR-0]=randread [PR-100]=randwrite [PS-0]=read [PS-100]=write [PSI-0]=read [PSI-100]=write)
for paper in "$SRC"/profiles/*/paper.json; do
    dir=$(dirname "$paper")
    id=$(basename "$dir")
    pack show "$id"
    is "$id: paper.json is read" "$rc" 0
    is "$id: every job file belongs to a profile and the other way round" \
        "$(cd "$dir" && printf '%s\n' *.fio | sort)" \
        "$(perl -MJSON::PP -e 'local $/; print "$_->{file}\n" for @{decode_json(<>)->{profiles}}' "$paper" | sort)"
    for job in "$dir"/*.fio; do
        name=$(basename "$job" .fio)
        if [ -n "$FIO" ]; then
            ok "$name: fio parses it by hand" \
                "$FIO" --parse-only --ioengine=psync --filename="$TMP/f" "$job"
        else
            skip "$name: fio parses it by hand" "there is no fio"
        fi
        ok "$name: sets no engine, file or include" \
            bash -c '! grep -Eq "^ *(ioengine|filename|directory|include)" "$1"' - "$job"
        ok "$name: says what it encodes and what it chose" \
            bash -c 'head -n 20 "$1" | grep -q "^# Paper: " && grep -q "leaves open, and this file chooses" "$1"' - "$job"
        is "$name: numjobs is paper.json's threads" "$(option "$job" numjobs)" "$(field "$paper" "$name" threads)"
        is "$name: iodepth is paper.json's outstanding" "$(option "$job" iodepth)" "$(field "$paper" "$name" outstanding)"
        if [[ $name =~ ^B([0-9]+)-T([0-9]+)-O([0-9]+)-W([0-9]+)-(PR|PSI|PS)$ ]]; then
            w=${BASH_REMATCH[4]} p=${BASH_REMATCH[5]}
            is "$name: is what its name says" \
                "$(option "$job" bs) $(option "$job" numjobs) $(option "$job" iodepth) $(option "$job" rw)" \
                "${BASH_REMATCH[1]}k ${BASH_REMATCH[2]} ${BASH_REMATCH[3]} ${words[$p-$w]:-randrw}"
            is "$name: so does paper.json" \
                "$(field "$paper" "$name" block_bytes) $(field "$paper" "$name" write_percent)" \
                "$((BASH_REMATCH[1] * 1024)) $w"
        fi
    done
done
done_testing
