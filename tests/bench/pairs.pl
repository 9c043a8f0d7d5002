#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads the JSON of one fio run whose jobs are named ROUND-fio, ROUND-again and ROUND-ours, and
# prints what the rounds say about IOPS, on one line:
#
#   RATIO LOW HIGH  AA_RATIO AA_LOW AA_HIGH  VERDICT  OURS FIO
#
# RATIO is ours / fio, AA_RATIO again / fio, each with its 95 % confidence interval; OURS and FIO
# are median IOPS. The estimate is Hodges and Lehmann's (the median of the mean log-ratios of
# any two rounds) with the interval that belongs to Wilcoxon's signed-rank test: exact for any
# number of rounds from 6 on, without assuming a normal distribution. From 12 rounds on, one
# in which the machine was busy with something else moves it little.
use strict;
use warnings;
use JSON::PP;

sub median
{
    my @sorted = sort { $a <=> $b } @_;
    return ($sorted[int($#sorted / 2)] + $sorted[int(@sorted / 2)]) / 2;
}

# The largest sum of ranks that $n signs reach from below with a probability of at most 2.5 %.
sub critical
{
    my ($n) = @_;
    my @ways = (1);    # of getting each sum
    for my $rank (1 .. $n) {
        my @more = @ways;
        $more[$_ + $rank] += $ways[$_] for 0 .. $#ways;
        @ways = map { $_ // 0 } @more;
    }
    my ($below, $sum) = (0, 0);
    while (($below += $ways[$sum]) <= 0.025 * 2**$n) { $sum++ }
    return $sum - 1;
}

# estimate, low and high of a set of log-ratios, as ratios
sub interval
{
    my @d = @_;
    my $k = critical(scalar @d);
    $k >= 0 or die "pairs.pl: " . @d . " rounds are too few for an interval of 95 %: 6 are needed\n";
    my @walsh;
    for my $i (0 .. $#d) {
        push @walsh, ($d[$i] + $d[$_]) / 2 for $i .. $#d;
    }
    @walsh = sort { $a <=> $b } @walsh;
    return map { exp } median(@walsh), $walsh[$k], $walsh[$#walsh - $k];
}

my $text = do { local $/; <STDIN> };
my $json = eval { decode_json($text) } or die "pairs.pl: fio's output is not JSON\n";
my (%iops, %all);
for my $job (@{$json->{jobs}}) {
    my ($round, $who) = $job->{jobname} =~ /^(\d+)-(fio|again|ours)$/ or next;
    my $iops = $job->{read}{iops};
    # less than one a second is no measurement, whatever the reason
    !$job->{error} && $iops >= 1
        or die "pairs.pl: job $job->{jobname}: error $job->{error}, "
        . "$job->{read}{total_ios} reads in $job->{read}{runtime} ms\n";
    $iops{$round}{$who} = $iops;
    push @{$all{$who}}, $iops;
}
my @rounds = sort keys %iops;
my ($ratio, $low, $high) = interval(map { log($iops{$_}{ours} / $iops{$_}{fio}) } @rounds);
my ($aa, $aa_low, $aa_high) = interval(map { log($iops{$_}{again} / $iops{$_}{fio}) } @rounds);
my $verdict = $low > 1 && $low > $aa_high ? 'above' : $high < 1 && $high < $aa_low ? 'below' : 'same';
printf "%.3f %.3f %.3f %.3f %.3f %.3f %s %.0f %.0f\n", $ratio, $low, $high, $aa, $aa_low, $aa_high, $verdict,
    median(@{$all{ours}}), median(@{$all{fio}});
