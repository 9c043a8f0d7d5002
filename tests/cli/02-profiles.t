#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every profile of every paper: fio parses it by hand, it is neutral of engine and
# target, and what its sections say agrees with its name (B4-T2-O32-W0-PR: block,
# threads, outstanding, writes, pattern) and with paper.json.
. "$(dirname "$0")/lib.sh"

# option FILE SECTION NAME: the value fio ends up with
option()
{
    sed -n "/^\[global\]/,/^\[/s/^$3=//p; /^\[$2\]/,/^\[/s/^$3=//p" "$1" | tail -n 1
}

sections()
{
    sed -n 's/^\[\(.*\)\]$/\1/p' "$1" | grep -vx global
}

# of PAPER PROFILE EXPRESSION: something about $p, the profile or part of that name, in paper.json
of()
{
    perl -MJSON::PP -e 'local $/; my ($id, $what) = @ARGV; @ARGV = ();
        my ($p) = grep { $_->{id} eq $id } map { ($_, @{$_->{parts} // []}) } @{decode_json(<STDIN>)->{profiles}};
        print eval($what) // ""' "$2" "$3" < "$1"
}

# field PAPER PROFILE KEY
field()
{
    of "$1" "$2" "\$p->{$3}"
}

# size TEXT: 4k in bytes
size()
{
    local n=${1%[kg]}
    case $1 in
        *k) echo $((n * 1024)) ;;
        *g) echo $((n << 30)) ;;
        *) echo "$n" ;;
    esac
}

declare -A words=([PR-0]=randread [PR-100]=randwrite [PS-0]=read [PS-100]=write [PSI-0]=read [PSI-100]=write)
declare -A rw=([random-0]=randread [random-100]=randwrite [sequential-0]=read [sequential-100]=write
    [interlocked-0]=read [interlocked-100]=write)
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
        # shellcheck disable=SC2016 # $p and $_ are perl's
        is "$name: its sections are what paper.json says" "$(sections "$job" | paste -sd ' ')" \
            "$(of "$paper" "$name" 'join " ", $p->{parts} ? map { $_->{id} } @{$p->{parts}} : $p->{id}')"
        for part in $(sections "$job"); do
            is "$part: numjobs is paper.json's threads" \
                "$(option "$job" "$part" numjobs)" "$(field "$paper" "$part" threads)"
            is "$part: iodepth is paper.json's outstanding" \
                "$(option "$job" "$part" iodepth)" "$(field "$paper" "$part" outstanding)"
            w=$(field "$paper" "$part" write_percent)
            is "$part: block, pattern and writes are paper.json's" \
                "$(size "$(option "$job" "$part" bs)") $(option "$job" "$part" rw) $(option "$job" "$part" rwmixwrite)" \
                "$(field "$paper" "$part" block_bytes) ${rw[$(field "$paper" "$part" pattern)-$w]:-randrw} $( ((w % 100)) && echo "$w")"
            # reads and writes are limited apart: together it is the thread's limit, in the mix of its writes
            limit=$(field "$paper" "$part" rate_iops)
            case $w in
                0 | 100) want=$limit ;;
                *) want=${limit:+$((limit * (100 - w) / 100)),$((limit * w / 100))} ;;
            esac
            is "$part: so is what it holds back to" "$(option "$job" "$part" rate_iops)" "$want"
        done
        if [[ $name =~ ^B([0-9]+)-T([0-9]+)-O([0-9]+)-W([0-9]+)-(PR|PSI|PS)$ ]]; then
            w=${BASH_REMATCH[4]} p=${BASH_REMATCH[5]}
            is "$name: is what its name says" \
                "$(option "$job" "$name" bs) $(option "$job" "$name" numjobs) $(option "$job" "$name" iodepth) $(option "$job" "$name" rw)" \
                "${BASH_REMATCH[1]}k ${BASH_REMATCH[2]} ${BASH_REMATCH[3]} ${words[$p-$w]:-randrw}"
            is "$name: so does paper.json" \
                "$(field "$paper" "$name" block_bytes) $(field "$paper" "$name" write_percent)" \
                "$((BASH_REMATCH[1] * 1024)) $w"
        fi
    done
done

# VMFleet 2's regions: the tables behind the log, desktops over each other
is "SQL: tables from 5 GiB on, the log before" \
    "$(for s in SQL.oltp SQL.log; do for o in offset size; do option "$SRC/profiles/vmfleet2/SQL.fio" $s $o; done; done | paste -sd ' ')" \
    "5g 5g 5g"
is "VDI: 20 % of the writes and 80 % of the reads are random" \
    "$(for s in VDI.write VDI.read; do option "$SRC/profiles/vmfleet2/VDI.fio" $s percentage_random; done | paste -sd ' ')" "20 80"
if [ -n "$FIO" ]; then
    # fio's own view of both at once, by hand, in regions made small
    sed 's/=\([0-9]*\)g$/=\1m/; s/^ramp_time=.*/ramp_time=0/; s/^runtime=.*/runtime=2/' "$SRC/profiles/vmfleet2/SQL.fio" > SQL.fio
    timeout -k 5 60 "$FIO" --ioengine=psync --filename="$TMP/by-hand" --output-format=json+ --output=by-hand.json SQL.fio > log 2>&1
    is "SQL by hand: fio runs it" "$?" 0
    is "SQL by hand: its file is both regions" "$(stat -c %s "$TMP/by-hand")" $((10 << 20))
    pack report --paper vmfleet2 by-hand.json
    is "and report adds its parts up" "$rc $(grep -c '^SQL .*database and log .*IOPS' "$TMP/out")" "0 1"
else
    skip "SQL by hand" "there is no fio"
fi
done_testing
