#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# What is written is what is read back, over all ways of handing an I/O to the kernel
# (vectored or not, registered buffers and files, worker threads, polled, uncached,
# no-wait), in processes and threads, at depth 1 and 64, buffered and direct; and what
# fio's psync engine and od find in the files agrees. Every run's stdout is JSON alone.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine

file=$TMP/data
case $ENGINE in
uring) ways="plain fixedbufs registerfiles+nonvectored=0 nonvectored=0 nonvectored=1 force_async=1 fixedbufs+registerfiles+force_async=3" ;;
laio) ways="plain libaio_vectored=1 libaio_vectored=0 userspace_reap" ;;
esac
registered=
[ "$ENGINE" != uring ] || registered="--registerfiles --fixedbufs"

# verified NAME BYTES ARG...: BYTES are written, read back and verified by the same job
verified()
{
    local name=$1 bytes=$2
    shift 2
    rm -f "$file"*
    fine "$name" --filename="$file" --verify=crc32c --verify_fatal=1 "$@" || return
    [ "$(total 'jobs.*.read.io_bytes') $(total 'jobs.*.write.io_bytes')" = "$bytes $bytes" ] ||
        is "$name: bytes read and written" \
            "$(total 'jobs.*.read.io_bytes') $(total 'jobs.*.write.io_bytes')" "$bytes $bytes"
}

