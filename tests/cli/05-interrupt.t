#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Ctrl-C at different moments: exit status 130, no fio left, no half-written run, and
# a table that says what was not run. Killed outright, fio does not go on alone.
. "$(dirname "$0")/lib.sh"
engine_test uring

# start ARG...: a long run in the background; $pid is fiopack's
start()
{
    rm -rf "$TMP/out.d"
    "$FIOPACK" run r640 --vm-size 16m --ramp 0 -o "$TMP/out.d" --target "t=uring:$TMP/t.dat" "$@" \
        > "$TMP/out" 2> "$TMP/err" &
    pid=$!
}

# wait until a condition holds, at most 20 s
until_true()
{
    for _ in $(seq 200); do
        "$@" && return 0
        sleep 0.1
    done
    return 1
}

fio_runs()
{
    pgrep -f "job.fio" -P "$1" > /dev/null
}

no_fio_in()
{
    ! pgrep -fa 'output=fio.json' | grep -q "$1"
}

start --runtime 60
until_true fio_runs "$pid"
sleep 1
child=$(pgrep -P "$pid")
kill -INT "$pid"
wait "$pid"
is "SIGINT in the first run" "$?" 130
like "says what is complete" "$(errors)" 'stopped; 0 of 4 runs are complete'
ok "its fio is gone" bash -c '! kill -0 "$1" 2> /dev/null' - "$child"
ok "no half-written run" test -z "$(find "$TMP/out.d" -name '*.partial')"
pack report "$TMP/out.d"
like "report says that they were not run" "$(output)" '[Nn]ot run'

# interrupted while the files are written: ours, but seen to lack data
rm -f "$TMP/t.dat"
"$FIOPACK" run r640 --vm-size 2g --runtime 1 --ramp 0 -o "$TMP/fill.d" --target "t=uring:$TMP/t.dat" \
    > "$TMP/out" 2> "$TMP/err" &
pid=$!
until_true fio_runs "$pid"
sleep 0.5
kill -INT "$pid"
wait "$pid"
is "SIGINT in the fill" "$?" 130
pack run r640/B512-T2-O2-W0-PS --vm-size 16m --runtime 1 --ramp 0 -o "$TMP/after.d" --target "t=uring:$TMP/t.dat,thread=1"
is "the next run takes the file" "$rc" 0
truncate -s 0 "$TMP/t.dat"
truncate -s 16m "$TMP/t.dat"
pack run r640/B512-T2-O2-W0-PS --vm-size 16m --runtime 1 --ramp 0 -o "$TMP/holes.d" --target "t=uring:$TMP/t.dat"
like "and fills what has no data" "$(errors)" 'writing 16 MiB'

start --runtime 2
until_true test -d "$TMP/out.d/t/healthy/B4-T2-O32-W100-PR"
sleep 0.5
kill -TERM "$pid"
wait "$pid"
is "SIGTERM in the second run" "$?" 130
like "the first one is kept" "$(errors)" 'stopped; 1 of 4 runs are complete'
pack report "$TMP/out.d"
like "and reported" "$(output)" '^B4-T2-O32-W0-PR .*IOPS.*IOPS'

start --runtime 60
until_true fio_runs "$pid"
child=$(pgrep -P "$pid")
kill -KILL "$pid"
{ wait "$pid"; } 2> /dev/null
ok "killed outright, its fio ends too" until_true bash -c '! kill -0 "$1" 2> /dev/null' - "$child"
done_testing
