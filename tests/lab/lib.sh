# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Boots a kernel with the devices a test asks for under QEMU's software emulation,
# and makes what the scripts in it report part of the calling test. Nothing of this
# machine is used but files: no KVM (FIOPACK_LAB_ACCEL=kvm allows it), no network,
# no privileges.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../lib.sh"

LAB=$SRC/tests/lab
QEMU=$(type -P qemu-system-x86_64)
PATH=$PATH:/usr/sbin:/sbin # not in every user's path, and cpio's list comes from there

# Why there can be no lab here; nothing when there can.
no_lab_reason()
{
    [ -n "$QEMU" ] || { echo "qemu-system-x86_64 is missing: install qemu-system-x86"; return; }
    type -P cpio > /dev/null || { echo "cpio is missing"; return; }
    [ -n "$FIO" ] || { echo "there is no fio"; return; }
    [ -n "$ENGINES" ] || echo "no engine was built here (see the end of ./configure)"
}
lab_or_skip()
{
    local why
    why=$(no_lab_reason)
    [ -z "$why" ] || skip_all "$why"
    "$LAB/kernel.sh" stock "$BUILD/lab" > /dev/null 2> "$TMP/why" || skip_all "$(cat "$TMP/why")"
}

# device NAME: add it to $args, $kernel_args and $modules, or to the list of those that are absent
device()
{
    local line words first property
    line=$(grep -Em1 "^$1( |\$)" "$LAB/devices") || { diag "there is no device $1 in tests/lab/devices"; return 1; }
    property=${line#* needs }
    if [ "$property" != "$line" ] &&
        ! "$QEMU" -device "${property%.*},help" 2> /dev/null | grep -q "^  ${property##*.}="; then
        echo "$1: $("$QEMU" --version | sed -n '1s/ (.*//p') has no $property" >> "$TMP/overlay/fiopack/absent"
        return
    fi
    while read -r first words; do
        case $first in
        image) truncate -s "${words#* }" "$TMP/images/${words% *}" ;;
        kernel) kernel_args+=" $words" ;;
        module) modules+=" $words" ;;
        -*) args+=("$first" "${words//@/$TMP/images}") ;;
        esac
    done < <(awk -v name="$1" '/^[^ \t#]/ { on = $1 == name; next } on && NF' "$LAB/devices")
}

# report: what the guest says, on stdin, as results of this test. Fails when the guest did not come to its end.
report()
{
    local line script="" seen=0 bad=0 plan="" ended=1
    while IFS= read -r line; do
        case $line in
        "lab: begin "*)
            script=${line#lab: begin } seen=0 bad=0 plan=""
            script=${script% -}
            ;;
        "lab: status "*)
            if [ "$plan" != "$seen" ] || { [ "$line" != "lab: status 0" ] && [ "$bad" -eq 0 ]; }; then
                result 1 "$script ended well"
                diag "status ${line##* }, $seen results, planned: ${plan:-nothing}"
            fi
            script=""
            ;;
        "lab: end") ended=0 ;;
        "ok "* | "not ok "*)
            seen=$((seen + 1))
            nr=$((nr + 1))
            if [[ $line = not* ]]; then
                bad=$((bad + 1))
                failed=$((failed + 1))
            fi
            sed -E "s/ok [0-9]+ -/ok $nr - ${script##*[ \/]}:/" <<< "$line"
            ;;
        "1..0 # SKIP "*)
            skip "$script" "${line#1..0 # SKIP }"
            plan=0
            ;;
        1..*) plan=${line#1..} ;;
        "# "*) echo "$line" >&2 ;;
        *) [ -z "$line" ] || diag "$line" ;;
        esac
    done
    [ -z "$script" ] || diag "it was running $script"
    return $ended
}

# Did the last boot happen? Its images are in $TMP/images then.
booted()
{
    [ -d "$TMP/images" ]
}

# boot [--kernel=stock|newer] [--devices="NAME..."] [--limit=SECONDS] SCRIPT...: run scripts (paths under
# tests/) in one guest.
boot()
{
    local kernel=stock devices="" limit=400 args=() modules="" kernel_args="" dir name status fifo=$TMP/said was=$failed
    while [[ ${1:-} = --* ]]; do
        case $1 in
        --kernel=*) kernel=${1#*=} ;;
        --devices=*) devices=${1#*=} ;;
        --limit=*) limit=${1#*=} ;;
        *) result 1 "boot does not know $1"; return ;;
        esac
        shift
    done
    rm -rf "$TMP/images" "$TMP/overlay"
    dir=$("$LAB/kernel.sh" "$kernel" "$BUILD/lab" 2> "$TMP/why")
    case $? in
    0) ;;
    1)
        skip "all scripts on the $kernel kernel" "$(cat "$TMP/why")"
        return
        ;;
    *)
        result 1 "a kernel"
        diag "$(cat "$TMP/why")"
        return
        ;;
    esac
    mkdir -p "$TMP/images" "$TMP/overlay/fiopack"
    : > "$TMP/overlay/fiopack/absent"
    for name in $devices; do
        device "$name" || { result 1 "device $name"; return; }
    done
    if [ ! -e "$TMP/$kernel.initrd" ] && ! "$LAB/initramfs.sh" "$dir" "$TMP/$kernel.initrd" 2> "$TMP/why"; then
        result 1 "a file system for the guest"
        diag "$(cat "$TMP/why")"
        return
    fi
    printf '%s=%q\n' modules "$modules" scripts "$*" limit "$limit" FIO "$(type -P "$FIO")" ENGINES "$ENGINES" > "$TMP/overlay/fiopack/boot"
    # what belongs to this boot goes behind what all boots share, instead of what the last boot put there
    [ -s "$TMP/$kernel.size" ] || stat -c %s "$TMP/$kernel.initrd" > "$TMP/$kernel.size"
    truncate -s "$(cat "$TMP/$kernel.size")" "$TMP/$kernel.initrd"
    (cd "$TMP/overlay" && find . | cpio --quiet -o -H newc -R 0:0) >> "$TMP/$kernel.initrd"

    rm -f "$fifo"
    mkfifo "$fifo"
    # without cx16: QEMU 7.2's emulation of cmpxchg16b spoils the flags, and Linux 6.12 dies of it
    timeout -k 5 "$limit" "$QEMU" -nodefaults -no-user-config -no-reboot -display none -machine "q35,accel=${FIOPACK_LAB_ACCEL:-tcg}" \
        -cpu max,cx16=off -smp 2 -m 1G,slots=4,maxmem=4G -kernel "$dir/vmlinuz" -initrd "$TMP/$kernel.initrd" \
        -append "console=ttyS0 panic=-1 loglevel=5$kernel_args" -serial "file:$TMP/console" -serial stdio \
        "${args[@]}" < /dev/null > "$fifo" 2> "$TMP/qemu.err" &
    if report < "$fifo"; then
        wait $!
    else
        wait $!
        status=$?
        result 1 "the guest came to its end"
        [ $status -ne 124 ] || diag "it did not within $limit seconds"
        diag "$(tail -n 5 "$TMP/qemu.err")"
        diag "the end of its console:"
        diag "$(tail -n 30 "$TMP/console")"
    fi
    if [ "$failed" -ne "$was" ]; then
        mkdir -p "$BUILD/lab"
        cp "$TMP/console" "$BUILD/lab/$(basename "$0").console" && diag "its console is in $BUILD/lab/$(basename "$0").console"
    fi
}
