#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A drop-in: every job file of fio's own examples/ that uses libaio or io_uring runs with our
# engine after a change of ioengine= alone, and does the same. Since examples write to disks of
# their authors and run for minutes, both copies are changed in the same way before: devices and
# absolute folders become scratch, sizes above 16 MiB become 16 MiB, times become 1 s, rates high.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine
LIMIT=10

[ -d "$FIO_SRC/examples" ] || skip_all "no examples/ in fio's source ($FIO_SRC)"
place=$TMP/place
fresh_place()
{
    rm -rf "$place"
    mkdir -p "$place/dir"
    head -c 16M /dev/urandom > "$place/disk"
}
# copy FILE ENGINE: the example with that engine in place of libaio or io_uring
copy()
{
    sed -E -e 's/[[:space:]]+$//' \
        -e "s#^ioengine=(libaio|io_uring)\$#ioengine=$2#" \
        -e "s#^filename=/dev/.*#filename=$place/disk#" \
        -e "s#^filename=/tmp/#filename=$place/#" \
        -e "s#^directory=/.*#directory=$place/dir#" \
        -e 's/^(size|filesize|io_size|io_limit)=([0-9]+[gGtT]|[0-9]{3,}[mM])[bB]?$/\1=16m/' \
        -e 's/^(zonesize|zoneskip|offset_increment)=.*/\1=1m/' \
        -e 's/^offset=[0-9]{9,}$/offset=0/' \
        -e 's/^(runtime|timeout)=.*/\1=1/' -e 's/^(ramp_time|startdelay|start_delay)=.*/\1=0/' \
        -e 's/^rate_iops=.*/rate_iops=2000/' -e 's/^loops=.*/loops=2/' -e 's/^latency_window=.*/latency_window=100000/' "$1" > "$place/job.fio"
}
is_chancy()
{
    grep -Eq '^(runtime|time_based|exitall|exit_what|flow|latency_target|rate|randrepeat=0)' "$1"
}
# run_copy FILE ENGINE: $rc and in $done_ what was done: bytes where the file bounds them, else the directions
run_copy()
{
    # with io_submit_mode=offload, fio's core hangs now and then at the end of a job, with any engine
    for _ in 1 2 3; do
        run_once "$@"
        [[ $rc =~ ^(124|137)$ ]] || break
        grep -q '^io_submit_mode=offload' "$place/job.fio" || break
    done
}
run_once()
{
    fresh_place
    copy "$1" "$2"
    cd "$place" || exit 1
    fio_run "$place/job.fio"
    cd "$TMP" || exit 1
    # fio's own lines come before the JSON
    grep -q '^{' "$TMP/out" && sed -i -n '/^{/,$ p' "$TMP/out"
    # a time limit, a rate or another job ends these: how much is done is chance
    if is_chancy "$place/job.fio"; then
        done_=$(json 'jobs.*.'{read,write,trim}.io_bytes 'jobs.*.error' 2> /dev/null | sed 's/^[1-9].*/some/' | xargs)
    else
        done_=$(json 'jobs.*.'{read,write,trim}.io_bytes 'jobs.*.error' 2> /dev/null | xargs)
    fi
}
reason()
{
    if [ "$rc" -ge 124 ]; then
        echo "fio does not end within $LIMIT s"
    else
        { cat "$TMP/err" "$TMP/out"; echo "exit status $rc"; } | grep -v '^[{} ]' | grep . | head -n 1
    fi
}
ran=0
for example in "$FIO_SRC"/examples/*.fio; do
    grep -Eq '^[[:space:]]*ioengine=(libaio|io_uring)[[:space:]]*$' "$example" || continue
    name=${example##*/}
    # no example uses io_uring; of the others, it runs those that can be compared to the byte
    if [ "$ENGINE" = uring ] && ! grep -q '^ioengine=io_uring' "$example" && is_chancy "$example"; then
        continue
    fi
    # e4defrag's jobs verify what others of them overwrite at that moment
    case $name in e4defrag*)
        skip "$name" "whether it fails is chance, with any engine"
        continue
        ;;
    esac
    run_copy "$example" "$INTREE"
    want="$rc $done_"
    if [ "$rc" -ne 0 ]; then
        skip "$name" "not with $INTREE either: $(reason)"
        continue
    fi
    ran=$((ran + 1))
    run_copy "$example" "$OURS"
    is "$name" "$rc $done_" "$want" || diag "$(reason)"
done
ok "examples ran" test "$ran" -ge 6
done_testing
