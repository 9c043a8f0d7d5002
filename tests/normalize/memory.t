#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# 500 MB of JSON+ are reported in less than 100 MB of memory: jobs of one name,
# and jobs of a thousand names.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

FIOPACK=${FIOPACK:-$SRC/build/fiopack}
[ -x "$FIOPACK" ] || skip_all "fiopack was not built"
[ -x /usr/bin/time ] || skip_all "no /usr/bin/time to measure memory with"
[ -n "$FIO" ] || skip_all "there is no fio"
command -v perl > /dev/null || skip_all "no perl"
[ "$(df --output=avail -m "$TMP" | tail -n 1)" -gt 1200 ] || skip_all "less than 1.2 GB free in $TMP"

"$FIO" --name=job --output-format=json+ --lat_percentiles=1 --ioengine=psync --direct=0 \
    --rw=randrw --bs=4k --size=8m --time_based --runtime=1 --filename="$TMP/data" \
    > "$TMP/one.json" 2> "$TMP/fio.err" < /dev/null || skip_all "fio failed: $(head -n 1 "$TMP/fio.err")"

# big NAMES: the job above, repeated under so many names to 500 MB
big()
{
    perl -e '
        my ($names) = @ARGV; local $/;
        my ($head, $job) = <STDIN> =~ /^(.*?"jobs" : \[\n)(    \{\n.*?\n    \})/s or die "no job\n";
        my $n = int(500e6 / length $job) + 1;
        print $head;
        for my $i (1 .. $n) {
            my $name = "job" . $i % $names;
            (my $copy = $job) =~ s/"jobname" : "job"/"jobname" : "$name"/;
            print $copy, $i < $n ? ",\n" : "\n";
        }
        print "  ]\n}\n";' "$1" < "$TMP/one.json" > "$TMP/big.json"
}

for names in 1 1000; do
    big "$names"
    size=$(stat -c %s "$TMP/big.json")
    within "the file is 500 MB ($names names)" "$size" 500000000 600000000
    start=$(date +%s%N)
    /usr/bin/time -o "$TMP/time" -f %M "$FIOPACK" report --format csv "$TMP/big.json" > "$TMP/out.csv"
    is "it is reported ($names names)" $? 0
    is "all names are there ($names)" "$(awk -F, '$5 == "read" && $6 == "iops"' "$TMP/out.csv" | wc -l)" "$names"
    within "less than 100 MB of memory ($names names), in kB" "$(cat "$TMP/time")" 1 100000
    echo "# $((size / 1000000)) MB, $names names: $((($(date +%s%N) - start) / 1000000)) ms, $(cat "$TMP/time") kB"
done

done_testing
