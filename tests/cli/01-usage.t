#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# Help, version, and one clear sentence with exit status 2 for every way to get the
# command line wrong; nothing is written by any of them.
. "$(dirname "$0")/lib.sh"

version=$(sed -n 's/^#define FIOPACK_VERSION "\(.*\)"/\1/p' "$SRC/engines/version.h")
pack --version
is "--version" "$rc $(output)" "0 fiopack $version"
is "the newest entry of the change log is this version" \
    "$(sed -n 's/^## \([0-9.]*\).*/\1/p' "$SRC/CHANGELOG.md" | head -n 1)" "$version"
pack --help
is "--help" "$rc" 0
for c in list show run report; do
    ok "--help tells about $c" grep -q "^  $c " "$TMP/out"
done
for c in list show run report; do
    pack "$c" --help
    is "$c --help" "$rc $(grep -c "^Usage: fiopack $c" "$TMP/out")" "0 1"
done

# every option that run knows is in its help, and the other way round
pack run --help
parsed=$(sed -n 's/.*{"\([a-z-]*\)", \(no\|required\)_argument.*/\1/p' "$SRC/scripts/fiopack/run_options.c" |
    grep -vx help | sort)
helped=$(grep -oE '^  (-o, )?--[a-z-]+' "$TMP/out" | sed 's/.*--//' | sort)
is "run --help lists the options that run parses" "$helped" "$parsed"

pack
is "no command: usage on stderr" "$rc $(grep -c '^Usage' "$TMP/err")" "2 1"
pack frobnicate
says "an unknown command" 2 'no command "frobnicate"'
pack run
says "run without a paper" 2 'run what'
pack run nosuchpaper
says "an unknown paper" 3 'nosuchpaper'
pack run ../r640
says "a paper outside the profiles" 3 '\.\.'
pack run r640/nosuch
says "an unknown profile" 2 'r640 has no profile nosuch'
pack run ax7525 --scenario nosuch
says "an unknown scenario" 2 'ax7525 has no scenario nosuch'
pack run r640 other
says "profiles of two papers" 2 'one paper'
pack show r640/nosuch
says "show of an unknown profile" 2 'no profile nosuch'
pack show
says "show without a paper" 2 'show takes one'
pack list x
says "list with an argument" 2 'no argument'
pack run r640 --frob
says "an unknown option" 2 'no option --frob'
pack run r640 --vms
says "an option without its value" 2 '\-\-vms wants a value'
for bad in "--vms 0" "--vms x" "--vms -1" "--vms 3.5" "--runtime 0" "--repeat 99999999" "--ramp -1" \
    "--vm-size 5" "--vm-size 1500k" "--vm-size 10q" "--vm-size 0" "--vm-size -1g" "--vm-size 99999999999g"; do
    # shellcheck disable=SC2086
    pack run r640 $bad
    says "$bad" 2 'wants'
done
for bad in nothing a=psync a=psync: =psync:/x a=:/x "a/b=psync:/x" ".=psync:/x"; do
    pack run r640 --target "$bad"
    says "--target $bad" 2 'target'
done
pack run r640 --target a=psync:/dev/nosuchdevice
says "a device that is not there" 2 'no device /dev/nosuchdevice'
ok "and none was made" test ! -e /dev/nosuchdevice
pack run r640 --target a=psync:/nosuch/folder/f
says "a folder that is not there" 2 'no folder /nosuch/folder'
pack run r640 --target a=psync:/dev/null
says "a character device" 2 'neither a file'
pack run r640 --target "a=psync:$TMP/f" --target "a=psync:$TMP/g"
says "two targets of one name" 2 'two targets are named a'
pack run r640 --fio /nosuch/fio --vm-size 1m --target "a=psync:$TMP/f"
says "a fio that is not there" 2 'cannot run /nosuch/fio'
pack run r640 --fio /bin/true --vm-size 1m --target "a=psync:$TMP/f"
says "a fio that is none" 2 'is it fio'
mkdir "$TMP/full"
touch "$TMP/full/x"
pack run r640 -o "$TMP/full"
says "results over something else" 2 'not empty'
ok "none of this left a results folder behind" test -z "$(find "$TMP/results" -name run.json 2> /dev/null)"
done_testing
