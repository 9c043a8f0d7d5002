#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A run that is killed at any moment and resumed gives the table of one that was not,
# with no run made twice and nothing left behind; and is refused once anything is
# another. Beside it: dry runs, several scenarios, one report of several folders.
# shellcheck disable=SC2016,SC2154 # programs in quotes; new_loop sets the variable it is given
. "$(dirname "$0")/lib.sh"
engine_test uring

seed=${FIOPACK_SEED:-$((RANDOM * 32768 + RANDOM))}
diag "FIOPACK_SEED=$seed repeats the moments"
RANDOM=$((seed % 32768))

# Every fio is logged, with what else of its results folder is alive when it starts. Processes
# instead of threads: killed alone, fio leaves them behind.
cat > "$TMP/fio" <<END
#!/bin/sh
if [ -n "\$FIOPACK_RESULTS" ]; then
    echo "start \${PWD#\$FIOPACK_RESULTS/}" >> "$TMP/log"
    all=\$(echo /proc/[0-9]*/environ) # before anything else is started from here
    for e in \$(grep -lzx "FIOPACK_RESULTS=\$FIOPACK_RESULTS" \$all 2> /dev/null); do
        [ "\$e" = "/proc/\$\$/environ" ] || echo "beside \$e" >> "$TMP/log"
    done
fi
exec $FIO "\$@"
END
chmod +x "$TMP/fio"
mkdir "$TMP/papers"
cp -r "$SRC/profiles/r640" "$TMP/papers/"
sed -i '/^thread=1$/d' "$TMP"/papers/r640/*.fio

# tree: all that is in the scratch folder, and when it was changed
tree()
{
    find "$TMP" -mindepth 1 ! -name out ! -name err ! -name log -printf '%P %i %s %T@ %C@\n' | sort
    stat -c '%n %y' "$TMP/results" "$TMP/papers" 2> /dev/null
}

# complete DIR: the runs and fills that are complete, and what cannot stay the same when made again
complete()
{
    find "$1" -name fio.json ! -path '*.partial/*' ! -path '*.failed/*' -printf '%P %i %s %T@\n' | sort
}

# strays DIR: processes that work for it
strays()
{
    grep -lzx "FIOPACK_RESULTS=$1" /proc/[0-9]*/environ 2> /dev/null
}

# rows DIR: what there is a figure of, and of how many repeats
rows()
{
    "$FIOPACK" report "$1" --format csv |
        awk -F, '{ print $1, $2, $3, $4, $5, $6, $8 == "" ? "unknown" : "measured", $12 }'
}

plan=(r640/B4-T2-O32-W0-PR r640/B512-T2-O2-W100-PS --runtime 1 --ramp 0 --vm-size 16m --vms 2 --repeat 3 --fio "$TMP/fio")

# --- killed ------------------------------------------------------------------

FIOPACK_PROFILES=$TMP/papers pack run "${plan[@]}" --target "t=uring:$TMP/whole.dat" -o "$TMP/whole"
is "a run that nothing disturbs" "$rc" 0
FIOPACK_PROFILES=$TMP/papers rows "$TMP/whole" > "$TMP/rows"
: > "$TMP/log"

# moment: up to 2 s, mostly after a fio has been started
moment()
{
    local before
    before=$(wc -l < "$TMP/log")
    if [ $((RANDOM % 4)) -gt 0 ]; then
        for _ in $(seq 50); do
            [ "$(wc -l < "$TMP/log")" -eq "$before" ] || break
            sleep 0.1
        done
    fi
    sleep "$((RANDOM % 2)).$((RANDOM % 10))$((RANDOM % 10))"
}

start()
{
    local -a command=("$FIOPACK" run --resume "$TMP/k")
    if [ ! -e "$TMP/k/run.json" ]; then
        rm -rf "$TMP/k"
        command=(env FIOPACK_PROFILES="$TMP/papers" "$FIOPACK" run "${plan[@]}" --target "t=uring:$TMP/k.dat" -o "$TMP/k")
    fi
    "${command[@]}" >> "$TMP/k.out" 2>> "$TMP/k.err" &
    pid=$!
}

