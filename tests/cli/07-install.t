#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Out-of-tree build, install with DESTDIR into a foreign prefix, run from there,
# uninstall to nothing; and what configure refuses, with reason and remedy.
. "$(dirname "$0")/lib.sh"
engine_test uring

conf()
{
    mkdir -p "$TMP/build"
    (cd "$TMP/build" && "$SRC/configure" "$@") > "$TMP/out" 2> "$TMP/err" < /dev/null
    rc=$?
}

conf --prefix=/opt/fp --libdir=/opt/fp/lib64 --with-fio="$FIO" --with-fio-src="$FIO_SRC"
is "configure in an empty folder" "$rc" 0
like "ends with a table and the engines" "$(output)" '^  engines +uring laio$'
ok "make there" bash -c 'make -C "$1" > "$1/log" 2>&1' - "$TMP/build"
ok "writes nothing into the source" test -z "$(cd "$SRC" && git status --porcelain --ignored -- engines scripts profiles 2> /dev/null | grep '^!!')"
ok "make install" make -s -C "$TMP/build" install DESTDIR="$TMP/dest" 
ok "the plugin is where it should be" test -f "$TMP/dest/opt/fp/lib64/fio/fio-uring.so"
FIOPACK=$TMP/dest/opt/fp/bin/fiopack
pack list
like "the installed command finds the profiles beside it" "$(output)" '^r640: '
FIOPACK_PLUGINS=$TMP/dest/opt/fp/lib64/fio pack run r640/B4-T2-O32-W0-PR --runtime 1 --ramp 0 --vm-size 16m
is "and runs with the installed plugin" "$rc" 0
ok "make uninstall" make -s -C "$TMP/build" uninstall DESTDIR="$TMP/dest"
is "leaves nothing" "$(find "$TMP/dest" -type f | wc -l)" 0

conf --frob
is "an unknown option" "$rc $(grep -c 'unknown option --frob' "$TMP/err")" "2 1"
conf --prefix=relative
is "a relative prefix" "$rc $(grep -c 'absolute' "$TMP/err")" "2 1"
conf --with-fio=/nosuch/fio
is "a fio that is not there" "$rc $(grep -c 'is not a program' "$TMP/err")" "1 1"
conf --with-fio=/bin/true
is "a program that is no fio" "$rc $(grep -c 'is it fio' "$TMP/err")" "1 1"
conf --with-fio="$FIO" --with-fio-src="$TMP"
is "a folder that is no fio source" "$rc $(grep -c 'no fio source tree' "$TMP/err")" "1 1"
mkdir "$TMP/fake"
cp "$FIO_SRC"/ioengines.h "$FIO_SRC"/config-host.h "$TMP/fake/"
echo 'FIO_VERSION = fio-9.99' > "$TMP/fake/FIO-VERSION-FILE"
conf --with-fio="$FIO" --with-fio-src="$TMP/fake"
is "the source of another fio" "$rc $(grep -c 'is the source of fio-9.99.*pass the source of exactly that' "$TMP/err")" "1 1"
rm "$TMP/fake/config-host.h"
conf --with-fio="$FIO" --with-fio-src="$TMP/fake"
is "a source that is not configured" "$rc $(grep -c 'is not configured' "$TMP/err")" "1 1"
conf --cc=/nosuch/cc
is "a compiler that is not there" "$rc $(grep -c 'cannot build a program' "$TMP/err")" "1 1"

# without any fio: the command is still built; asked for, the engines are an error
mkdir "$TMP/bin"
for tool in sh bash sed grep awk cut cat cp mv rm mkdir head tail tr dirname basename uname date cc gcc as ld \
    make pkg-config cmp ln touch printf id nproc env dpkg-query install rmdir; do
    p=$(type -P "$tool") && ln -sf "$p" "$TMP/bin/$tool"
done
rm -rf "$TMP/build"
PATH=$TMP/bin conf
is "without fio configure goes on" "$rc $(grep -c 'No engine will be built: no fio in PATH' "$TMP/err")" "0 1"
ok "and the command is built" bash -c 'PATH="$2" make -C "$1" > "$1/log" 2>&1 && "$1/build/fiopack" --version > /dev/null' - \
    "$TMP/build" "$TMP/bin"
PATH=$TMP/bin conf --enable-engines
is "--enable-engines without fio is an error" "$rc $(grep -c -- '--enable-engines: no fio in PATH' "$TMP/err")" "1 1"
done_testing
