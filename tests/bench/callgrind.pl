#!/usr/bin/env perl
# SPDX-License-Identifier: GPL-2.0-only
#
# Reads two callgrind outputs of the same fio job, a short and a long one, and prints what one
# I/O costs in between: a line "instructions NAME" per function of the engine, the dearest
# first, and before them
#
#   own N       instructions of the engine's own functions, and what they call in libc
#   engine N    the same with its library (liburing, libaio), and what that calls in libc
#   hooks N     the same with the functions of fio that it calls
#   all N       everything fio executes, for the job and around it
#
# Names come from debugging information. An engine's functions are those of one object (a
# plugin), or those of one source file (an engine of fio); code inlined into a function is
# that function's.
#
# usage: callgrind.pl OBJECT SOURCE IOS SHORT LONG
#   OBJECT, SOURCE   regular expressions; a function has to match both to be the engine's
#   IOS              how many I/Os LONG has more than SHORT
use strict;
use warnings;

@ARGV == 5 or die "usage: callgrind.pl OBJECT SOURCE IOS SHORT LONG\n";
my ($object, $source, $ios, $short, $long) = @ARGV;
my $library = qr/\/lib(uring|aio)\b/;

# The engine's cost in one file: {function}, by name, and own, engine, hooks, all.
sub cost_of
{
    my ($path) = @_;
    my (%function, %name, $ob, $fl, $fn, $of_engine, $cob, $cfl, $calls);
    my %cost = (own => 0, engine => 0, hooks => 0, all => 0);

    # "(3) text" defines a number, "(3)" stands for it; files, objects and functions have numbers of their own
    my $resolve = sub {
        my ($kind, $text) = @_;
        return $text unless $text =~ /^\((\d+)\)(?: (.*))?$/;
        $name{$kind}{$1} = $2 if defined $2;
        return $name{$kind}{$1};
    };
    # 2: the engine's own, 1: of a library that only the engine uses
    my $kind_of = sub {
        my ($o, $s) = @_;
        return $o =~ /$object/ && $s =~ /$source/ ? 2 : $o =~ $library ? 1 : 0;
    };

    open my $in, '<', $path or die "callgrind.pl: cannot read $path: $!\n";
    while (<$in>) {
        chomp;
        if (/^(ob|cob|fl|fi|fe|cfi|cfl|fn|cfn)=(.*)/) {
            my ($key, $value) = ($1, $2);
            my $text = $resolve->($key =~ /ob$/ ? 'ob' : $key =~ /fn$/ ? 'fn' : 'file', $value);
            if ($key eq 'ob') { $ob = $text }
            elsif ($key eq 'fl') { $fl = $text }
            elsif ($key eq 'fn') { ($fn, $of_engine) = ($text, $kind_of->($ob, $fl)) }
            elsif ($key eq 'cob') { $cob = $text }
            elsif ($key =~ /^cf[il]$/) { $cfl = $text }
        } elsif (/^calls=/) {
            $calls = 1;
        } elsif (/^(?:\+|-|\*)?\d*\s+(\d+)$/) {
            if (!$calls) {
                $cost{all} += $1;
                if ($of_engine) {
                    $cost{$_} += $1 for qw(engine hooks);
                    $cost{own} += $1 if $of_engine == 2;
                    $function{$fn} += $1;
                }
            } elsif ($of_engine && !$kind_of->($cob // $ob, $cfl // $fl)) {
                # a call that leaves the engine, with all that happens below it
                $cost{hooks} += $1;
                if (($cob // $ob) !~ /\/fio$/) {
                    $cost{engine} += $1;
                    $cost{own} += $1 if $of_engine == 2;
                    $function{"$fn > libc"} += $1;
                }
            }
            if ($calls) { $calls = $cob = $cfl = undef }
        }
    }
    close $in;
    $cost{all} or die "callgrind.pl: $path holds no costs\n";
    $cost{engine} or die "callgrind.pl: no function of the engine in $path\n";
    return (\%cost, \%function);
}

my ($cost_s, $fn_s) = cost_of($short);
my ($cost_l, $fn_l) = cost_of($long);
printf "%s %.1f\n", $_, ($cost_l->{$_} - $cost_s->{$_}) / $ios for qw(own engine hooks all);
my %per_io = map { $_ => ($fn_l->{$_} - ($fn_s->{$_} // 0)) / $ios } keys %$fn_l;
for (sort { $per_io{$b} <=> $per_io{$a} || $a cmp $b } keys %per_io) {
    printf "%.1f %s\n", $per_io{$_}, $_ if $per_io{$_} >= 0.05;
}
