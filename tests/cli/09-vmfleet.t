#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# VMFleet's workloads: any name is a profile, with the options that the papers' job
# files have for the same letters; and the named ones, of which two are two workloads at
# once that hold back to a rate.
. "$(dirname "$0")/lib.sh"

# what a job file says, without comments
options_of()
{
    grep -E '^(\[|[a-z])' "$1"
}

# the job file of the last show
shown_job()
{
    sed '1,/^[^ ]*:$/d' "$TMP/out" > shown.fio
    options_of shown.fio
}

# --- names -----------------------------------------------------------------

for job in "$SRC"/profiles/{r640,azs216,ax7525}/B*.fio; do
    name=$(basename "$job" .fio)
    pack show "$name"
    is "$name by itself has the options of $(basename "$(dirname "$job")")" "$(shown_job)" "$(options_of "$job")"
done

pack show b8t4o16w30pr
is "a name as in the result files" "$rc" 0
like "is written as everywhere" "$(output)" '^B8-T4-O16-W30-PR: 8 KiB random, 30 % writes$'
like "its DISKSPD command line" "$(output)" 'diskspd -Z20M -z -h -t4 -o16 -b8k -r8k -w30 -W60 -C60 -d60 -D -L '
like "and what is assumed" "$(output)" 'assumed: size: 10 GiB per VM'
is "its job" "$(shown_job | tail -n 5 | paste -sd ' ')" "rw=randrw rwmixwrite=30 bs=8k numjobs=4 iodepth=16"

pack show B64-T4-O8-W0-PSI
is "interlocked threads are one job with the depth of all" \
    "$(shown_job | tail -n 4 | paste -sd ' ')" "rw=read bs=64k numjobs=1 iodepth=32"
like "which is said" "$(output)" 'assumed: interlocked threads: one job'
like "DISKSPD would share the offset" "$(output)" ' -si64k '
pack show B64-T4-O8-W40-PS
is "sequential reads and writes" "$(shown_job | tail -n 5 | paste -sd ' ')" \
    "rw=rw rwmixwrite=40 bs=64k numjobs=4 iodepth=8"
like "have an offset each, which is said" "$(output)" 'each has its own offset'
pack show b8t2o4w30priops500
is "a limited rate is split as the mix is" "$(shown_job | tail -n 1)" "rate_iops=350,150"
like "and is DISKSPD's -g" "$(output)" ' -g500i '
pack show B8-T1-O1-W30-PR-IOPS75
is "in bytes where IOPS do not come out even" "$(shown_job | tail -n 1)" "rate=430080,184320"

while read -r bad want; do
    pack show "$bad"
    says "$bad" 2 "\"$bad\": $want.*; a VMFleet name is B \(block, KiB\), T "
done <<'END'
B8-T4-O16-W130-PR W is the percentage of writes, a number from 0 to 100, not "130"
B8-T4-O16-W30-PX P, the pattern, is PR, PS or PSI, not "PX"
B8-T4-O16-W30-PRX P, the pattern, .* not "PRX"
b8t4o16w30 P, the pattern, is missing at the end
B8-T4-W30-PR O, the outstanding I/Os of a thread, should be where "W30-PR" is
T4-B8-O16-W30-PR B, the block in KiB, should be where
B8-T0-O16-W30-PR T is the number of threads, a number from 1 to 4096, not "0"
B-T4-O16-W30-PR B is the block in KiB, a number from 1 to 65536, not ""
B0-T4-O16-W30-PR B is the block in KiB, .* not "0"
B8--T4-O16-W30-PR T, the number of threads, should be where
B99999999999999999999-T4-O16-W30-PR B is the block
B8-T4-O16-W30-PR-IOPS0 "IOPS0" at its end
B8-T4-O16-W30-PR-x "x" at its end
END
pack show B8-T4096-O65536-W0-PR
says "more in flight than makes sense" 2 'T x O is more than'
pack run B8-T4-O16-W130-PR -o "$TMP/bad"
says "run of no name" 2 'W is the percentage of writes'
pack run B8-T4-O16-W30-PR r640 -o "$TMP/bad"
says "names and a paper in one run" 2 'not of B8-T4-O16-W30-PR and r640'
pack run r640 B8-T4-O16-W30-PR -o "$TMP/bad"
says "the other way round" 2 'not of r640 and B8-T4-O16-W30-PR'
pack run B8-T4-O16-W30-PR --vm-size 16m --target a=nosuchengine:"$TMP/f" -o "$TMP/bad"
says "an engine that fio does not have" 2 'nosuchengine'
ok "and nothing is left of it" test ! -e "$TMP/bad"
pack list
like "list says that there are names" "$(output)" 'VMFleet name'

