#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
#
# The statistics behind make bench: the estimate and interval of known data, the verdicts,
# and what pairs.pl refuses to conclude from.
# shellcheck source-path=SCRIPTDIR source=../lib.sh
. "$(dirname "$0")/../lib.sh"

# rounds "FIO AGAIN OURS" by line on stdin: such a run as fio's JSON, then what pairs.pl says
rounds()
{
    awk 'BEGIN { print "{\"jobs\":[{\"jobname\":\"other\",\"error\":0,\"read\":{\"iops\":1}}" }
        {
            split("fio again ours", who, " ")
            for (i = 1; i <= 3; i++)
                printf ",{\"jobname\":\"%d-%s\",\"error\":%d,\"read\":{\"iops\":%s,\"total_ios\":%s,\"runtime\":1000}}\n",
                    NR, who[i], $4, $i, $i
        }
        END { print "]}" }' | perl "$SRC/tests/bench/pairs.pl" 2> "$TMP/err"
}
verdict()
{
    rounds | cut -d' ' -f7
}

# Wilcoxon's example in Hollander and Wolfe, Nonparametric Statistical Methods: nine differences whose
# estimate is -0.46 with an interval of -0.786 to -0.010 (96.1 %, the nearest to 95 % that there is)
depression='1.83 0.878
0.50 0.647
1.62 0.598
2.48 2.05
1.68 1.06
1.88 1.29
1.55 1.06
3.06 3.14
1.30 1.29'
is "estimate and interval of a published example" \
    "$(awk '{ printf "%.9f 1 %.9f\n", exp($1) * 1000, exp($2) * 1000 }' <<< "$depression" | rounds | cut -d' ' -f1-3)" \
    "$(awk 'BEGIN { printf "%.3f %.3f %.3f", exp(-0.46), exp(-0.786), exp(-0.010) }')"

is "ratio 1 with no noise" "$(yes '1000 1000 1000' | head -n 10 | rounds)" \
    "1.000 1.000 1.000 1.000 1.000 1.000 same 1000 1000"
noisy='1000 1010 %d
1030 1000 %d
990 1000 %d
1000 980 %d
1020 1030 %d
1000 1000 %d
1010 1000 %d
1000 1015 %d'
# shellcheck disable=SC2059 # the data is a format
with()
{
    printf "$noisy\n" "$@"
}
is "10 % less in each round is below" "$(with 900 920 890 905 910 900 915 900 | verdict)" below
is "10 % more in each round is above" "$(with 1100 1120 1090 1105 1110 1100 1115 1100 | verdict)" above
is "less than the noise is the same" "$(with 1000 1020 985 995 1012 998 1004 1001 | verdict)" same
is "one round in twelve gone wrong does not matter" \
    "$( { with 1100 1120 1090 1105 1110 1100 1115 1; with 1100 1120 1090 1105 | head -n 4; } | verdict)" above
is "of eight rounds, one gone wrong leaves it open" "$(with 1100 1120 1090 1105 1110 1100 1115 1 | verdict)" same
# excluding 1 is not enough: fio's engine against itself is as far from it here
is "a ratio within what fio against itself has is the same" \
    "$(for i in 1 2 3 4 5 6 7 8; do echo "1000 $((900 + 10 * i)) $((905 + 5 * i))"; done | verdict)" same

refused_rounds()
{
    is "$1: nothing is printed" "$(rounds)" ""
    like "$1: it says why" "$(errors)" "$2"
}
yes '1000 1000 1000' | head -n 5 > "$TMP/five"
refused_rounds "five rounds" '5 rounds are too few.* 6 are needed' < "$TMP/five"
{ cat "$TMP/five"; echo 1000 1000 1000 5; } > "$TMP/failed"
refused_rounds "a job that failed" 'job 6-fio: error 5' < "$TMP/failed"
{ cat "$TMP/five"; echo 1000 0 1000; } > "$TMP/none"
refused_rounds "a job that read nothing" 'job 6-again: error 0, 0 reads in 1000 ms' < "$TMP/none"
done_testing