# made: how many of the six runs are complete
made()
{
    complete "$TMP/k" 2> /dev/null | grep -vc fill
}

kills=0
: > "$TMP/seen"
while [ "$kills" -lt 10 ] && [ "$(made)" -lt 6 ]; do
    start
    moment
    child=$(pgrep -P "$pid" | head -n 1)
    victim=$((RANDOM % 3)) # the runner, both, or fio alone
    [ "$victim" -eq 0 ] || [ -z "$child" ] || kill -KILL "$child" 2> /dev/null
    # goes on without that run; so that there is something left to do it is killed a little later
    [ "$victim" -lt 2 ] || sleep "0.$((RANDOM % 10))"
    kill -KILL "$pid" 2> /dev/null
    { wait "$pid"; } 2> /dev/null
    kills=$((kills + 1))
    complete "$TMP/k" >> "$TMP/seen" 2> /dev/null
done
diag "$kills kills, $(made) runs were complete then"
ok "killed often enough" test "$kills" -ge 4
FIOPACK_PROFILES='' pack run --resume "$TMP/k"
is "resumed to its end" "$rc" 0 || diag "$(errors)"
ok "the table has the rows of the undisturbed run" diff <(FIOPACK_PROFILES=$TMP/papers rows "$TMP/k") "$TMP/rows"
complete "$TMP/k" > "$TMP/now"
is "what was complete once was never made again" "$(sort -u "$TMP/seen" | comm -23 - "$TMP/now")" ""
is "all runs are there" "$(grep -vc fill "$TMP/now")" 6
ok "no fio was started beside another" bash -c '! grep beside "$1"' - "$TMP/log"
ok "and not more of them than were cut off" test "$(grep -c start "$TMP/log")" -le $((7 + 2 * kills))
is "nothing half-made or failed is left" \
    "$(find "$TMP/k" -name '*.partial' -o -name '*.failed' -o -name '*.new' -o -name '.check*')" ""
is "and no process" "$(strays "$TMP/k")" ""
ok "each result is whole" perl -MJSON::PP -e \
    'for (@ARGV) { open my $f, "<", $_ or die; local $/; @{decode_json(<$f>)->{jobs}} or die }' \
    "$TMP"/k/t/healthy/*/*/fio.json
like "the report says when it was resumed" "$(output)" '^Resumed +20'
cp "$TMP/out" "$TMP/table"
: > "$TMP/log"
pack run --resume "$TMP/k"
is "a finished folder: the table again" "$rc $(cmp "$TMP/out" "$TMP/table")" "0 "
is "and nothing is run" "$(cat "$TMP/log")" ""

# --- refused -----------------------------------------------------------------

# begin FILE DIR RUN ARG...: start a run, and come back when RUN, a folder in DIR, is complete
begin()
{
    local file=$1 dir=$2 first=$3
    shift 3
    FIOPACK_PROFILES=$TMP/papers "$FIOPACK" run "$@" --runtime 1 --ramp 0 --fio "$TMP/fio" \
        --target "t=uring:$file" -o "$dir" > /dev/null 2>&1 &
    pid=$!
    for _ in $(seq 100); do
        [ -d "$dir/$first" ] && break
        sleep 0.1
    done
}

# cut_off FILE DIR: a folder with one of three runs
cut_off()
{
    begin "$1" "$2" t/healthy/B4-T2-O32-W0-PR/1 r640/B4-T2-O32-W{0,100}-PR r640/B512-T2-O2-W0-PS --vm-size 16m
}
cut_off "$TMP/c.dat" "$TMP/c"
pack run --resume "$TMP/c"
says "while it runs" 2 'another fiopack run is at work in'
kill -KILL "$pid"
{ wait "$pid"; } 2> /dev/null
before=$(complete "$TMP/c")

