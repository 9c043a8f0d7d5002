#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The main job: a whole paper on the embedded target through our own engine, its
# table with four measured rows, and everything kept that was used. Then several
# targets, VMs and repeats, and a synchronous engine.
. "$(dirname "$0")/lib.sh"
engine_test uring

# shellcheck disable=SC2119 # its arguments, not ours
short
is "the default target runs the whole paper" "$rc" 0
is "the table has the paper's four rows, measured" \
    "$(grep -cE '^B(4|512)-T2-O(32|2)-W(0|100)-P[RS] .*(IOPS|GB/s).*(IOPS, [0-9.]+ [um]s|[0-9.]+ GB/s) +[0-9]' "$TMP/out")" 4
like "published figures are in it" "$(output)" '2,953,095 IOPS'
like "fio's version is named" "$(output)" 'fio-[0-9]'
like "the scratch file is marked as such" "$(output)" 'scratch file'
like "progress tells which run of how many, and what is left" "$(errors)" '\[2/5\] scratch: B4-T2-O32-W0-PR.* left'

root=$(echo "$TMP"/results/2*)
for p in B4-T2-O32-W0-PR B4-T2-O32-W100-PR B512-T2-O2-W0-PS B512-T2-O2-W100-PS; do
    ok "$p: job, result and log are kept" \
        test -s "$root/scratch/healthy/$p/1/job.fio" -a -s "$root/scratch/healthy/$p/1/fio.json" \
        -a -e "$root/scratch/healthy/$p/1/fio.log"
done
ok "run.json and environment.json are JSON" perl -MJSON::PP -e \
    'for (@ARGV) { open my $f, "<", $_ or die; local $/; decode_json(<$f>) }' "$root/run.json" "$root/environment.json"
like "the job ran on our engine" "$(cat "$root"/scratch/healthy/B4-T2-O32-W0-PR/1/job.fio)" '^ioengine=external:/.*/fio-uring.so$'
ok "nothing is left of the runs under way" test -z "$(find "$root" -name '*.partial' -o -name '*.new')"
cp "$TMP/out" "$TMP/first"
pack report "$root"
ok "report prints the same table again" cmp -s "$TMP/first" "$TMP/out"

# the scratch file is filled once; a read profile then changes nothing in it
scratch=$TMP/results/.scratch/fiopack-vm1.dat
before=$(state_of "$scratch")
pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m
is "a single profile runs" "$rc" 0
ok "the scratch file is not filled again" bash -c '! grep -q "writing" "$1"' - "$TMP/err"
is "a read profile leaves its target alone" "$(state_of "$scratch")" "$before"
ok "the file has no holes: reads met data" test "$(($(stat -c %b "$scratch") * 512))" -ge $((16 << 20))

# several of everything; the files of VMs are their own
pack run r640 --runtime 1 --ramp 0 --vm-size 8m --vms 2 --repeat 2 -o "$TMP/many" \
    --target "a=uring:$TMP/a.dat,fixedbufs,registerfiles=1" --target "b=psync:$TMP/b.dat"
is "two targets, two VMs, two repeats" "$rc" 0
is "each target has its columns" "$(grep -cE 'a \(uring\).*b \(psync\)' "$TMP/out")" 1
is "all runs are there" "$(find "$TMP/many" -path '*/healthy/*' -name fio.json | wc -l)" 16
ok "each VM has a file" test -f "$TMP/a.dat" -a -f "$TMP/a.dat.vm2"
job=$TMP/many/a/healthy/B4-T2-O32-W0-PR/1/job.fio
is "each VM has a section" "$(grep -c '^\[B4-T2-O32-W0-PR.vm[12]\]$' "$job")" 2
is "target options reach the job" "$(grep -cE '^(fixedbufs|registerfiles=1)$' "$job")" 2
job=$TMP/many/b/healthy/B4-T2-O32-W0-PR/1/job.fio
is "a synchronous engine runs T x O as jobs" "$(grep -E '^(numjobs|iodepth)=' "$job" | tr '\n' ' ')" "numjobs=64 iodepth=1 "
like "and the table says so" "$(output)" 'psync is synchronous'

like "times and sizes other than the profiles' are said" "$(output)" 'Run for 1 s after a ramp of 0 s, where the profiles have 60 s after a ramp of'
like "sizes too" "$(output)" 'Each VM works in 8 MiB on a, where the profiles have 10 GiB|Each VM works in 8.00 MiB'

# one place with two engines is filled once; a device too, were it one
pack run r640/B512-T2-O2-W0-PS --runtime 1 --ramp 0 --vm-size 8m -o "$TMP/twice" \
    --target "p=uring:$TMP/twice.dat" --target "q=psync:$TMP/twice.dat"
is "one place with two engines" "$rc" 0
is "is filled once" "$(find "$TMP/twice" -name .fill | wc -l) $(grep -c '^\[1/3\] p: writing' "$TMP/err")" "1 1"

# a scenario other than the first fills its own rows
pack run ax7525/B512-T1-O1-W100-PSI --scenario one-node-failed --runtime 1 --ramp 0 --vm-size 8m -o "$TMP/failed" \
    --target "a=uring:$TMP/a.dat"
is "a run in another scenario" "$rc" 0
like "fills that row" "$(output)" '^B512-T1-O1-W100-PSI.* one node failed .*6 GB/s.* GB/s [^ ]+ +[0-9.]+$'
like "and says that the paper had more VMs" "$(output)" 'Run with 1 VM on a, where the paper has 128 \(one node failed\)'
like "at depth 1 our engine fuses, and the report says so" "$(output)" 'submit=fused'
ok "in the job too" grep -q '^submit=fused$' "$TMP/failed/a/one-node-failed/B512-T1-O1-W100-PSI/1/job.fio"

# one run at a time on a target
"$FIOPACK" run r640/B512-T2-O2-W0-PS --runtime 20 --ramp 0 --vm-size 8m -o "$TMP/long" --target "x=uring:$TMP/a.dat" \
    > /dev/null 2>&1 &
other=$!
for _ in $(seq 100); do
    [ -e "$TMP/long/run.json" ] && break
    sleep 0.1
done
pack run r640/B512-T2-O2-W0-PS --runtime 1 --ramp 0 --vm-size 8m --target "y=uring:$TMP/a.dat"
says "a target that another run is using" 2 'another fiopack run is using'
kill -INT "$other"
wait "$other"

pack report "$TMP/many"
# the figures are fio's own: the sum over jobs of the two VMs
pack report "$TMP/many" --format csv
want=$(perl -MJSON::PP -e 'my ($sum, $n) = (0, 0); for my $p (@ARGV) { open my $f, "<", $p or die; local $/;
    $sum += $_->{read}{iops} for @{decode_json(<$f>)->{jobs}}; $n++ } printf "%.3f", $sum / $n' \
    "$TMP"/many/a/healthy/B4-T2-O32-W0-PR/[12]/fio.json)
got=$(grep '^B4-T2-O32-W0-PR,healthy,a,uring,read,iops,' "$TMP/out" | cut -d, -f 8 | xargs printf '%.3f')
is "measured IOPS are the mean over repeats of the sum over jobs" "$got" "$want"

pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 8m -o "$TMP/laio" --target "l=laio:$TMP/a.dat,libaio_vectored=1"
is "the laio engine, with an option of its own" "$rc" 0
like "as a plugin of ours" "$(cat "$TMP/laio"/l/healthy/B4-T2-O32-W0-PR/1/job.fio)" '^ioengine=external:/.*/fio-laio.so$'
done_testing
