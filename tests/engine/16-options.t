#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The options of fio's io_uring and libaio, as the fio at hand has them: each is known to our engine too, or is in
# a list here with the reason; and each does there what it does here, as far as that shows: exit status,
# counts by direction and by priority, flags and calls as the kernel sees them. A newer fio with an option that
# nobody has looked at makes this test say which.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
need_theirs

file=$TMP/data
random_file "$file" 4M

# --- which there are ---

# options ENGINE
options()
{
    "$FIO" --enghelp="$1" 2> /dev/null | sed -n 's/^\([a-z_]*\) *:.*/\1/p' | sort -u
}

# io_uring shares a table with io_uring_cmd: these do nothing without NVMe passthrough, or need protection information
not_ours=" cmd_type readfua writefua write_mode verify_mode deac md_per_io_size pi_act pi_chk apptag apptag_mask "
options "$INTREE" > "$TMP/in-tree"
options "$PLUGIN" > "$TMP/mine"
comm -12 "$TMP/in-tree" "$TMP/mine" > "$TMP/both"
within "$INTREE has options that are ours too" "$(wc -l < "$TMP/both")" 6 100
is "$INTREE has no option that we do not know and have no reason for" \
    "$(comm -23 "$TMP/in-tree" "$TMP/mine" | while read -r o; do [[ $not_ours == *" $o "* ]] || echo "$o"; done | xargs)" ""
is "an option that is not ours is refused, not ignored" \
    "$(for o in $not_ours; do
        ours --filename="$file" --rw=read "--$o=1"
        [ "$rc" -ne 0 ] && grep -q "unrecognized option.*$o" "$TMP/err" || echo "$o"
    done | xargs)" ""

# --- what each does ---

# seen ENGINE REGEX ARG...: what a run did, and which matches the kernel saw (sorted, each once)
seen()
{
    local trace=(timeout 60)
    [ -z "$traced" ] || trace=(strace -f -qq -v -o "$TMP/strace" -e "trace=io_uring_setup,io_uring_register,io_submit")
    rm -f "$TMP/flat" "$TMP/strace"
    "${trace[@]}" "$FIO" --output-format=json --name=t --ioengine="$1" --filename="$file" --bs=4k --size=1m --randrepeat=1 \
        "${@:3}" > "$TMP/out" 2> "$TMP/err" < /dev/null
    echo "status $?"
    json jobs.0.{read,write}.{total_ios,io_bytes} jobs.0.sync.total_ios
    paste -d: <(json 'jobs.0.*.prios.*.prioclass') <(json 'jobs.0.*.prios.*.prio') <(json 'jobs.0.*.prios.*.clat_ns.N')
    [ -z "$traced" ] || grep -Eo "$2" "$TMP/strace" | sort | uniq
}
traced=
! can_strace || traced=yes
[ -n "$traced" ] || diag "strace cannot trace here: only counts are compared"

tried=" "
# effect OPTION NAME REGEX ARG...: the same seen on both, and the flag that makes the difference is among it
effect()
{
    local o=$1 name="$INTREE, $2" want got
    grep -qx "$o" "$TMP/in-tree" || return 0
    tried+="$o "
    want=$(seen "$INTREE" "$3" "${@:4}" | xargs)
    got=$(seen "$OURS" "$3" "${@:4}" | xargs)
    is "$name" "$got" "$want" || diag "$(head -n 3 "$TMP/err")"
    [ -z "$traced" ] || [ "$3" = none ] || ok "$name: the kernel sees it" grep -Eq "$3" "$TMP/strace"
}

# worker_threads ENGINE ARG...: has the job's process threads of the kernel's that work on its I/Os?
worker_threads()
{
    rm -f t.postrun.txt
    # shellcheck disable=SC2016 # a shell that fio starts expands it
    "$FIO" --name=t --ioengine="$1" --filename="$file" --rw=randread --bs=4k --size=1m --pre_read=1 --invalidate=0 --iodepth=8 \
        --exec_postrun='cat /proc/$PPID/task/*/comm' "${@:2}" > /dev/null 2>&1 < /dev/null
    if grep -q iou-wrk t.postrun.txt; then echo yes; else echo no; fi
}