# refuses NAME REGEX: resuming fails with a sentence, and changes and runs nothing
refuses()
{
    : > "$TMP/log"
    tree > "$TMP.before"
    pack run --resume "$TMP/c"
    says "$1" 2 "$2"
    is "$1: nothing is run or changed" "$(cat "$TMP/log"; tree | diff "$TMP.before" -)" ""
}
at_exit rm -f "$TMP.before"
sed -i.orig 's/^bs=512k/bs=256k/' "$TMP/papers/r640/B512-T2-O2-W0-PS.fio"
refuses "a profile was edited" 't/healthy/B512-T2-O2-W0-PS/1.parts\[0\].job\[[0-9]+\] was "bs=512k" and is "bs=256k"'
mv "$TMP/papers/r640/B512-T2-O2-W0-PS.fio.orig" "$TMP/papers/r640/B512-T2-O2-W0-PS.fio"
cp "$TMP/fio" "$TMP/fio.orig"
sed -i '2i [ "$1" != --version ] || { echo fio-9.99; exit; }' "$TMP/fio"
refuses "another fio" 'fio.version was "fio-[0-9.]+" and is "fio-9.99"'
cp "$TMP/fio.orig" "$TMP/fio"
echo '# of the same version' >> "$TMP/fio"
refuses "another build of it" 'fio.fingerprint was'
cp "$TMP/fio.orig" "$TMP/fio"
sed -i.orig 's/"release": "/&old-/' "$TMP/c/environment.json"
refuses "another kernel" 'kernel.release was "old-'
mv "$TMP/c/environment.json.orig" "$TMP/c/environment.json"
sed -i.orig 's/"plugin": "[0-9a-f]*"/"plugin": "0"/' "$TMP/c/environment.json"
refuses "another engine" 'targets\[0\].plugin was "0"'
mv "$TMP/c/environment.json.orig" "$TMP/c/environment.json"
pack run --resume "$TMP/c" --vms 3
says "other options" 2 'takes the plan from'
pack run r640 --resume "$TMP/c"
says "profiles" 2 'takes the plan from'
pack run --resume "$TMP/papers"
says "a folder without results" 3 'run.json'
mkdir "$TMP/old"
perl -MJSON::PP -e 'local $/; my $j = decode_json(<>); delete $j->{command}; print encode_json($j)' \
    "$TMP/c/run.json" > "$TMP/old/run.json"
cp "$TMP/c/environment.json" "$TMP/old/"
pack run --resume "$TMP/old"
says "results of an older version" 2 'does not say how the run was begun'

# little memory more or less is harmless, and told; a torn result is made again
perl -pi -e 's/("memory_bytes": )(\d+)/$1 . ($2 - 4096)/e' "$TMP/c/environment.json"
truncate -s -100 "$TMP/c/t/healthy/B4-T2-O32-W0-PR/1/fio.json"
: > "$TMP/log"
cd / || exit 1
FIOPACK_PROFILES='' pack run --resume "$TMP/c"
cd "$TMP" || exit 1
is "as it was before, it goes on" "$rc" 0
like "what changed is in the report" "$(output)" '^Resumed .*when memory_bytes was [0-9]+ and is [0-9]+'
is "the torn result was made again, the fill was not" \
    "$(grep -c 'start t/healthy/B4-T2-O32-W0-PR/1.partial' "$TMP/log") $(grep -c fill "$TMP/log")" "1 0"
is "what was whole was not" "$(grep -v B4-T2-O32-W0-PR <<< "$before" | comm -23 - <(complete "$TMP/c"))" ""

# --- names, and two workloads at once -----------------------------------------

cp -r "$SRC/profiles/vmfleet2" "$TMP/papers/"

# killed DIR RUN ARG...: kill a run when RUN is complete, and its fio
killed()
{
    begin "$TMP/v.dat" "$@"
    child=$(pgrep -P "$pid" | head -n 1)
    kill -KILL "$pid"
    [ -z "$child" ] || kill -KILL "$child" 2> /dev/null
    { wait "$pid"; } 2> /dev/null
    before=$(complete "$1")
    : > "$TMP/log"
}
names=(b8t4o16w30pr B64-T2-O8-W0-PS --repeat 2 --vm-size 16m)
killed "$TMP/v" t/any/B8-T4-O16-W30-PR/1 "${names[@]}"
sed -i.orig 's/bs=64k/bs=32k/' "$TMP/v/paper.json"
pack run --resume "$TMP/v"
says "a kept paper that was edited" 2 'B64-T2-O8-W0-PS/1.parts\[0\].job\[[0-9]+\] was "bs=64k" and is "bs=32k"'
mv "$TMP/v/paper.json.orig" "$TMP/v/paper.json"
# what the names meant then counts, not what they mean now
mkdir "$TMP/papers/b8t4o16w30pr"
cp "$SRC/profiles/r640/paper.json" "$TMP/papers/b8t4o16w30pr/"
pack run --resume "$TMP/v" --dry-run
is "a dry run of what is left of VMFleet names" "$rc $(grep -c '^# \[.*, run ' "$TMP/out") $(cat "$TMP/log")" \
    "0 $((4 - $(grep -vc fill <<< "$before"))) "
