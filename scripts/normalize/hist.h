/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A latency histogram as fio's JSON+ gives it: sparse bins, keyed by the
 * bin's mean in nanoseconds. All fio histograms share the same bins, so adding
 * the counts of equal keys merges them without loss.
 */
#ifndef NORMALIZE_HIST_H
#define NORMALIZE_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hist_bin {
	uint64_t key; /* ns */
	uint64_t count;
};

/* All zero is an empty histogram. Bins are sorted by key, keys are unique. */
struct hist {
	struct hist_bin *bins;
	size_t n;
	size_t room;
};

/* Set the count of a bin; a key given twice keeps the last count, as JSON readers do. */
void hist_set(struct hist *h, uint64_t key, uint64_t count);

/* Add all counts of `src` to `dst`. Sums stop at UINT64_MAX. */
void hist_merge(struct hist *dst, const struct hist *src);

uint64_t hist_total(const struct hist *h);

/*
 * The smallest key at which the running count reaches percent/100 of the
 * total: what fio prints for the same bins (calc_clat_percentiles in its
 * stat.c). False when the histogram is empty. percent: 0 < percent <= 100.
 */
bool hist_percentile(const struct hist *h, double percent, uint64_t *ns);

/* Empty it, but keep the memory for the next use. */
void hist_clear(struct hist *h);
void hist_free(struct hist *h);

#endif