cached="--pre_read=1 --invalidate=0"
# shellcheck disable=SC2086 # options are words
uring_options()
{
    effect fixedbufs "fixedbufs" IORING_REGISTER_BUFFERS --rw=randrw --iodepth=8 --fixedbufs
    effect registerfiles "registerfiles" IORING_REGISTER_FILES --rw=randrw --iodepth=8 --registerfiles
    effect sqthread_poll "sqthread_poll" IORING_SETUP_SQPOLL --rw=randread --iodepth=8 --sqthread_poll
    effect sqthread_poll_cpu "sqthread_poll_cpu" 'IORING_SETUP_SQ_AFF|sq_thread_cpu=[0-9]+' --rw=randread --sqthread_poll --sqthread_poll_cpu=1
    effect hipri "hipri" IORING_SETUP_IOPOLL --rw=write --iodepth=8 --direct=1 --hipri
    for way in -1 0 1; do
        effect nonvectored "nonvectored=$way" none --rw=randrw --iodepth=8 --nonvectored=$way
    done
    effect force_async "force_async" none --rw=randrw --iodepth=8 --force_async=3
    is "io_uring, force_async: fio's engine and ours have worker threads, and not without it" \
        "$(for e in "$INTREE" "$OURS"; do worker_threads "$e" --force_async=3; worker_threads "$e"; done | xargs)" "yes no yes no"
    effect nowait "nowait" none --rw=randread --iodepth=8 --nowait=1 $cached
    # before 3.40 the flag of io_uring is one that Linux never had, and has given to something else since
    effect uncached "uncached with direct, which is without effect" none --rw=randread --iodepth=8 --uncached=1 --direct=1
}
# shellcheck disable=SC2086
laio_options()
{
    effect userspace_reap "userspace_reap" none --rw=randread --iodepth=8 --userspace_reap --iodepth_batch_complete_min=0
    effect nowait "nowait" 'aio_rw_flags=[^,}]*' --rw=randread --iodepth=8 --nowait=1 $cached
    effect libaio_vectored "libaio_vectored" 'IOCB_CMD_P(READ|WRITE)V' --rw=randrw --iodepth=8 --libaio_vectored=1
}
on uring uring_options
on laio laio_options
if is_root; then
    prio=none
    [ "$ENGINE" != laio ] || prio='aio_reqprio=[^,}]*'
    effect cmdprio_percentage "cmdprio_percentage" "$prio" --rw=randrw --iodepth=8 --cmdprio_percentage=30,60
    effect cmdprio_class "cmdprio_class" "$prio" --rw=randread --iodepth=8 --cmdprio_percentage=30 --cmdprio_class=2
    effect cmdprio "cmdprio" "$prio" --rw=randread --iodepth=8 --cmdprio_percentage=30 --cmdprio_class=2 --cmdprio=3
    effect cmdprio_hint "cmdprio_hint" "$prio" --rw=randread --iodepth=8 --cmdprio_percentage=30 --cmdprio_hint=2
    effect cmdprio_bssplit "cmdprio_bssplit" "$prio" --rw=randread --iodepth=8 --bssplit=4k/50:8k/50 --cmdprio_bssplit=4k/20/1/1:4k/40/2/5:8k/0
else
    skip "priorities" "the real-time class needs root"
    tried+="cmdprio_percentage cmdprio_class cmdprio cmdprio_hint cmdprio_bssplit "
fi
is "every option of $INTREE that is ours has been tried" \
    "$(while read -r o; do [[ $tried == *" $o "* ]] || echo "$o"; done < "$TMP/both" | xargs)" ""
done_testing
