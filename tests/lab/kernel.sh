#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Finds a kernel for the lab: Debian's cloud kernel, unpacked into a cache and
# never installed, so that no boot entry changes. "stock" is that of the suite
# this machine runs, "newer" that of the suite's backports. Like fio-source.sh it
# gives apt lists of its own; nothing under /etc or /var/lib/apt is touched.
set -eu

me="kernel.sh"
cache=${FIOPACK_CACHE:-${XDG_CACHE_HOME:-${HOME:-/var/tmp}/.cache}/fiopack}
PATH=$PATH:/usr/sbin:/sbin

usage()
{
    cat <<EOF
usage: $me stock|newer WORKDIR    print a folder with vmlinuz and lib/modules

WORKDIR takes temporary files (apt lists, a log). Kernels are kept in
$cache (FIOPACK_CACHE overrides) until that folder is removed.
Exit status: 0 found, 1 not to be had (one sentence on stderr), 2 bad usage.
EOF
}

die()
{
    echo "$me: $*" >&2
    exit 1
}

[ $# -eq 2 ] || { usage >&2; exit 2; }
which=$1
work=$2
case $which in
stock | newer) ;;
*) usage >&2; exit 2 ;;
esac
# shellcheck disable=SC1091 # the machine's own file
. /etc/os-release
[ "$ID" = debian ] || die "it knows Debian's kernels only, and this is $ID"
command -v depmod > /dev/null || die "depmod is missing: install kmod"
[ "$(dpkg --print-architecture)" = amd64 ] || die "it knows kernels for amd64 only"
dir=$cache/linux-$VERSION_CODENAME-$which
if [ -f "$dir/vmlinuz" ]; then
    echo "$dir"
    exit
fi

mkdir -p "$work" "$cache"
work=$(cd "$work" && pwd)
log=$work/kernel.log
: > "$log"
if [ "$which" = stock ]; then
    set -- -q
else
    # the archive the machine's own packages come from has the backports too
    uri=$(apt-get indextargets --format '$(ORIGIN) $(RELEASE) $(COMPONENT) $(REPO_URI)' |
        awk -v suite="$VERSION_CODENAME" '$1 == "Debian" && $2 == suite && $3 == "main" { print $4; exit }')
    [ -n "$uri" ] || die "apt knows no source of $VERSION_CODENAME: run apt-get update"
    apt=$work/apt
    rm -rf "$apt"
    mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $VERSION_CODENAME-backports main" > "$apt/list"
    set -- -q -o "Dir::Etc::sourcelist=$apt/list" -o Dir::Etc::sourceparts=/dev/null \
        -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o APT::Sandbox::User=root
    apt-get "$@" update >> "$log" 2>&1 || die "apt-get cannot read the list of $VERSION_CODENAME-backports; see $log"
fi
package=$(apt-cache "$@" depends linux-image-cloud-amd64 2>> "$log" | awk '/Depends: linux-image-[0-9]/ { print $2; exit }')
[ -n "$package" ] || die "apt knows no package linux-image-cloud-amd64: run apt-get update"
rm -rf "$work/deb" "$work/tree"
mkdir -p "$work/deb" "$work/tree"
(cd "$work/deb" && apt-get "$@" download "$package") >> "$log" 2>&1 ||
    die "apt-get cannot download $package (apt-get update first?); see $log"
dpkg -x "$work/deb"/*.deb "$work/tree" >> "$log" 2>&1 || die "dpkg cannot unpack $package; see $log"

# whole or not at all, also when two ask at once
new=$dir.new.$$
rm -rf "$new"
mkdir -p "$new/lib"
mv "$work/tree"/boot/vmlinuz-* "$new/vmlinuz"
mv "$work/tree"/lib/modules "$new/lib/" 2>> "$log" || mv "$work/tree"/usr/lib/modules "$new/lib/"
depmod -b "$new" "$(ls "$new/lib/modules")" >> "$log" 2>&1 || die "depmod fails for $package; see $log"
mv -T "$new" "$dir" 2>> "$log" || rm -rf "$new"
[ -f "$dir/vmlinuz" ] || die "cannot write to $cache; see $log"
rm -rf "$work/deb" "$work/tree"
echo "$dir"
