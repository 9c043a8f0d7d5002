#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# fio is linked so that its functions take the place of a plugin's of the same name,
# and it closes plugins from threads that may still run in them. So a plugin exports
# `ioengine` alone, takes nothing undefined but what fio, libc and its I/O library
# give, resolves it all at load, and stays loaded.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"
engine_test "${ENGINES%% *}"

# everything fio, libc and the libraries the plugin names define
known=$TMP/known
{
    nm -D --defined-only "$FIO"
    ldd "$PLUGIN" "$FIO" | awk '$3 ~ /^\// { print $3 }' | sort -u | while read -r lib; do
        nm -D --defined-only "$lib"
    done
} | awk '{ sub(/@.*/, "", $NF); print $NF }' | sort -u > "$known"

for so in "$BUILD"/fio-*.so; do
    name=$(basename "$so")
    is "$name exports ioengine alone" "$(nm -D --defined-only "$so" | awk '{ print $2, $3 }')" "D ioengine"
    is "$name: every undefined symbol is fio's or a library's" \
        "$(nm -D --undefined-only "$so" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u | comm -23 - "$known")" ""
    # weak: what a program that is no fio lacks
    is "$name: weak symbols are the ones the ABI guard looks at" \
        "$(nm -D --undefined-only "$so" | awk '$1 != "U" && $2 !~ /^(_ITM_|__gmon_start__|__cxa_finalize)/ { print $2 }' |
            sort | tr '\n' ' ')" "fio_options fio_version_string "
    flags=$(readelf -d "$so")
    like "$name is resolved at load" "$flags" 'FLAGS.*(BIND_NOW|NOW)'
    like "$name is never unloaded" "$flags" 'FLAGS_1.*NODELETE'
    is "$name needs libc and its I/O library only" \
        "$(awk '/NEEDED/ { gsub(/[][]/, ""); print $NF }' <<< "$flags" | grep -Ev '^(liburing|libaio|libc)\.so' | tr '\n' ' ')" ""
    is "$name has no executable stack and no text relocations" \
        "$(readelf -lW "$so" | grep -E 'GNU_STACK.*E ' || true)$(grep -E 'TEXTREL' <<< "$flags" || true)" ""
done
done_testing