engine_test uring

quick()
{
    pack run --quick --runtime 1 --ramp 0 --vm-size 16m "$@"
}

quick b8t4o16w30pr B512-T2-O2-W0-PS B8-T4-O16-W30-PR -o "$TMP/names" --target "a=uring:$TMP/a.dat" --target "b=psync:$TMP/b.dat"
is "names are run, each once" "$rc $(find names/a/any -name fio.json | wc -l)" "0 2"
is "each has a row, measured on both targets" \
    "$(grep -cE '^B(8-T4-O16-W30-PR.* IOPS, .* IOPS, |512-T2-O2-W0-PS.* MB/s, .* MB/s, )' "$TMP/out")" 2
ok "and no column of what is not published" bash -c '! grep -Eq "Published|Ratio" "$1"' - "$TMP/out"
like "what is assumed is said" "$(output)" '^\[[0-9]+\] Assumed, size: 10 GiB per VM; a name does not say'
like "so is what was shortened" "$(output)" 'Each VM works in 16 MiB on a, where the profiles have 10 GiB'
is "the job is the name's" \
    "$(grep -E '^(rw|rwmixwrite|bs|numjobs|iodepth|sync|direct|norandommap)=' names/a/any/B8-T4-O16-W30-PR/1/job.fio | sort | paste -sd ' ')" \
    "bs=8k direct=1 iodepth=16 norandommap=1 numjobs=4 rw=randrw rwmixwrite=30 sync=dsync"
cp "$TMP/out" first
mkdir -p elsewhere none && mv names elsewhere/
FIOPACK_PROFILES=$TMP/none pack report elsewhere/names
ok "report prints it again from a copy, without any profiles" cmp -s first "$TMP/out"
short_one=r640/B4-T2-O32-W0-PR
quick "$short_one" -o "$TMP/papers" --target "a=uring:$TMP/a.dat"
like "with its paper, a name is the paper's" "$(output)" '^B4-T2-O32-W0-PR .*2,953,095 IOPS.* IOPS'

# --- the named workloads ---------------------------------------------------

pack show vmfleet2/SQL
like "show tells what is at once" "$(output)" 'at once: SQL.oltp: 8 KiB random, 30 % writes, 1500 IOPS per thread'

pack run vmfleet2/SQL vmfleet2/VDI --runtime 6 --ramp 1 --vm-size 40m --vms 2 -o "$TMP/two" --target "a=uring:$TMP/a.dat"
is "two workloads at once, in two VMs" "$rc" 0
job=two/a/any/SQL/1/job.fio
is "each part of each VM is a section" "$(grep -o '^\[SQL.*' $job | paste -sd ' ')" \
    "[SQL.oltp.vm1] [SQL.log.vm1] [SQL.oltp.vm2] [SQL.log.vm2]"
is "on its own region of the VM's file" \
    "$(sed -n '/^\[SQL.oltp.vm2/,$p' $job | grep -E '^(filename|offset|size)=' | paste -sd ' ')" \
    "filename=$TMP/a.dat.vm2 offset=20971520 size=20971520 filename=$TMP/a.dat.vm2 size=20971520"
is "rates are the profile's" "$(grep -h '^rate' $job two/a/any/VDI/1/job.fio | paste -sd ' ')" \
    "rate_iops=1050,450 rate_iops=300 rate_iops=1050,450 rate_iops=300 rate_iops=6"