FIOPACK_PROFILES='' pack run --resume "$TMP/v"
rm -r "$TMP/papers/b8t4o16w30pr"
is "names are resumed" "$rc $(find "$TMP/v/t/any" -name fio.json | wc -l)" "0 4" || diag "$(errors)"
is "and what was complete is not made again" "$(comm -23 - <(complete "$TMP/v") <<< "$before")" ""
is "the table has both, measured" "$(grep -cE '^B(8-T4-O16-W30-PR .* IOPS, |64-T2-O8-W0-PS .* [MG]B/s, )' "$TMP/out")" 2
killed "$TMP/sql" t/any/SQL/1 vmfleet2/SQL --repeat 3 --vm-size 40m --vms 2
FIOPACK_PROFILES='' pack run --resume "$TMP/sql"
is "so are two workloads at once" "$rc $(grep -ch '^\[SQL' "$TMP"/sql/t/any/SQL/*/job.fio | paste -sd ' ')" "0 4 4 4" || diag "$(errors)"
is "none of them twice" "$(comm -23 - <(complete "$TMP/sql") <<< "$before")" ""

# --- devices -----------------------------------------------------------------

reason=$(no_loop_reason)
if [ -n "$reason" ]; then
    skip "devices" "$reason"
else
    new_loop dev 64M
    cut_off "$dev" "$TMP/d"
    kill -INT "$pid"
    wait "$pid"
    back=$(losetup -nO BACK-FILE "$dev")
    truncate -s 96M "$back"
    losetup -c "$dev"
    pack run --resume "$TMP/d"
    says "a device of another size" 2 'device_bytes was 67108864 and is 100663296'
    truncate -s 64M "$back"
    losetup -c "$dev"
    : > "$TMP/log"
    "$FIOPACK" run --resume "$TMP/d" > "$TMP/out" 2> "$TMP/err" &
    pid=$!
    for _ in $(seq 100); do
        grep -q 'start t/healthy' "$TMP/log" && break
        sleep 0.1
    done
    kill -INT "$pid"
    wait "$pid"
    is "a device that was filled is not filled again" "$(grep -c fill "$TMP/log")" 0
    dd if=/dev/zero of="$dev" bs=1M count=16 conv=fsync status=none
    pack run --resume "$TMP/d"
    is "one that lost its data is" "$rc $(grep -c fill "$TMP/log")" "0 1"
    like "and that is said" "$(errors)" 't lost the data'
fi

# --- dry runs ----------------------------------------------------------------

tree > "$TMP.before"
pack run r640 --dry-run --vm-size 16m
is "a dry run of everything by default" "$rc $(tree | diff "$TMP.before" -)" "0 "
by_hand=(--vm-size 16m --runtime 1 --ramp 0 --target "a=uring:$TMP/it's new.dat")
pack run r640/B4-T2-O32-W{0,100}-PR --dry-run "${by_hand[@]}" --repeat 2 -o "$TMP/by-hand"
is "a dry run on a new file" "$rc $(tree | diff "$TMP.before" -)" "0 "
is "prints a fill and all runs, in their order" "$(grep '^# \[' "$TMP/out" | cut -d, -f 1-2)" \
    "$(printf '# [%s\n' '1/5] a: writing 16 MiB once, so that there is data to read' \
        '2/5] a: B4-T2-O32-W0-PR, run 1 of 2' '3/5] a: B4-T2-O32-W0-PR, run 2 of 2' \
        '4/5] a: B4-T2-O32-W100-PR, run 1 of 2' '5/5] a: B4-T2-O32-W100-PR, run 2 of 2')"
