# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A library that takes the place of some functions of liburing or libaio and plays a kernel in
# trouble (shim.h has what such libraries share). Sourced after lib.sh.

export SHIM="" SHIM_EVERY=3 SHIM_LOG=$TMP/played

# play_kernel FLAG...: build it from $TMP/shim.c; from then on fio runs with it
play_kernel()
{
    "$CC" -O1 -shared -fPIC -I"$SRC/tests/engine" -o "$TMP/shim.so" "$TMP/shim.c" "$@" -ldl 2> "$TMP/cc.err"
    result $? "the library compiles" || { diag "$(cat "$TMP/cc.err")"; done_testing; }
    cat > "$TMP/fio" << END
#!/bin/sh
LD_PRELOAD="$TMP/shim.so" exec "$FIO" "\$@"
END
    chmod +x "$TMP/fio"
    FIO=$TMP/fio
}

# survives NAME IOS ARG...: all I/Os, verified, and the library really did something
survives()
{
    local name=$1 want=$2
    shift 2
    rm -f "$SHIM_LOG" "$TMP"/data*
    fine "$name" --filename="$TMP/data" --bs=4k --size=4m --verify=crc32c --verify_fatal=1 "$@"
    is "$name: counts" "$(json jobs.0.{read,write}.{total_ios,short_ios,drop_ios} | xargs)" "$want 0 0 $want 0 0"
    ok "$name: the kernel was played" test -s "$SHIM_LOG"
}
