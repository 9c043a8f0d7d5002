#!/usr/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The first process of a guest: prepares /dev and the modules, runs the scripts of
# this boot one after the other, and switches the machine off. What they say goes to
# the second serial line, with a line of its own before and after each; the first is
# the kernel's console. Which scripts and modules is in /fiopack/boot.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
ln -s /proc/self/fd /dev/fd
mkdir -p /dev/shm
mount -t tmpfs shm /dev/shm
modules="" scripts="" limit=60
# shellcheck source=/dev/null
. /fiopack/boot
for m in $modules; do
    modprobe "$m" || echo "lab: no module $m" > /dev/ttyS0
done
# so that the console tells what hung, should the time not suffice
{ sleep $((limit * 9 / 10)); ps -eo pid,ppid,stat,wchan:20,args; echo w > /proc/sysrq-trigger; } > /dev/ttyS0 2>&1 &
export SRC=/fiopack BUILD=/fiopack/build FIO ENGINES
stty -F /dev/ttyS1 raw -echo
{
    for script in $scripts; do
        # here instead of in the script, whose results would come when all is over
        each=-
        grep -q '^each_engine' "/fiopack/tests/$script" && each=$ENGINES
        for engine in $each; do
            echo "lab: begin $script $engine"
            ENGINE=${engine#-} bash "/fiopack/tests/$script" < /dev/null
            echo "lab: status $?"
        done
    done
    echo "lab: end"
} > /dev/ttyS1 2>&1
stty -F /dev/ttyS1 raw # waits until all is sent
sync
echo o > /proc/sysrq-trigger
sleep 60