cp "$TMP/out" "$TMP/script"
ok "a shell runs what is printed" sh "$TMP/script"
is "into the same folders" "$(complete "$TMP/by-hand" | cut -d' ' -f 1)" \
    "$(printf '%s\n' a/.fill/fio.json a/healthy/B4-T2-O32-W{0,100}-PR/{1,2}/fio.json)"
pack run r640/B4-T2-O32-W0-PR "${by_hand[@]}" -o "$TMP/as-run"
is "with the same jobs" "$(cmp "$TMP"/{by-hand,as-run}/a/healthy/B4-T2-O32-W0-PR/1/job.fio)" ""
pack run vmfleet2/SQL --dry-run --vm-size 40m --vms 2 --target "a=uring:$TMP/v.dat" -o "$TMP/sql-dry"
cp "$TMP/out" "$TMP/script"
is "a dry run of two workloads at once" "$rc $(test -e "$TMP/sql-dry" && echo there)" "0 "
pack run vmfleet2/SQL --runtime 1 --ramp 0 --vm-size 40m --vms 2 --target "a=uring:$TMP/v.dat" -o "$TMP/sql-run"
is "prints the job of both, on their regions" \
    "$(sed -n '/^# Rendered/,/^END/p' "$TMP/script" | sed '$d; s/^runtime=60$/runtime=1/; s/^ramp_time=300$/ramp_time=0/')" \
    "$(cat "$TMP/sql-run/a/any/SQL/1/job.fio")"
pack run B8-T4-O16-W30-PR --dry-run --vm-size 16m --target "a=uring:$TMP/v.dat" -o "$TMP/name-dry"
is "a dry run of a VMFleet name" \
    "$rc $(test -e "$TMP/name-dry" && echo there) $(grep -E '^(\[B8|bs=8|numjobs=|iodepth=16)' "$TMP/out" | paste -sd ' ')" \
    "0  bs=8k numjobs=4 iodepth=16 [B8-T4-O16-W30-PR.vm1]"
pack run r640 --dry-run --target "t=uring:$TMP/t.dat,nosuchoption=1"
says "what a run would refuse, a dry run does" 2 'nosuchoption'
pack run r640 --dry-run -o "$TMP/papers"
says "a folder in use too" 2 'not empty'
pack run --resume "$TMP/k" --dry-run
is "a dry run of a finished folder" "$rc $(output)" "0 "

# --- scenarios ---------------------------------------------------------------

matrix=(ax7525/B4-T2-O32-W0-PR ax7525/B512-T1-O1-W100-PSI --runtime 1 --ramp 0 --vm-size 16m --scenario healthy --scenario one-node-failed)
pack run "${matrix[@]}" --target "a=uring:$TMP/a.dat"
says "several scenarios without a way into them" 2 '\-\-enter'
pack run "${matrix[@]}" --enter true --scenario healthy --target "a=uring:$TMP/a.dat"
says "one of them twice" 2 'healthy is asked for twice'
pack run B8-T4-O16-W30-PR --scenario healthy -o "$TMP/s"
says "one that VMFleet names do not have" 2 'names have only one, any: leave out --scenario'
: > "$TMP/log"
pack run "${matrix[@]}" -o "$TMP/m" --target "a=uring:$TMP/a.dat" --target "b=psync:$TMP/a.dat" \
    --enter "echo to \$FIOPACK_SCENARIO; echo start \$FIOPACK_SCENARIO >> '$TMP/log'" --fio "$TMP/fio"
is "two scenarios, targets and profiles" "$rc" 0
is "each is entered once, before its runs" "$(grep -v fill "$TMP/log" | tr '\n' ' ' | sed 's/start //g; s/\.partial//g')" \
    "healthy $(echo {a,b}/healthy/B{4-T2-O32-W0-PR,512-T1-O1-W100-PSI}/1) one-node-failed $(echo {a,b}/one-node-failed/B{4-T2-O32-W0-PR,512-T1-O1-W100-PSI}/1) "
is "what the command says is shown and kept" "$(grep -c '^to ' "$TMP/err") $(cat "$TMP"/m/enter-*.log)" \
    "2 to healthy
