#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Finds fio's source. A plugin must be compiled against exactly the source of the
# fio that will load it, and distributions do not package fio's headers, so the
# distribution's source package is the place they come from.
#
# Trees are kept in a cache and used again. Nothing under /etc changes: apt gets
# lists of its own in the work folder, made from the machine's own sources (same
# mirror, same keyring).
set -eu

me="fio-source.sh"
cache=${FIOPACK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/fiopack}

usage()
{
    cat <<EOF
usage: $me match FIO WORKDIR    print the configured source tree of the program FIO
       $me other FIO WORKDIR    build a fio of another version, print its tree
       $me symbols FIO WORKDIR  build FIO with symbols (distributions strip it), print its tree

FIO_SRC in the environment names a configured tree of FIO's source to build from.

WORKDIR takes temporary files (apt lists, a log). Trees are kept in
$cache (FIOPACK_CACHE overrides).
Exit status: 0 found, 1 not to be had (one sentence on stderr), 2 bad usage.
EOF
}

die()
{
    echo "$me: $*" >&2
    exit 1
}

# The machine's apt sources as source-package entries; with $1, for that suite alone.
apt_sources()
{
    for f in /etc/apt/sources.list.d/*.sources; do
        [ -f "$f" ] || continue
        # stanzas that list packages, turned into stanzas that list sources
        sed -e 's/^Types:.*/Types: deb-src/' "$f" > "$apt/sources.d/$(basename "$f")"
    done
    for f in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        [ -f "$f" ] || continue
        sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$f" > "$apt/sources.d/$(basename "$f" .list).list"
    done
    [ -n "${1:-}" ] || return 0

    # One entry is enough for another suite: the first that is not a security or
    # third-party archive, with the suite replaced.
    one=$(cat "$apt"/sources.d/*.sources "$apt"/sources.d/*.list 2> /dev/null | awk '
        /^deb-src/ { print; exit }
        /^Types:/ { stanza = 1 }
        stanza && /^URIs:/ { uri = $2 }
        stanza && /^Signed-By:/ { key = $2 }
        stanza && uri && key { print "deb-src [signed-by=" key "] " uri " SUITE main"; exit }
    ')
    [ -n "$one" ] || return 1
    rm -f "$apt"/sources.d/*
    echo "$one" | awk -v suite="$1" '{
        for (i = 2; i <= NF && $i ~ /^\[|\]$|=/; i++) ;
        out = $1; for (j = 2; j < i; j++) out = out " " $j
        print out, $i, suite, "main"
    }' > "$apt/sources.d/suite.list"
}

private_apt()
{
    apt=$work/apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/sources.d"
    apt_sources "$@" || return 1
    set -- -q -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/sources.d" \
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
    aptopts=$*
    # One source that does not answer must not spoil the others: go on and see.
    # shellcheck disable=SC2086
    apt-get $aptopts update >> "$log" 2>&1 || true
}

# Upstream version of every source package to be had, newest first: "3.33-3 3.33".
apt_versions()
{
    # shellcheck disable=SC2086
    apt-cache $aptopts showsrc fio 2>> "$log" |
        awk '/^Version:/ { v = u = $2; sub(/^[0-9]+:/, "", u); sub(/-[^-]*$/, "", u); print v, u }'
}

# Unpack source package version $1 in $2; $3 allows the upstream archive alone.
apt_unpack()
{
    rm -rf "$2"
    mkdir -p "$2"
    # shellcheck disable=SC2086
    if (cd "$2" && apt-get $aptopts --download-only source "fio=$1") >> "$log" 2>&1; then
        (cd "$2" && dpkg-source --no-check -x ./*.dsc tree) >> "$log" 2>&1 && return 0
    fi
    [ -n "${3:-}" ] || return 1
    # A mirror that is half way through an update may have the archive but not the
    # packaging. apt has checked its sum against the signed index all the same.
    # shellcheck disable=SC2086
    (cd "$2" && apt-get $aptopts --tar-only --download-only source "fio=$1") >> "$log" 2>&1 || return 1
    mkdir -p "$2/tree"
    tar -xf "$2"/*.orig.tar.* -C "$2/tree" --strip-components=1 >> "$log" 2>&1
}

configure_tree()
{
    (cd "$1" && ./configure --disable-native && sh ./FIO-VERSION-GEN) >> "$log" 2>&1
}

# Put a finished tree into the cache under name $2, whole or not at all.
keep()
{
    mkdir -p "$cache"
    rm -rf "$cache/$2.new.$$"
    mv "$1" "$cache/$2.new.$$"
    rm -rf "${cache:?}/$2"
    mv "$cache/$2.new.$$" "$cache/$2"
}

need_apt()
{
    command -v apt-cache > /dev/null ||
        die "no source of $version here and no apt-get to fetch it with; unpack the source of" \
            "exactly this fio, run its ./configure, and pass --with-fio-src=DIR"
    command -v dpkg-source > /dev/null || die "dpkg-source is missing: install dpkg-dev"
}

match()
{
    upstream=${version#fio-}
    if [ -f "$cache/$version/config-host.h" ]; then
        echo "$cache/$version"
        return
    fi
    need_apt
    private_apt
    # the installed package's own version first, then any with the same upstream version
    pkg=$(dpkg-query -W -f '${source:Version}' fio 2> /dev/null || true)
    apt_versions > "$work/versions"
    for v in $pkg $(awk -v u="$upstream" '$2 == u { print $1 }' "$work/versions"); do
        grep -q "^$v $upstream\$" "$work/versions" || continue
        apt_unpack "$v" "$work/unpack" || continue
        configure_tree "$work/unpack/tree" || die "fio's own configure failed; see $log"
        keep "$work/unpack/tree" "$version"
        echo "$cache/$version"
        return
    done
    die "this machine's package sources have no source of $version ($fio): unpack the source of" \
        "exactly this fio, run its ./configure, and pass --with-fio-src=DIR (details in $log)"
}

other()
{
    for d in "$cache"/other-fio-*; do
        if [ -x "$d/fio" ] && [ "$("$d/fio" --version)" != "$version" ]; then
            echo "$d"
            return
        fi
    done
    need_apt
    # shellcheck disable=SC1091
    case $(. /etc/os-release && echo "$ID") in
    debian) suites="sid trixie forky bookworm bullseye" ;;
    ubuntu) suites="devel noble jammy" ;;
    *) die "no list of suites for this distribution" ;;
    esac
    for suite in $suites; do
        private_apt "$suite" || continue
        v=$(apt_versions | awk -v u="${version#fio-}" '$2 != u { print $1; exit }')
        [ -n "$v" ] || continue
        apt_unpack "$v" "$work/unpack" tar || continue
        configure_tree "$work/unpack/tree" || continue
        make -C "$work/unpack/tree" -j"$(nproc)" fio >> "$log" 2>&1 || continue
        name=other-$("$work/unpack/tree/fio" --version)
        keep "$work/unpack/tree" "$name"
        echo "$cache/$name"
        return
    done
    die "no suite of this distribution has the source of another fio at the moment (details in $log)"
}

# The program is the same but for the compiler's flags, which are fio's own.
symbols()
{
    if [ -x "$cache/symbols-$version/fio" ]; then
        echo "$cache/symbols-$version"
        return
    fi
    tree=${FIO_SRC:-$(match)}
    [ -f "$tree/config-host.mak" ] || die "no configured source of fio in '$tree': set FIO_SRC, or unset it"
    rm -rf "$work/symbols"
    cp -r "$tree" "$work/symbols"
    make -C "$work/symbols" -j"$(nproc)" fio >> "$log" 2>&1 || die "cannot build fio in $work/symbols; see $log"
    theirs=$("$work/symbols/fio" --version) || true
    [ "$theirs" = "$version" ] || die "the source in $tree makes $theirs, where $fio is $version"
    keep "$work/symbols" "symbols-$version"
    echo "$cache/symbols-$version"
}

[ $# -eq 3 ] || { usage >&2; exit 2; }
fio=$2
work=$3
version=$("$fio" --version 2> /dev/null) || die "$fio does not run"
mkdir -p "$work"
log=$work/fio-source.log
: > "$log"
case $1 in
match) match ;;
other) other ;;
symbols) symbols ;;
*) usage >&2; exit 2 ;;
esac
