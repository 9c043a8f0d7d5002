#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fio's version number for engines does not change when its structures do, so the
# plugin itself has to notice a fio it was not built for. Here it meets a fio of
# another version, headers of the same version with one more option field, and
# headers whose job structure alone differs: each time one sentence, exit status 1
# and no crash. Built for the other fio it has to work there.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
engine_test uring

# refuses NAME FIO PLUGIN REGEX
refuses()
{
    local said
    timeout 60 "$2" --name=t --ioengine="external:$3" --filename="$TMP/f" --rw=write --bs=4k --size=64k \
        > "$TMP/out" 2> "$TMP/err" < /dev/null
    rc=$?
    said=$(sentences)
    is "$1: exit status 1" "$rc" 1
    is "$1: one sentence of ours" "$(grep -c . <<< "$said")" 1
    like "$1: it says what and why" "$said" "$4"
    like "$1: it says how to fix it" "$said" 'with-fio=.*make'
    is "$1: nothing of ours on stdout" "$(grep -c uring: "$TMP/out")" 0
    ok "$1: nothing was written" test ! -s "$TMP/f"
    rm -f "$TMP/f"
}

# works NAME FIO PLUGIN
works()
{
    FIO=$2 fio_run --name=t --ioengine="external:$3" --filename="$TMP/g" --size=4m --bs=4k --rw=randrw \
        --verify=crc32c --iodepth=16 --direct=1
    was_fine "$1" && is "$1: all was verified" "$(total jobs.0.read.io_bytes)" 4194304
    rm -f "$TMP/g"
}

version=$("$FIO" --version)

# --- the same version, another layout ---

# tree NAME FILE PATTERN FIELD: fio's headers with a field put before the line that matches
tree()
{
    mkdir -p "$TMP/$1"
    (cd "$FIO_SRC" && find . -name '*.h' -o -name FIO-VERSION-FILE -o -name FIO-VERSION-GEN) |
        tar -C "$FIO_SRC" -cf - -T - | tar -C "$TMP/$1" -xf -
    awk -v at="$3" -v field="$4" '!done && $0 ~ at { print field; done = 1 } { print }' \
        "$FIO_SRC/$2" > "$TMP/$1/$2"
    ! cmp -s "$FIO_SRC/$2" "$TMP/$1/$2"
}

# shellcheck disable=SC2317 # called by ok
# against NAME: build the plugin against such a tree, as configure would if its own guard let it
against()
{
    local s=$SRC/engines
    # shellcheck disable=SC2046 # flags are words
    "$CC" -std=gnu11 -O2 -fPIC -shared -fvisibility=hidden -I"$s" -I"$BUILD" $(from_config CFLAGS_uring) \
        -include "$TMP/$1/config-host.h" -isystem "$TMP/$1" -D_GNU_SOURCE -D_LARGEFILE_SOURCE \
        -D_FILE_OFFSET_BITS=64 -DFIO_INTERNAL -DFIO_INC_DEBUG "$s"/uring*.c "$s"/fio_*.c "$s"/core/*.c \
        -o "$TMP/$1.so" -Wl,--version-script="$s/engine.map" \
        -Wl,-Bsymbolic -Wl,-z,now -Wl,-z,nodelete $(from_config LIBS_uring) 2> "$TMP/cc.err" ||
        { diag "$(cat "$TMP/cc.err")"; return 1; }
}

if [ -f "$FIO_SRC/thread_options.h" ]; then
    # contrast: the same way of building, with nothing changed, gives a plugin that works
    tree same fio.h 'no line is like this' '' || true
    ok "headers as they are: builds" against same
    works "headers as they are" "$FIO" "$TMP/same.so"

    ok "one more option field: headers" tree option thread_options.h '^[[:space:]]*unsigned int iodepth;' \
        '	unsigned long long one_more;'
    ok "one more option field: builds" against option
    refuses "one more option field" "$FIO" "$TMP/option.so" "built for $version .*same version.*another configuration"

    ok "larger job structure: headers" tree td fio.h '^[[:space:]]*struct ioengine_ops \*io_ops;' \
        '	unsigned char one_more[48];'
    ok "larger job structure: builds" against td
    refuses "larger job structure" "$FIO" "$TMP/td.so" "built for $version .*same version.*layout of its job structure"
else
    skip "the same version, another layout" "no source of this fio in $FIO_SRC"
fi

# a program that is no fio may load it and look at it, as nm or a doctor would
cat > "$TMP/load.c" <<'END'
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	void *h = dlopen(argv[argc - 1], RTLD_LAZY);
	fprintf(stderr, "%s\n", h ? "loaded" : dlerror());
	return 0;
}
END
"$CC" -o "$TMP/load" "$TMP/load.c" -ldl
"$TMP/load" "$PLUGIN" > "$TMP/out" 2> "$TMP/err"
is "loading it in no fio at all does not crash" $? 0
is "loading it in no fio at all says nothing" "$(sentences; cat "$TMP/out")" ""

# --- another version ---

if other=$("$SRC/scripts/fio-source.sh" other "$FIO" "$BUILD/fio-source-other" 2> "$TMP/why"); then
    theirs_version=$("$other/fio" --version)
    refuses "fio of another version" "$other/fio" "$PLUGIN" "built for $version .*it is $theirs_version"

    out=$BUILD/for-other-fio
    mkdir -p "$out"
    (cd "$out" && "$SRC/configure" --with-fio="$other/fio" --with-fio-src="$other" --enable-werror \
        --enable-engines --disable-command --disable-tests && make) > "$TMP/make.log" 2>&1
    result $? "built for the other fio" || diag "$(tail -n 5 "$TMP/make.log")"
    built=$out/build/fio-uring.so
    for engine in $ENGINES; do
        for mode in 0 1; do
            FIO=$other/fio fio_run --name=t --ioengine="external:$out/build/fio-$engine.so" --filename="$TMP/g" --size=4m \
                --bs=4k --rw=randrw --verify=crc32c --iodepth=16 --direct=1 --fdatasync=32 --thread=$mode
            was_fine "$engine works in the other fio, thread=$mode" &&
                is "$engine: verified there, thread=$mode" "$(total jobs.0.read.io_bytes)" 4194304
            rm -f "$TMP/g"
        done
    done
    # atomic writes: fio 3.38 and newer let an engine take them; the disk here can or cannot
    if grep -q HAVE_FIO_ATOMICWRITES "$out/build/build-config.h" && can_strace; then
        for engine in $ENGINES; do
            strace -f -qq -o "$TMP/strace" -e trace=io_submit "$other/fio" --name=t --ioengine="external:$out/build/fio-$engine.so" \
                --filename="$TMP/g" --size=4k --bs=4k --rw=write --direct=1 --atomic=1 > "$TMP/out" 2>&1
            rm -f "$TMP/g"
            is "$engine announces atomic writes: fio does not drop them" "$(grep -c 'does not support atomic' "$TMP/out")" 0
        done
        like "laio: the kernel sees RWF_ATOMIC" "$(cat "$TMP/strace")" 'aio_rw_flags=(0x40|.*RWF_ATOMIC)'
    else
        skip "atomic writes" "$theirs_version has no atomic writes, or strace cannot trace here"
    fi
    refuses "built for the other fio, in this one" "$FIO" "$built" "built for $theirs_version .*it is $version"
else
    skip "a fio of another version" "$(tail -n 1 "$TMP/why")"
fi
done_testing
