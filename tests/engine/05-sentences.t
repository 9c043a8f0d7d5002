#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Every failure a user can run into ends with a non-zero exit status and exactly one
# sentence of ours per job on stderr, saying what failed, why, and what to do; never
# with a crash, and never with something made where nothing should be.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine

file=$TMP/data
random_file "$file" 1M

# --- options ---
limits_of_a_ring()
{
    refused "iodepth beyond the kernel's limit" 'iodepth=40000 is more than.*32768.*lower iodepth' \
        --filename="$file" --rw=read --bs=4k --size=1m --iodepth=40000
    refused "the same in a thread" 'iodepth=40000' --filename="$file" --rw=read --bs=4k --size=1m --iodepth=40000 --thread
    refused "the same in three copies of a job: said once" 'iodepth=40000' --filename="$file" --rw=read --bs=4k --size=1m \
        --iodepth=40000 --numjobs=3
    fine "the limit itself" --filename="$file" --rw=read --bs=512 --size=64k --iodepth=32768
    refused "hipri without direct" 'hipri.*direct=1' --filename="$file" --rw=read --bs=4k --size=64k --hipri
    refused "hipri without direct in a thread" 'hipri.*direct=1' --filename="$file" --rw=read --bs=4k --size=64k --hipri --thread
    refused "hipri_hybrid alone" 'hipri_hybrid needs hipri' --filename="$file" --rw=read --bs=4k --size=64k --direct=1 --hipri_hybrid
}
on uring limits_of_a_ring

# options of other engines, and of fio's engine that this one does not take: fio says so
for opt in cmd_type=nvme md_per_io_size=64 pi_act=1 no_such_option=1; do
    ours "--$opt" --filename="$file" --rw=read --bs=4k --size=64k
    ok "$opt is refused" test "$rc" -eq 1
    like "$opt: fio names it" "$(cat "$TMP/err" "$TMP/out")" "${opt%=*}"
done
ours --nowait=7 --filename="$file" --rw=read --bs=4k --size=64k
ok "a value outside an option's range is refused" test "$rc" -eq 1

# --- paths ---
mkdir "$TMP/folder"
refused "a directory as filename" 'folder is a directory.*directory=' --filename="$TMP/folder" --rw=read --bs=4k --size=64k
refused "a directory as filename, write" 'folder is a directory' --filename="$TMP/folder" --rw=write --bs=4k --size=64k
for rw in read write; do
    refused "a device that is not there, $rw" 'no device /dev/nosuchdevice' --filename=/dev/nosuchdevice --rw=$rw --bs=4k --size=64k
    ok "and nothing was made in its place" test ! -e /dev/nosuchdevice
done
refused "a device that is not there, in a folder of /dev" 'no device /dev/disk/by-id/nosuch' \
    --filename=/dev/disk/by-id/nosuch --rw=write --bs=4k --size=64k
refused "a device that is not there, in a thread" 'no device' --filename=/dev/nosuchdevice --rw=read --bs=4k --size=64k --thread
if is_root; then
    fine "/dev/shm is for files" --filename="/dev/shm/fiopack-test.$$" --rw=write --bs=4k --size=64k --unlink=1
fi
ln -s nowhere/file "$TMP/dangling"
refused "a link to nowhere, read only" "(dangling|nowhere).*(No such file|check the path)" --filename="$TMP/dangling" --rw=read --bs=4k --size=64k \
    --readonly --allow_file_create=0
refused "a file as folder" 'data/file.*(check the path|Not a directory)' --filename="$file/file" --rw=write --bs=4k --size=64k
refused "direct=1 with an odd block size" 'Invalid argument.*multiples of the logical block size' \
    --filename="$file" --rw=read --bs=1000 --size=64000 --direct=1
like "and the sentence says where" "$(sentences)" 'read of 1000 bytes at offset 0 of .*/data'

# --- limits ---
(ulimit -f 64 && ours --filename="$TMP/limited" --rw=write --bs=4k --size=1m --fallocate=none --create_on_open=1 \
    --output="$TMP/out2" && sentences > "$TMP/said" && echo "$rc" > "$TMP/status")
rc=$(cat "$TMP/status" 2> /dev/null || echo none)
ok "file size limit: fails or is killed by the limit's own signal" test "$rc" != 0

# --- as a user without privileges ---
if is_root && command -v setpriv > /dev/null; then
    cp "$PLUGIN" "$TMP/plugin.so"
    chmod 644 "$TMP/plugin.so"
    mkdir -m 777 "$TMP/open"
    # a program to run fio without privileges; fio is found by FIO
    cat > "$TMP/nobody" <<END
#!/bin/sh
cd "$TMP/open" || exit 9
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$FIO" "\$@"
END
    cat > "$TMP/nobody-locked" <<END
