#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# shellcheck disable=SC2317 # functions are called by ok
#
# Against fio itself: what the report says of one job, and of jobs that fio grouped,
# is what fio says of them; of jobs that fio did not group it is their exact sum.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

FIOPACK=${FIOPACK:-$SRC/build/fiopack}
[ -x "$FIOPACK" ] || skip_all "fiopack was not built"
[ -n "$FIO" ] || skip_all "there is no fio"
perl -MJSON::PP -e 1 2> /dev/null || skip_all "no perl with JSON::PP"

run_fio()
{
    "$FIO" --output-format=json+ --lat_percentiles=1 --ioengine=psync --direct=0 --rw=randrw \
        --bs=4k --size=8m --time_based --runtime=1 --percentile_list=50:90:99:99.9:99.99 \
        --filename="$TMP/data" "$@" > "$TMP/fio.json" 2> "$TMP/fio.err" < /dev/null
}

# measured IO METRIC: the value in the report
measured()
{
    awk -F, -v io="$1" -v metric="$2" '$5 == io && $6 == metric { print $8 }' "$TMP/report.csv"
}

# own IO: what fio says of its only job, under the names the report uses
own()
{
    perl -MJSON::PP -e '
        local $/; my $d = decode_json(<STDIN>); my $io = $d->{jobs}[0]{$ARGV[0]};
        my $l = $io->{lat_ns};
        my %p = map { ($_ + 0) => $l->{percentile}{$_} } keys %{$l->{percentile}};
        printf "iops %.15g\nbandwidth %.15g\nlatency_mean %.15g\nlatency_min %s\nlatency_max %s\n",
            $io->{iops}, $io->{bw_bytes}, $l->{mean}, $l->{min}, $l->{max};
        printf "latency_p%s %s\n", $_, $p{$_} for 50, 90, 99, 99.9, 99.99;
    ' "$1" < "$TMP/fio.json"
}

# pooled IO: the same of all jobs, added up bin by bin and from raw sums
pooled()
{
    perl -MJSON::PP -e '
        local $/; my $d = decode_json(<STDIN>); my (%bins, $n, $sum, $squares, $iops);
        for my $io (map { $_->{$ARGV[0]} } @{$d->{jobs}}) {
            my $l = $io->{lat_ns};
            $bins{$_} += $l->{bins}{$_} for keys %{$l->{bins}};
            $n += $l->{N}; $sum += $l->{N} * $l->{mean}; $iops += $io->{iops};
            $squares += ($l->{N} - 1) * $l->{stddev} ** 2 + $l->{N} * $l->{mean} ** 2;
        }
        my $mean = $sum / $n;
        printf "iops %.9g\nlatency_mean %.9g\n", $iops, $mean;
        printf "latency_stddev %.6g\n", sqrt(($squares - $n * $mean ** 2) / ($n - 1));
        for my $p (50, 90, 99, 99.9, 99.99) {
            my $seen = 0;
            for (sort { $a <=> $b } keys %bins) {
                $seen += $bins{$_};
                next if $seen < $p / 100 * $n;
                print "latency_p$p $_\n";
                last;
            }
        }
    ' "$1" < "$TMP/fio.json"
}

# agrees IO DIGITS < "metric value" lines
agrees()
{
    local metric want got bad=0
    while read -r metric want; do
        got=$(measured "$1" "$metric")
        awk -v a="$got" -v b="$want" -v digits="$2" \
            'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a != "" && d <= b * 10 ^ -digits) }' && continue
        diag "$1 $metric: $got in the report, $want in fio's output"
        bad=1
    done
    return "$bad"
}

report()
{
    "$FIOPACK" report --format csv "$TMP/fio.json" > "$TMP/report.csv" 2> "$TMP/report.err"
}

run_fio --name=one || skip_all "fio failed: $(head -n 1 "$TMP/fio.err")"
ok "a single job is reported" report
for io in read write; do
    own "$io" > "$TMP/want"
    ok "a single job: $io is what fio says" agrees "$io" 9 < "$TMP/want"
done

run_fio --name=grouped --numjobs=4 --group_reporting
ok "jobs that fio grouped are reported" report
for io in read write; do
    own "$io" > "$TMP/want"
    ok "grouped by fio: $io is what fio says" agrees "$io" 9 < "$TMP/want"
done
is "grouped by fio: depth is that of all jobs" "$(measured all in_flight_configured)" 4

run_fio --name=apart --numjobs=4 --group_reporting=0
ok "jobs that fio did not group are reported" report
for io in read write; do
    pooled "$io" > "$TMP/want"
    ok "grouped here: $io is the exact sum" agrees "$io" 5 < "$TMP/want"
done
is "grouped here: depth is that of all jobs" "$(measured all in_flight_configured)" 4

done_testing
