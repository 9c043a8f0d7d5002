/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Units and how numbers are printed. Bandwidth is SI where papers print SI
 * (1 GB/s = 10^9 B/s) and IEC only where a unit says so (GiB/s).
 */
#ifndef NORMALIZE_UNITS_H
#define NORMALIZE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "paper.h"

/* A printed number; returned by value, long enough for any double that is printed here. */
struct units_text {
	char s[64];
};

/* How many base units (IOPS, B/s, ns) one `unit` is. False: not a unit of this metric. */
bool units_factor(enum metric metric, const char *unit, double *factor);

/* Name of the base unit. */
const char *units_base(enum metric metric);

struct units_text units_count(double value); /* 2,953,095 */
struct units_text units_short(double value); /* three significant digits: 63.1, 0.0830 */
struct units_text units_latency(double ns);  /* 242 us, 4.01 ms */
struct units_text units_bandwidth(double bytes_per_s, const char *unit); /* 63.0 GB/s */
struct units_text units_bytes(uint64_t bytes);				 /* 512 MiB */

#endif