#!/bin/sh
cd "$TMP/open" || exit 9
exec prlimit --memlock=65536:65536 setpriv --reuid=65534 --regid=65534 --clear-groups "$FIO" "\$@"
END
    chmod 755 "$TMP/nobody" "$TMP/nobody-locked"
    saved_fio=$FIO saved_ours=$OURS
    OURS=external:$TMP/plugin.so

    FIO=$TMP/nobody
    fine "as nobody" --filename="$TMP/open/mine" --rw=randrw --bs=4k --size=1m --iodepth=16
    cp "$file" "$TMP/open/locked"
    chmod 444 "$TMP/open/locked"
    refused "a file without write permission" 'cannot open .*open/locked for writing: Permission denied.*(owner|mode)' \
        --filename="$TMP/open/locked" --rw=write --bs=4k --size=64k
    refused "a file without write permission, mixed, thread" 'Permission denied' \
        --filename="$TMP/open/locked" --rw=randrw --bs=4k --size=64k --thread
    fine "it can be read" --filename="$TMP/open/locked" --rw=read --bs=4k --size=64k
    chmod 000 "$TMP/open/locked"
    refused "a file without read permission" 'cannot open .*open/locked for reading: Permission denied' \
        --filename="$TMP/open/locked" --rw=read --bs=4k --size=64k

    FIO=$TMP/nobody-locked
    fine "RLIMIT_MEMLOCK=64 KiB without fixedbufs" --filename="$TMP/open/mine" --rw=read --bs=4k --size=1m --iodepth=64
    on uring fine "RLIMIT_MEMLOCK=64 KiB, fixedbufs that fit" --filename="$TMP/open/mine" --rw=read --bs=4k --size=1m --iodepth=4 --fixedbufs
    on uring refused "RLIMIT_MEMLOCK=64 KiB, fixedbufs that do not fit" 'fixedbufs.*1024 KiB.*RLIMIT_MEMLOCK.*64 KiB.*ulimit -l' \
        --filename="$TMP/open/mine" --rw=read --bs=16k --size=1m --iodepth=64 --fixedbufs
    on uring refused "the same in a thread" 'RLIMIT_MEMLOCK' \
        --filename="$TMP/open/mine" --rw=read --bs=16k --size=1m --iodepth=64 --fixedbufs --thread
    FIO=$saved_fio OURS=$saved_ours
else
    skip "as a user without privileges" "needs root and setpriv (util-linux)"
fi

# --- file systems ---
mkdir "$TMP/small"
if is_root && mount -t tmpfs -o size=1m none "$TMP/small" 2> "$TMP/why"; then
    at_exit umount -l "$TMP/small"
    for depth in 1 32; do
        refused "a full disk, iodepth=$depth" 'write of 65536 bytes .*No space left.*(free space|size=)' \
            --filename="$TMP/small/data" --rw=write --bs=64k --size=8m --fallocate=none --iodepth=$depth
        rm -f "$TMP/small"/*
    done
    # room for a part of the last write only: the part counts, the rest is asked for again and fails
    mount -o remount,size=1000k "$TMP/small"
    # what was written, as counted and as it is there
    part_of_a_block()
    {
        # fio's own lines may come before the JSON
        sed -i '1,/^{/ { /^{/! d }' "$TMP/out"
        echo "$(json jobs.0.write.{short_ios,io_bytes} | xargs) $(stat -c %s "$TMP/small/data")"
        rm -f "$TMP/small"/*
    }
    theirs --filename="$TMP/small/data" --rw=write --bs=64k --size=8m --fallocate=none
    want=$(part_of_a_block)
    like "contrast: the file system takes a part" "$want" '^1 [0-9]+ 1024000$'
    refused "a disk with room for a part of a block" "No space left" \
        --filename="$TMP/small/data" --rw=write --bs=64k --size=8m --fallocate=none
    is "a disk with room for a part of a block: counted as by fio" "$(part_of_a_block)" "$want"
    rm -f "$TMP/small"/*
    head -c 64K /dev/zero > "$TMP/small/data"
    ok "the file system can be made read-only" mount -o remount,ro "$TMP/small"
    refused "a read-only mount" 'cannot open .*small/data for writing: Read-only file system.*read-only' \
        --filename="$TMP/small/data" --rw=write --bs=4k --size=64k
    fine "reading there" --filename="$TMP/small/data" --rw=read --bs=4k --size=64k
    refused "a new file on a read-only mount" 'small/new.*Read-only' --filename="$TMP/small/new" --rw=write --bs=4k --size=64k
else
    skip "a full disk, a read-only mount" "cannot mount here: $(cat "$TMP/why" 2> /dev/null || echo no root)"
fi

# --- I/O that fails in the middle ---
# The file shrinks under the job: nothing comes back, which must not look like fast reads.
random_file "$file" 1M
# Not before the job runs, however busy the machine is: before that, fio opens the file for a moment only.
shrink_when_read()
{
    local seen=0
    for _ in $(seq 300); do
        if find /proc/[0-9]*/fd -lname "$file" 2> /dev/null | grep -q .; then
            seen=$((seen + 1))
        else
            seen=0
        fi
        [ $seen -lt 3 ] || break
        sleep 0.05
    done
    truncate -s 64K "$file"
}
shrink_when_read &
refused "a file that shrinks under a reading job" 'read of 4096 bytes at offset .*data failed.*(ends|kernel log)' \
    --filename="$file" --rw=read --bs=4k --size=1m --time_based --runtime=10 --rate_iops=2000 --invalidate=0
wait
random_file "$file" 1M
ours --filename="$file" --rw=read --bs=4k --size=1m --nowait=1 --invalidate=1 --iodepth=1
if [ "$rc" -eq 0 ]; then
    skip "nowait on data that is not cached" "this kernel and file system served it without waiting"
else
    is "nowait on data that is not cached: one sentence" "$(sentences | grep -c nowait)" 1
fi

shrink_when_read &
ours --filename="$file" --rw=read --bs=4k --size=1m --rate_iops=200 --invalidate=0 --continue_on_error=io
wait
is "continue_on_error=io: what was read and what was not are all counted" \
    "$(($(total jobs.0.read.total_ios) + 0)) $(total jobs.0.error)" "256 5"
ok "continue_on_error=io: errors are counted" test "$(total jobs.0.total_err)" -gt 0
done_testing
