#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# A machine whose administrator has switched io_uring off, for all or for those without
# privileges: a job that needs it ends at once with the sentence that names the switch,
# one that does not need it runs.
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname "$0")/lib.sh"
need plain-512
switch=/proc/sys/kernel/io_uring_disabled
[ -e $switch ] || skip_all "Linux $(uname -r) has no sysctl kernel.io_uring_disabled (6.6)"
each_engine
LIMIT=20
dev=$(node plain-512)
job=(--filename="$dev" --rw=randread --bs=4k --size=64k --direct=1 --iodepth=4 --invalidate=0)
at_exit sh -c "echo 0 > $switch"
cat > "$TMP/nobody" <<END
#!/bin/sh
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$FIO" "\$@"
END
chmod 755 "$TMP/nobody"
chmod 666 "$dev"

ours "${job[@]}"
is "contrast: switched on" "$rc $(errors)" "0 "
FIO=$TMP/nobody ours "${job[@]}"
is "contrast: switched on, without privileges" "$rc $(errors)" "0 "
says='io_uring is refused to this process: .*kernel\.io_uring_disabled'
if [ "$ENGINE" = uring ]; then
    echo 2 > $switch
    refused "switched off, thread" "$says" "${job[@]}" --thread
    NJOBS=3 refused "switched off, three jobs" "$says" "${job[@]}" --numjobs=3
    echo 1 > $switch
    FIO=$TMP/nobody refused "switched off for those without privileges" "$says" "${job[@]}"
    ours "${job[@]}"
    is "switched off for those without privileges, root" "$rc $(errors)" "0 "
else
    echo 2 > $switch
    ours "${job[@]}"
    is "switched off: an engine that does not need it" "$rc $(errors)" "0 "
fi
done_testing
