// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns units, their factors and the printing of numbers. That a number is not
 * known is the caller's to say.
 */
#include "units.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	enum metric metric;
	const char *name;
	double factor;
} units[] = {
	{METRIC_IOPS, "IOPS", 1},
	{METRIC_BANDWIDTH, "B/s", 1},
	{METRIC_BANDWIDTH, "kB/s", 1e3},
	{METRIC_BANDWIDTH, "MB/s", 1e6},
	{METRIC_BANDWIDTH, "GB/s", 1e9},
	{METRIC_BANDWIDTH, "KiB/s", 0x1p10},
	{METRIC_BANDWIDTH, "MiB/s", 0x1p20},
	{METRIC_BANDWIDTH, "GiB/s", 0x1p30},
	{METRIC_LATENCY_MEAN, "ns", 1},
	{METRIC_LATENCY_MEAN, "us", 1e3},
	{METRIC_LATENCY_MEAN, "ms", 1e6},
	{METRIC_LATENCY_MEAN, "s", 1e9},
};

bool units_factor(enum metric metric, const char *unit, double *factor)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].metric != metric || strcmp(units[i].name, unit))
			continue;
		*factor = units[i].factor;
		return true;
	}
	return false;
}

const char *units_base(enum metric metric)
{
	switch (metric) {
	case METRIC_IOPS:
		return "IOPS";
	case METRIC_BANDWIDTH:
		return "B/s";
	default:
		return "ns";
	}
}

struct units_text units_count(double value)
{
	struct units_text out = {""};
	char digits[32];
	size_t len, to = 0;

	/* beyond what grouping helps, and what the buffers hold */
	if (!(value < 1e18)) {
		snprintf(out.s, sizeof(out.s), "%g", value);
		return out;
	}
	len = (size_t)snprintf(digits, sizeof(digits), "%.0f", value);
	for (size_t i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out.s[to++] = ',';
		out.s[to++] = digits[i];
	}
	out.s[to] = '\0';
	return out;
}

struct units_text units_short(double value)
{
	struct units_text out;
	int decimals = 2;

	if (value >= 99.95)
		return units_count(value);
	if (value > 0) {
		/* 9.996 prints as 10.0, not 10.00: choose by the rounded magnitude */
		decimals = 2 - (int)floor(log10(value * 1.0005));
		if (decimals > 12)
			decimals = 12;
	}
	snprintf(out.s, sizeof(out.s), "%.*f", decimals, value);
	return out;
}

struct units_text units_latency(double ns)
{
	static const struct {
		double factor;
		const char *name;
	} steps[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
	struct units_text out, number;
	size_t i = 0;

	/* 999.6 us is 1.00 ms when printed with three digits */
	while (i + 1 < sizeof(steps) / sizeof(steps[0]) && ns < 0.9995 * steps[i].factor)
		i++;
	number = units_short(ns / steps[i].factor);
	snprintf(out.s, sizeof(out.s), "%.48s %s", number.s, steps[i].name);
	return out;
}

struct units_text units_bandwidth(double bytes_per_s, const char *unit)
{
	struct units_text out, number;
	double factor = 1;

	if (!units_factor(METRIC_BANDWIDTH, unit, &factor))
		unit = "B/s";
	number = units_short(bytes_per_s / factor);
	snprintf(out.s, sizeof(out.s), "%.48s %.8s", number.s, unit);
	return out;
}

struct units_text units_bytes(uint64_t bytes)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
	struct units_text out, number;
	double value = (double)bytes;
	size_t i = 0;

	while (value >= 1024 && i + 1 < sizeof(names) / sizeof(names[0])) {
		value /= 1024;
		i++;
	}
	/* whole sizes are the usual case and look odd with decimals */
	number = value == floor(value) ? units_count(value) : units_short(value);
	snprintf(out.s, sizeof(out.s), "%.48s %s", number.s, names[i]);
	return out;
}
