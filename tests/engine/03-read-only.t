#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A job that only reads never changes its target. fio's core lays a file out anew when
# it is smaller than the job; the engine has to stop that, whatever option asks for
# the size. Contrast: on fio's own engine the same job replaces the file, so a check
# here can fail. What the user asks for explicitly (unlink=1, a missing file) still happens.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
each_engine

file=$TMP/precious
fresh()
{
    rm -f "$file"
    random_file "$file" 1M
    touch -d '2001-02-03 04:05:06.789' "$file"
    before=$(state_of "$file")
}

# unchanged NAME
unchanged()
{
    is "$1: the file is as it was" "$(state_of "$file" 2>&1)" "$before" || fresh
}

# reads NAME BYTES ARG...
reads()
{
    local name=$1 bytes=$2
    shift 2
    fine "$name" --filename="$file" "$@"
    is "$name: bytes read" "$(total jobs.0.read.io_bytes)" "$bytes"
    unchanged "$name"
}

# stops NAME ARG...
stops()
{
    local name=$1
    shift
    refused "$name: one sentence" 'precious has 1048576 bytes.*reads up to byte.*(lower|remove)' --filename="$file" "$@"
    unchanged "$name"
}

fresh

# --- contrast: what fio does by itself ---
theirs --filename="$file" --rw=read --bs=4k --size=2m
ok "fio's own engine does change it (so that the checks below mean something)" \
    test "$(state_of "$file")" != "$before"
fresh

# --- jobs that fit ---
reads "whole file, no size given" 1048576 --rw=read --bs=64k
reads "exact size" 1048576 --rw=read --bs=4k --size=1m --iodepth=8
reads "smaller size" 65536 --rw=read --bs=4k --size=64k
reads "offset" 524288 --rw=read --bs=4k --offset=512k
reads "offset and size up to the end" 524288 --rw=read --bs=4k --offset=512k --size=512k
reads "randread, direct" 1048576 --rw=randread --bs=4k --direct=1 --iodepth=16
reads "randread in a thread" 1048576 --rw=randread --bs=4k --thread
reads "--readonly" 1048576 --rw=read --bs=4k --readonly
reads "create_on_open" 1048576 --rw=read --bs=4k --create_on_open=1
on uring reads "registered files and buffers" 1048576 --rw=read --bs=4k --registerfiles --fixedbufs --direct=1
reads "io_size beyond the file reads it again" 2097152 --rw=read --bs=4k --size=1m --io_size=2m
reads "pre_read" 1048576 --rw=read --bs=4k --pre_read=1
reads "percentages" 524288 --rw=read --bs=4k --size=50%
reads "loops" 3145728 --rw=read --bs=4k --loops=3

# --- jobs that do not fit ---
stops "larger size" --rw=read --bs=4k --size=2m
stops "larger size, randread, direct" --rw=randread --bs=4k --size=2m --direct=1
stops "larger size in a thread" --rw=read --bs=4k --size=2m --thread
stops "larger filesize" --rw=read --bs=4k --filesize=2m
stops "a range of sizes" --rw=read --bs=4k --filesize=2m-4m
stops "offset and size beyond the end" --rw=read --bs=4k --offset=768k --size=512k
stops "--readonly with a larger size" --rw=read --bs=4k --size=2m --readonly
stops "create_on_open with a larger size" --rw=read --bs=4k --size=2m --create_on_open=1
stops "larger size, time based" --rw=randread --bs=4k --size=2m --time_based --runtime=5
stops "larger size, overwrite=1" --rw=read --bs=4k --size=2m --overwrite=1
stops "larger size, file_append" --rw=read --bs=4k --size=2m --file_append=1
stops "larger size, fallocate=none" --rw=read --bs=4k --size=2m --fallocate=none
stops "larger size, fallocate=truncate" --rw=read --bs=4k --size=2m --fallocate=truncate
stops "larger size, fsync on layout" --rw=read --bs=4k --size=2m --create_fsync=1 --create_serialize=0
on uring stops "larger size, registered files" --rw=read --bs=4k --size=2m --registerfiles
ours --filename="$file" --rw=read --bs=4k --size=2m --create_only=1
unchanged "create_only with a larger size"
ours --filename="$file" --rw=read --bs=4k --fill_device=1 --runtime=2 --timeout=2
unchanged "fill_device"
ours --filename="$file" --rw=read --bs=4k --size=2m --allow_file_create=0
ok "allow_file_create=0 with a larger size: fails" test "$rc" -ne 0
unchanged "allow_file_create=0 with a larger size"

# the same through a link, and next to a file that fits
ln -s precious "$TMP/link"
ours --filename="$TMP/link" --rw=read --bs=4k --size=2m
ok "larger size through a symbolic link: fails" test "$rc" -ne 0
unchanged "larger size through a symbolic link"
ok "the link is still a link" test -L "$TMP/link"
random_file "$TMP/fits" 4M
ours --filename="$TMP/fits:$file" --rw=read --bs=4k --filesize=2m
ok "two files, one too small: fails" test "$rc" -ne 0
unchanged "two files, one too small"
is "two files: the other one too" "$(stat -c %s "$TMP/fits")" 4194304

# two jobs on the same small file: one sentence each at most, and no change
fio_run --ioengine="$OURS" --rw=read --bs=4k --size=2m --filename="$file" --name=a --name=b
ok "two jobs: fails" test "$rc" -ne 0
unchanged "two jobs"

# --- verify without writing ---
rm -f "$file"
fine "writing what will be verified" --filename="$file" --rw=write --bs=4k --size=1m --verify=crc32c --do_verify=0
touch -d '2001-02-03 04:05:06.789' "$file"
before=$(state_of "$file")
reads "verify of an earlier run" 1048576 --rw=read --bs=4k --size=1m --verify=crc32c
ours --filename="$file" --rw=read --bs=4k --size=2m --verify=crc32c
ok "verify with a larger size: fails" test "$rc" -ne 0
unchanged "verify with a larger size"
# damage has to be found, or "verified" means nothing
printf 'damage' | dd of="$file" bs=1 seek=500000 conv=notrunc status=none
touch -d '2001-02-03 04:05:06.789' "$file"
before=$(state_of "$file")
ours --filename="$file" --rw=read --bs=4k --size=1m --verify=crc32c
ok "verify finds damage" test "$rc" -ne 0
unchanged "verify of a damaged file"

# --- what is asked for explicitly ---
fine "a missing file is laid out for a read job, as by fio" --filename="$TMP/missing" --rw=read --bs=4k --size=256k
is "its size" "$(stat -c %s "$TMP/missing")" 262144
fine "a missing file with create_on_open" --filename="$TMP/missing2" --rw=write --bs=4k --size=64k --create_on_open=1
is "its size" "$(stat -c %s "$TMP/missing2")" 65536
fine "unlink=1 removes the file after a read job" --filename="$TMP/missing" --rw=read --bs=4k --size=256k --unlink=1
ok "it is gone" test ! -e "$TMP/missing"
fine "unlink=1 after a write job" --filename="$TMP/new" --rw=write --bs=4k --size=64k --unlink=1
ok "that is gone too" test ! -e "$TMP/new"
fresh
fine "a write job may make the file larger" --filename="$file" --rw=write --bs=4k --size=2m
is "its size then" "$(stat -c %s "$file")" 2097152
fresh
fine "a mixed job too" --filename="$file" --rw=randrw --bs=4k --size=2m
is "its size then" "$(stat -c %s "$file")" 2097152
done_testing
