#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Packs what a guest of the lab runs: bash and the programs that tests use, taken
# from this machine with the libraries they need, fio, the plugins, the tests, and
# modules of the kernel with those they depend on. Everything keeps its path, so
# tests that run here also run there; the project is at /fiopack.
#
#   initramfs.sh KERNELDIR OUT    with SRC, BUILD and FIO set; KERNELDIR as kernel.sh prints it
#
# Exit status: 0 written, 1 not possible (one sentence on stderr).
set -euo pipefail
PATH=$PATH:/usr/sbin:/sbin
kernel=$1
out=$2

# What tests may use; all of it is in Debian's essential packages or in configure's list.
programs="sh bash perl awk sed grep cmp id
    basename cat chmod comm cp cut date dd dirname dmesg echo env false head ln ls mkdir mkfifo mknod mktemp mv od
    printf readlink realpath rm rmdir seq sha256sum sleep sort stat stty sync tail tee test timeout touch tr true
    truncate uname uniq wc xargs
    addpart blkdiscard blockdev delpart losetup mkswap mount prlimit setpriv sfdisk swapoff swapon umount unshare
    dmsetup e2fsck mkfs.ext4 modprobe kill ps strace"
# What only some tests use, which look for it themselves.
optional="nvme ndctl mkfs.xfs"
# What no device of the lab asks for, but tests do (dm, md, loop).
modules="loop dm_mod md_mod raid1"

die()
{
    echo "initramfs.sh: $*" >&2
    exit 1
}

stage=$(mktemp -d "${TMPDIR:-/var/tmp}/fiopack-initramfs.XXXXXX")
trap 'rm -rf "$stage"' EXIT
root=$stage/root

# --- files of this machine ---
for p in $programs; do
    found=$(type -P "$p") || die "the program $p is missing: run ./configure --install-deps"
    echo "$found"
done > "$stage/programs"
for p in $optional; do
    type -P "$p" || true
done >> "$stage/programs"
type -P "$FIO" >> "$stage/programs" || die "there is no fio at $FIO"
mapfile -t binaries < "$stage/programs"
plugins=("$BUILD"/fio-*.so)
[ -e "${plugins[0]}" ] || plugins=()
{
    cat "$stage/programs"
    # ldd does the same ten times slower; what is no dynamic executable needs nothing
    for p in "${binaries[@]}" "${plugins[@]}"; do
        /lib64/ld-linux-x86-64.so.2 --list "$p" 2> /dev/null || true
    done | sed -nE 's/^[[:space:]]+(.* => )?(\/[^ ]+) \(0x[0-9a-f]+\)$/\2/p'
    # fio's JSON is read with perl
    perl -MJSON::PP -e 'print "$_\n" for values %INC, @DynaLoader::dl_shared_objects'
    [ ! -e /etc/mke2fs.conf ] || echo /etc/mke2fs.conf
} | sed -E 's/^\/(s?bin|lib(64)?)\//\/usr\/\1\//' | sort -u > "$stage/files"
# every folder (as such, should it be a link) before what is in it
awk -F/ '{ at = ""; for (i = 2; i < NF; i++) { at = at "/" $i; if (!seen[at]++) print substr(at, 2) } print substr($0, 2) }' \
    "$stage/files" > "$stage/list"

# --- what is made for the guest ---
mkdir -p "$root"/{proc,sys,dev,run,tmp,etc,root,var/tmp} "$root/usr"/{bin,sbin,lib,lib64} "$root/fiopack"/{build,tests}
for d in bin sbin lib lib64; do
    ln -s "usr/$d" "$root/$d"
done
ln -s /proc/self/mounts "$root/etc/mtab"
cp "$SRC/tests/lab/guest/init.sh" "$root/init"
chmod 755 "$root/init"
cp -r "$SRC/tests/lib.sh" "$SRC/tests/engine" "$SRC/tests/lab" "$root/fiopack/tests/"
[ ${#plugins[@]} -eq 0 ] || cp "${plugins[@]}" "$root/fiopack/build/"

version=$(ls "$kernel/lib/modules")
tree=lib/modules/$version
mkdir -p "$root/usr/$tree"
# shellcheck disable=SC2046
for m in $modules $(sed -n 's/^[[:space:]]*module //p' "$SRC/tests/lab/devices"); do
    # a module that this kernel lacks is missed by the test that needs it
    modprobe -d "$kernel" -S "$version" --show-depends "$m" 2> /dev/null | sed -n 's/^insmod \([^ ]*\).*/\1/p' || true
done | sort -u | while read -r path; do
    to=$root/usr/$tree/${path#"$kernel/$tree/"}
    mkdir -p "${to%/*}"
    cp "$path" "$to"
done
cp "$kernel/$tree"/modules.builtin* "$kernel/$tree/modules.order" "$root/usr/$tree/"
depmod -b "$root" "$version" || die "depmod fails"

# The kernel unpacks archives one after the other; the first has the links the second goes through.
{
    (cd "$root" && find . | sort | cpio --quiet -o -H newc -C 65536 -R 0:0)
    cpio --quiet -o -H newc -C 65536 -R 0:0 -L -D / < "$stage/list"
} > "$out" 2> "$stage/cpio.err" || die "cpio: $(head -n 1 "$stage/cpio.err")"