is "so is the share that is random" "$(grep '^percentage_random' two/a/any/VDI/1/job.fio | paste -sd ' ')" \
    "percentage_random=20 percentage_random=80 percentage_random=20 percentage_random=80"
like "that the regions were scaled is said" "$(output)" "40 MiB on a, where the profiles have 10 GiB; the regions of a profile's parts are scaled alike"
like "what a row is the sum of, too" "$(output)" 'SQL is SQL.oltp and SQL.log at once'
is "the table has one row for both, the detail one for each part and kind" \
    "$(grep -cE '^SQL .*database and log' "$TMP/out") $(grep -cE '^SQL.(oltp|log) +a +(read|write|all) ' "$TMP/out")" "1 4"
cp "$TMP/out" first

# report JSON | perl: what the records say of a profile and metric, and what fio said
pack report two --format json
# sum PATTERN: IOPS of all jobs of that name in fio's own result
sum()
{
    perl -MJSON::PP -e 'local $/; my $d = decode_json(<STDIN>); my $n = 0;
        for my $j (@{$d->{jobs}}) { $n += $j->{read}{iops} + $j->{write}{iops} if $j->{jobname} =~ /$ARGV[0]/ }
        printf "%.3f", $n' "$2" < "two/a/any/$1/1/fio.json"
}
# reported PROFILE: IOPS over all I/O
reported()
{
    perl -MJSON::PP -e 'local $/; my ($id, $io) = @ARGV; @ARGV = ();
        for my $r (@{decode_json(<STDIN>)->{records}}) {
            printf "%.3f", $r->{measured} if $r->{profile} eq $id && $r->{metric} eq "iops" && $r->{io} eq $io }' \
        "$1" "$2" < "$TMP/out"
}
is "SQL is the sum of its parts" "$(reported SQL all)" "$(sum SQL '')"
is "SQL.oltp is its jobs" "$(reported SQL.oltp all)" "$(sum SQL '^SQL\.oltp\.vm[12]$')"
is "SQL.log is its jobs" "$(reported SQL.log write)" "$(sum SQL '^SQL\.log\.vm[12]$')"
is "VDI is the sum of its parts" "$(reported VDI all)" "$(sum VDI '')"

# rate NAME IO LIMIT: no more than the limit, and no less where the target keeps up
rate()
{
    local got=$(($(reported "$1" "$2" | cut -d. -f1) + 1)) slack=$(($3 / 20 + 2))
    within "$1: no more than $3 IOPS $2" "$got" 1 $(($3 + slack))
    if [ "$got" -lt $(($3 - slack)) ] && grep -q "^warn *$1 on a: .*did not keep up" first; then
        skip "$1: $3 IOPS $2" "this machine did $got, and the report says so"
    else
        within "$1: $3 IOPS $2" "$got" $(($3 - slack)) $(($3 + slack))
    fi
}
rate SQL.oltp all 12000
rate SQL.oltp read 8400
rate SQL.log write 600
rate VDI.write write 12
rate VDI.read read 12

# an engine that has one I/O in flight shares a thread's rate among the jobs that stand for its depth
quick vmfleet2/VDI -o "$TMP/sync" --target "s=psync:$TMP/a.dat"
is "a synchronous engine" "$rc $(grep -E '^(rate|numjobs|iodepth)' sync/s/any/VDI/1/job.fio | sort | paste -sd ' ')" \
    "0 iodepth=1 numjobs=8 rate=24576 rate=6144"
like "which is said" "$(output)" 'threads x outstanding of each part ran as that many jobs'
pack run vmfleet2/SQL --vm-size 1m -o "$TMP/small" --target "a=uring:$TMP/small.dat"
says "a VM too small for the parts" 2 'SQL.log would have less than 1 MiB.*raise --vm-size'
ok "leaves nothing behind" test ! -e "$TMP/small" -a ! -e "$TMP/small.dat"
done_testing