to one-node-failed"
pack report "$TMP/m" --format markdown
sed -n 's/^| \(B[^|]*\) | \([ab]\) | \([a-z]*\) .*/\1 \2 \3 /p' "$TMP/out" > "$TMP/wide"
is "rows of both are measured" "$(grep -cE '^B(4-T2-O32-W0-PR|512-T1-O1-W100-PSI), (healthy|one-node-failed) +[ab] +(read|write) ' "$TMP/wide")" 8
pack run "${matrix[@]}" -o "$TMP/f" --target "a=uring:$TMP/a.dat" --enter "[ \$FIOPACK_SCENARIO != healthy ] || exit 7"
is "a command that fails" "$rc" 1
like "stops its scenario with a sentence" "$(errors)" 'fiopack: healthy: the command of --enter ended with status 7'
is "and no other" "$(find "$TMP/f/a/healthy" -name fio.json | wc -l) $(find "$TMP/f/a/one-node-failed" -name fio.json | wc -l)" "0 2"
if command -v script > /dev/null; then
    { sleep 1; echo; sleep 3; echo; sleep 1; } | timeout 60 script -qec \
        "$(printf '%q ' "$FIOPACK" run "${matrix[@]/ax7525\/B512-T1-O1-W100-PSI/--vms=1}" -o "$TMP/asked" --target "a=uring:$TMP/a.dat")" /dev/null > "$TMP/out"
    is "at a terminal run asks and waits" "$(grep -o 'Bring the machines into the scenario' "$TMP/out" | wc -l) $(complete "$TMP/asked" | wc -l)" "2 2"
else
    skip "at a terminal run asks and waits" "there is no script(1)"
fi

# --- one report of several folders -------------------------------------------

for s in healthy one-node-failed two-nodes-failed; do
    pack run ax7525/B512-T1-O1-W100-PSI --runtime 1 --ramp 0 --vm-size 16m --scenario $s -o "$TMP/r/$s" --target "a=uring:$TMP/a.dat"
done
cd "$TMP/r" || exit 1
pack report healthy one-node-failed two-nodes-failed
is "three folders, a scenario each" "$rc" 0
is "fill one table" "$(grep -cE '^B512-T1-O1-W100-PSI.*(healthy, 32|node failed|nodes failed).* GB/s.*[0-9.]+ [MG]B/s' "$TMP/out") $(grep -c 'Profile .* a (uring)' "$TMP/out")" "3 4"
is "each cell says what it is of" "$(grep -cE '^\[[0-9]+\] Measured in (healthy|one-node-failed|two-nodes-failed)\.' "$TMP/out")" 3
pack report healthy one-node-failed two-nodes-failed --format markdown
is "as Markdown" "$rc $(grep -cE '^\| B512-T1-O1-W100-PSI.*(healthy, 32|node failed|nodes failed).* [MG]B/s' "$TMP/out")" "0 3"
pack report healthy one-node-failed two-nodes-failed --format csv
is "as CSV" "$rc $(grep -cE '^B512-T1-O1-W100-PSI,[a-z-]*,a,uring,write,bandwidth,B/s,[0-9.]+,[0-9]+,.*Measured in' "$TMP/out")" "0 3"
pack report healthy one-node-failed two-nodes-failed --format json
is "as JSON" "$(perl -MJSON::PP -e 'local $/; my $j = decode_json(<>);
    print join " ", map { "$_->{scenario}=$j->{folders}[$_->{folders}[0]]{path}" }
        grep { $_->{metric} eq "bandwidth" && defined $_->{measured} } @{$j->{records}}' "$TMP/out")" \
    "healthy=healthy one-node-failed=one-node-failed two-nodes-failed=two-nodes-failed"

for map in 1 0; do
    sed -i "s/^norandommap=.*/norandommap=$map/" "$TMP/papers/r640/B4-T2-O32-W0-PR.fio"
    FIOPACK_PROFILES=$TMP/papers pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m -o "$TMP/r/map$map" --target "a=uring:$TMP/a.dat"
done
pack report map1 map0
like "runs of another job are no repeats" "$(output)" '^Profile .* a in map1 .* a in map0 '
done_testing