# --- the ways of submission ---
# One fio with a job for each combination, so that they also run at the same time.
for mode in process thread; do
    names=()
    {
        echo "[global]
ioengine=$OURS
rw=randwrite
bs=4k
size=1m
verify=crc32c
verify_fatal=1
thread=$([ $mode = thread ] && echo 1 || echo 0)"
        for direct in 0 1; do
            for depth in 1 64; do
                for what in $ways; do
                    names+=("direct=$direct,iodepth=$depth,$what")
                    echo "[direct=$direct,iodepth=$depth,$what]
filename=$TMP/$mode.${#names[@]}
direct=$direct
iodepth=$depth"
                    [ "$what" = plain ] || tr '+' '\n' <<< "$what"
                done
            done
        done
    } > "$TMP/ways.fio"
    fio_run "$TMP/ways.fio"
    was_fine "$mode: ${#names[@]} ways of submission at once"
    for i in "${!names[@]}"; do
        is "$mode: ${names[i]}" "$(json "jobs.$i."{jobname,error,read.io_bytes,write.io_bytes,read.total_ios} | xargs)" \
            "${names[i]} 0 1048576 1048576 256"
    done
    rm -f "$TMP/$mode".*
done
on uring verified "nonvectored=-1" 1048576 --rw=write --bs=4k --size=1m --iodepth=8 --nonvectored=-1
verified "verify_async" 1048576 --rw=randwrite --bs=4k --size=1m --iodepth=16 --verify_async=2
verified "verify_backlog" 1048576 --rw=randwrite --bs=4k --size=1m --iodepth=16 --verify_backlog=32
on uring verified "fixedbufs with 1 MiB blocks over several registrations" 67108864 --rw=write --bs=1m --size=64m \
    --iodepth=64 --fixedbufs --direct=1
on uring verified "iomem=mmap, fixedbufs" 1048576 --rw=write --bs=4k --size=1m --iodepth=8 --iomem=mmap --fixedbufs
on uring verified "iomem_align, fixedbufs" 1048576 --rw=write --bs=4k --size=1m --iodepth=8 --iomem_align=512 --fixedbufs

# --- polled completions ---
# Whether a device can be polled is the machine's affair: fio's own engine tells. Where it cannot,
# a write may still go through and a read is an error.
polled_completions()
{
    local polled what
    random_file "$TMP/polled" 1M
    theirs --filename="$TMP/polled" --rw=read --bs=4k --size=1m --direct=1 --hipri
    polled=$rc
    for what in "--iodepth=1" "--iodepth=32 --fixedbufs --registerfiles" "--iodepth=32 --thread" \
        "--iodepth=32 --iodepth_batch=8 --iodepth_batch_complete_max=8"; do
        rm -f "$file"
        if [ "$polled" -eq 0 ]; then
            # shellcheck disable=SC2086
            verified "hipri $what" 1048576 --rw=randwrite --bs=4k --size=1m --direct=1 --hipri $what
            continue
        fi
        # shellcheck disable=SC2086
        theirs --filename="$TMP/polled" --rw=randwrite --bs=4k --size=1m --direct=1 --hipri $what
        if [ "$rc" -eq 0 ]; then
            # shellcheck disable=SC2086
            fine "hipri, writes alone, $what" --filename="$file" --rw=randwrite --bs=4k --size=1m --direct=1 --hipri $what \
                --verify=crc32c --do_verify=0
            fio_run --name=t --ioengine=psync --filename="$file" --rw=read --bs=4k --size=1m --verify=crc32c
            was_fine "hipri, writes alone, $what: psync verifies them"
        fi
    done
    if [ "$polled" -ne 0 ]; then
        skip "hipri, reads" "the device under $TMP cannot be polled (fio's own engine fails too)"
        refused "hipri on a device that cannot be polled" 'not supported.*hipri' --filename="$TMP/polled" --rw=read --bs=4k \
            --size=1m --direct=1 --hipri
    fi
    # a polled ring takes no fsync: it is done in place, between the writes
    rm -f "$file"
    theirs --filename="$file" --rw=write --bs=4k --size=256k --direct=1 --hipri
    if [ "$rc" -eq 0 ]; then
        rm -f "$file"
        fine "hipri with fsync" --filename="$file" --rw=write --bs=4k --size=1m --direct=1 --hipri --iodepth=8 --fsync=16
        ok "hipri with fsync: they happened" test "$(total jobs.0.sync.total_ios)" -ge 15
    fi
}
on uring polled_completions

# --- files ---
# shellcheck disable=SC2016 # fio expands $filenum
{
for reg in "" ${registered:+--registerfiles}; do
    rm -f "$TMP"/many*
    # shellcheck disable=SC2086
    fine "16 files, 3 open at a time $reg" --directory="$TMP" --filename_format='many.$filenum' --nrfiles=16 \
        --openfiles=3 --rw=randwrite --bs=4k --filesize=128k --size=2m --iodepth=16 --verify=crc32c $reg
    is "16 files, 3 open at a time $reg: verified" "$(total jobs.0.read.io_bytes)" 2097152
    is "16 files, 3 open at a time $reg: all have their size" "$(stat -c %s "$TMP"/many.* | sort | uniq -c | xargs)" "16 131072"
    # shellcheck disable=SC2086
    fine "16 files, one open at a time, sequential $reg" --directory="$TMP" --filename_format='many.$filenum' \
        --nrfiles=16 --openfiles=1 --file_service_type=sequential --rw=read --bs=4k --filesize=128k --size=2m --iodepth=4 $reg
    is "16 files, one open at a time, sequential $reg: bytes" "$(total jobs.0.read.io_bytes)" 2097152
done
# nothing may stay open: a registered file is held by the ring as well
if [ -z "$registered" ]; then
    :
elif can_strace; then
    strace -f -qq -o "$TMP/strace" -e trace=io_uring_register "$FIO" --name=t --ioengine="$OURS" --directory="$TMP" \
        --filename_format='many.$filenum' --nrfiles=16 --openfiles=3 --rw=randread --bs=4k --filesize=128k --size=2m \
        --iodepth=4 --registerfiles > /dev/null 2>&1
    opens=$(grep FILES_UPDATE "$TMP/strace" | grep -vc "fds=\[-1\]")
    ok "files are put into the table as they are opened" test "$opens" -ge 16
    # the last three are closed with the ring
    within "and taken out as they are closed" "$(grep -c "FILES_UPDATE.*fds=\[-1\]" "$TMP/strace")" $((opens - 3)) "$opens"
else
    skip "files are put into the table and taken out" "strace cannot trace here"
fi
rm -f "$TMP"/many*
}
fine "four jobs, own files" --directory="$TMP" --numjobs=4 --rw=randwrite --bs=4k --size=512k --iodepth=8 --verify=crc32c
is "four jobs, own files: verified" "$(total 'jobs.*.read.io_bytes')" 2097152
# shellcheck disable=SC2086 # options are words
fine "four threads, own files" --directory="$TMP" --numjobs=4 --rw=randwrite --bs=4k --size=512k --iodepth=8 --verify=crc32c \
    --thread $registered
is "four threads, own files: verified" "$(total 'jobs.*.read.io_bytes')" 2097152

# --- block sizes and mixes ---
verified "bsrange" 4194304 --rw=randwrite --bsrange=512-64k --blocksize_unaligned=0 --size=4m --iodepth=16 --norandommap=0
verified "bssplit" 4194304 --rw=write --bssplit=4k/50:16k/30:64k/20 --size=4m --iodepth=16
on uring verified "bsrange, fixedbufs" 4194304 --rw=write --bsrange=4k-64k --size=4m --iodepth=16 --fixedbufs
on uring verified "bsrange, nonvectored=0" 4194304 --rw=write --bsrange=4k-64k --size=4m --iodepth=16 --nonvectored=0

fine "rw=randrw, rwmixread=70" --filename="$file" --rw=randrw --rwmixread=70 --bs=4k --size=4m --iodepth=16
is "rw=randrw: bytes together" "$(total jobs.0.read.io_bytes jobs.0.write.io_bytes)" 4194304
within "rw=randrw: share of reads" "$(($(total jobs.0.read.total_ios) * 100 / 1024))" 60 80
fine "separate block sizes for reads and writes" --filename="$file" --rw=randrw --bs=4k,16k --size=4m --iodepth=16
is "separate block sizes: mean size of a write" \
    "$(($(total jobs.0.write.io_bytes) / $(total jobs.0.write.total_ios)))" 16384

# --- batches ---
verified "iodepth_batch=16" 4194304 --rw=randwrite --bs=4k --size=4m --iodepth=32 --iodepth_batch=16
verified "iodepth_batch_complete 8 to 16" 4194304 --rw=randwrite --bs=4k --size=4m --iodepth=32 --iodepth_batch=16 \
    --iodepth_batch_complete_min=8 --iodepth_batch_complete_max=16
verified "iodepth_batch_complete_min=0" 4194304 --rw=randwrite --bs=4k --size=4m --iodepth=32 --iodepth_batch_complete_min=0
verified "iodepth_low" 4194304 --rw=randwrite --bs=4k --size=4m --iodepth=32 --iodepth_low=4
verified "serialize_overlap" 1048576 --rw=randwrite --bs=4k --size=1m --iodepth=16 --serialize_overlap=1

# --- time and rate ---
fine "rate_iops" --filename="$file" --rw=read --bs=4k --size=400k --rate_iops=200 --iodepth=8
is "rate_iops: bytes" "$(total jobs.0.read.io_bytes)" 409600
within "rate_iops: not faster than asked for" "$(total jobs.0.read.iops)" 1 220
fine "rate_iops, poisson arrivals" --filename="$file" --rw=randread --bs=4k --size=400k --rate_iops=500 --rate_process=poisson
fine "ramp_time, time based" --filename="$file" --rw=randrw --bs=4k --size=1m --iodepth=8 --ramp_time=1 --time_based --runtime=1
ok "time based: more than one pass or at least something" test "$(total jobs.0.read.total_ios)" -gt 0
fine "loops=3" --filename="$file" --rw=write --bs=4k --size=1m --iodepth=8 --loops=3
is "loops=3: bytes" "$(total jobs.0.write.io_bytes)" 3145728
fine "thinktime" --filename="$file" --rw=read --bs=4k --size=40k --thinktime=5000 --iodepth=4
is "thinktime: bytes" "$(total jobs.0.read.io_bytes)" 40960

# --- syncs ---
# syncs NAME COUNT ARG...
syncs()
{
    local name=$1 want=$2
    shift 2
    verified "$name" 1048576 --rw=write --bs=4k --size=1m "$@"
    is "$name: how many" "$(total jobs.0.sync.total_ios)" "$want"
}
# At greater depth fio core makes more of them, and how many is a matter of timing.
syncs "fsync=16" 15 --fsync=16 --iodepth=1
on uring syncs "fsync=16, registered files" 15 --fsync=16 --iodepth=1 --registerfiles
verified "fsync=16 at depth 8" 1048576 --rw=write --bs=4k --size=1m --fsync=16 --iodepth=8
verified "fdatasync=16" 1048576 --rw=write --bs=4k --size=1m --fdatasync=16 --iodepth=8
for ranges in write:8 wait_before,write,wait_after:8; do
    theirs --filename="$TMP/ref" --rw=write --bs=4k --size=1m --iodepth=1 --sync_file_range=$ranges
    want=$(total jobs.0.sync.total_ios)
    fine "sync_file_range=$ranges" --filename="$file" --rw=write --bs=4k --size=1m --iodepth=1 --sync_file_range=$ranges
    is "sync_file_range=$ranges: as many as by fio" "$(total jobs.0.sync.total_ios)" "$want"
done
verified "sync_file_range at depth 16" 1048576 --rw=randwrite --bs=4k --size=1m --iodepth=16 --sync_file_range=write:8
verified "end_fsync, fsync_on_close" 1048576 --rw=write --bs=4k --size=1m --iodepth=8 --end_fsync=1 --fsync_on_close=1
verified "sync=dsync" 262144 --rw=write --bs=4k --size=256k --iodepth=8 --sync=dsync

# syncs really are queued: no such system call but fio's own at the end
if can_strace; then
    # shellcheck disable=SC2046 # an option or none
    strace -f -qq -o "$TMP/strace" -e trace=fsync,fdatasync,sync_file_range "$FIO" --name=t --ioengine="$OURS" \
        --filename="$file" --rw=write --bs=4k --size=1m --iodepth=8 --fsync=16 $(on laio echo --async_fsync=1) > /dev/null 2>&1
    is "fsync is queued like a write" "$(grep -c fsync "$TMP/strace")" 0
else
    skip "fsync is queued like a write" "strace cannot trace here"
fi

# --- the page cache ---
# cached PATH: pages of it in memory
cached()
{
    fincore -nb -o PAGES "$1" | xargs
}
random_file "$file" 4M
sync "$file"
fine "nowait on cached data" --filename="$file" --rw=randread --bs=4k --pre_read=1 --invalidate=0 --nowait=1 --iodepth=8
is "nowait on cached data: bytes" "$(total jobs.0.read.io_bytes)" 4194304

uncached_io()
{
    local major minor what
    read -r major minor _ <<< "$(uname -r | tr '.-' '  ')"
    if ! command -v fincore > /dev/null; then
        skip "uncached" "fincore (util-linux) is missing"
    elif ((major * 100 + minor < 614)); then
        skip "uncached" "Linux $major.$minor has no RWF_DONTCACHE (6.14)"
    elif ! grep -Eqx 'ext2/ext3|xfs|btrfs' <<< "$(stat -f -c %T "$TMP")"; then
        skip "uncached" "$(stat -f -c %T "$TMP") may not know RWF_DONTCACHE"
    else
        fine "buffered read" --filename="$file" --rw=read --bs=64k --size=4m
        is "contrast: a buffered read leaves its pages in memory" "$(cached "$file")" 1024
        fine "uncached read" --filename="$file" --rw=read --bs=64k --size=4m --uncached=1 --iodepth=4
        within "an uncached read leaves few" "$(cached "$file")" 0 64
        for what in --fixedbufs --nonvectored=0 "--registerfiles --force_async=1"; do
            # shellcheck disable=SC2086
            fine "uncached read $what" --filename="$file" --rw=read --bs=64k --size=4m --uncached=1 --iodepth=4 $what
            within "uncached read $what leaves few" "$(cached "$file")" 0 64
        done
        # in a new file: pages that are there already stay
        fine "uncached write" --filename="$TMP/uncached" --rw=write --bs=64k --size=4m --uncached=1 --iodepth=4 --end_fsync=1
        sleep 0.5
        within "an uncached write leaves few" "$(cached "$TMP/uncached")" 0 128
        # an fsync uses the same submission entry as a write before and after it
        rm -f "$TMP/uncached"
        fine "uncached write with fsyncs" --filename="$TMP/uncached" --rw=write --bs=64k --size=4m --uncached=1 --fsync=1
        sleep 0.5
        within "an uncached write with fsyncs leaves few" "$(cached "$TMP/uncached")" 0 128
        fine "uncached with direct has no effect" --filename="$file" --rw=read --bs=64k --size=4m --uncached=1 --direct=1
    fi
}
on uring uncached_io

# --- seen from outside ---
rm -f "$file"
fine "blocks that hold their own offset" --filename="$file" --rw=randwrite --bs=4k --size=1m --iodepth=32 \
    --verify=pattern --verify_pattern=%o --do_verify=0
is "each block holds its offset, as perl reads it" "$(perl -e '
    open my $f, "<:raw", shift or die; my $bad = 0; my $n = 0;
    for (my $at = 0; read $f, my $b, 4096; $at += 4096, $n++) { $bad++ if $b ne pack("Q<", $at) x 512; }
    print "$n blocks, $bad wrong";' "$file")" "256 blocks, 0 wrong"
fine "ours writes" --filename="$file" --rw=randwrite --bs=8k --size=2m --iodepth=32 --verify=sha256 --do_verify=0
fio_run --name=t --ioengine=psync --filename="$file" --rw=read --bs=8k --size=2m --verify=sha256
was_fine "psync verifies it"
fio_run --name=t --ioengine=psync --filename="$file" --rw=write --bs=8k --size=2m --verify=sha256 --do_verify=0 --randseed=7
fine "psync writes, ours verifies" --filename="$file" --rw=randread --bs=8k --size=2m --verify=sha256 --iodepth=32
printf x | dd of="$file" bs=1 seek=1000000 conv=notrunc status=none
ours --filename="$file" --rw=randread --bs=8k --size=2m --verify=sha256 --iodepth=32
ok "ours finds a changed byte" test "$rc" -ne 0
# only the range of the job
head -c 1M /dev/zero > "$file"
fine "offset and size" --filename="$file" --rw=write --bs=4k --offset=256k --size=128k --iodepth=8 --buffer_pattern=0xa5
is "offset and size: nothing else was written" "$(od -An -v -tx1 -w1 "$file" | sort | uniq -c | xargs)" "917504 00 131072 a5"
is "offset and size: where" "$(head -c 384K "$file" | tail -c 128K | od -An -v -tx1 -w1 | sort -u | xargs)" a5

# --- I/O logs ---
rm -f "$file"
fine "writing an I/O log" --filename="$file" --rw=randwrite --bs=4k --size=512k --iodepth=1 --write_iolog="$TMP/iolog" \
    --buffer_pattern=0x5a
rm -f "$file"
head -c 512K /dev/zero > "$file"
fine "replaying it" --read_iolog="$TMP/iolog" --iodepth=1 --replay_no_stall=1 --buffer_pattern=0x5a
is "replaying it: bytes" "$(total jobs.0.write.io_bytes)" 524288
is "replaying it: they are there" "$(od -An -v -tx1 -w1 "$file" | sort | uniq -c | xargs)" "524288 5a"
fine "replaying it elsewhere" --read_iolog="$TMP/iolog" --iodepth=1 --replay_redirect="$TMP/elsewhere" --replay_no_stall=1
ok "replaying it elsewhere: it is there" test "$(stat -c %s "$TMP/elsewhere")" -gt 0

# --- what fio's core refuses ---
refused_offload()
{
    ours --filename="$file" --rw=read --bs=4k --size=64k --io_submit_mode=offload
    ok "io_submit_mode=offload is refused" test "$rc" -eq 1
}
on uring refused_offload
done_testing
