#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A drive that is taken away under a running job: the job ends by itself, soon, with a
# sentence and an exit status; nothing hangs.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need plain-512
each_engine

# reads and writes the drive has done
transfers()
{
    awk '{ print $1 + $5 }' "/sys/block/${dev##*/}/stat"
}

# removed NAME ARG...: a job of 30 s, and its drive goes when it is at work
removed()
{
    local name=$1 dev controller began seen
    shift
    dev=$(node plain-512)
    controller=/sys/block/${dev##*/}/device
    began=$SECONDS
    seen=$(transfers)
    LIMIT=50 ours --filename="$dev" --bs=4k --direct=1 --time_based --runtime=30 "$@" &
    for _ in {1..200}; do
        [ "$(transfers)" -gt $((seen + 200)) ] && break
        sleep 0.1
    done
    echo 1 > "$controller/device/remove"
    wait $!
    is "$name: the job's exit status is an error's" "$(cat "$TMP/rc")" "1"
    within "$name: it did not go on to the end" $((SECONDS - began)) 0 25
    like "$name: one sentence" "$(sentences | wc -l) $(sentences)" "^1 .* of 4096 bytes at offset [0-9]+ of $dev failed: .*(gone|kernel log)"
    echo 1 > /sys/bus/pci/rescan
    node plain-512 > /dev/null
    result $? "$name: the drive comes back"
}
ours()
{
    fio_run --name=t --ioengine="$OURS" "$@"
    echo "$rc" > "$TMP/rc"
}
removed "reads" --rw=randread --iodepth=16
removed "writes, thread" --rw=randwrite --iodepth=1 --thread
on uring removed "hipri" --rw=randread --iodepth=16 --hipri
on uring removed "sqthread_poll, registered" --rw=randrw --iodepth=16 --sqthread_poll --fixedbufs
done_testing
