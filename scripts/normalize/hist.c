// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns histograms: setting, exact merging, percentiles. Which histograms may
 * be merged, and whether the result covers all samples, is model.c's business.
 */
#include "hist.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

static uint64_t add(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void make_room(struct hist *h, size_t n)
{
	size_t room = h->room ? h->room : 64;

	if (n <= h->room)
		return;
	while (room < n)
		room *= 2;
	h->bins = mem_resize(h->bins, room, sizeof(*h->bins));
	h->room = room;
}

/* Index of the first bin whose key is not below `key`. */
static size_t lower_bound(const struct hist *h, uint64_t key)
{
	size_t lo = 0, hi = h->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (h->bins[mid].key < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void hist_set(struct hist *h, uint64_t key, uint64_t count)
{
	size_t at = h->n;

	/* fio writes keys in ascending order: appending is the usual case */
	if (h->n && h->bins[h->n - 1].key >= key)
		at = lower_bound(h, key);
	if (at < h->n && h->bins[at].key == key) {
		h->bins[at].count = count;
		return;
	}
	make_room(h, h->n + 1);
	memmove(&h->bins[at + 1], &h->bins[at], (h->n - at) * sizeof(*h->bins));
	h->bins[at] = (struct hist_bin){.key = key, .count = count};
	h->n++;
}

static size_t count_missing(const struct hist *dst, const struct hist *src)
{
	size_t missing = 0, i = 0;

	for (size_t j = 0; j < src->n; j++) {
		while (i < dst->n && dst->bins[i].key < src->bins[j].key)
			i++;
		missing += i == dst->n || dst->bins[i].key != src->bins[j].key;
	}
	return missing;
}

/* Merge from the back, in place: after the first few jobs no bin is new and no memory moves. */
void hist_merge(struct hist *dst, const struct hist *src)
{
	size_t i = dst->n, j = src->n, to = dst->n + count_missing(dst, src);

	if (!src->n)
		return;
	make_room(dst, to);
	dst->n = to;
	while (j) {
		const struct hist_bin *s = &src->bins[j - 1];

		if (i && dst->bins[i - 1].key > s->key) {
			dst->bins[--to] = dst->bins[--i];
		} else if (i && dst->bins[i - 1].key == s->key) {
			uint64_t sum = add(dst->bins[i - 1].count, s->count);

			dst->bins[--to] = (struct hist_bin){.key = s->key, .count = sum};
			i--;
			j--;
		} else {
			dst->bins[--to] = *s;
			j--;
		}
	}
}

uint64_t hist_total(const struct hist *h)
{
	uint64_t total = 0;

	for (size_t i = 0; i < h->n; i++)
		total = add(total, h->bins[i].count);
	return total;
}

bool hist_percentile(const struct hist *h, double percent, uint64_t *ns)
{
	uint64_t total = hist_total(h), sum = 0;
	/* long double holds every 64-bit count exactly; fio compares in the same type */
	long double wanted = (long double)percent / 100.0L * (long double)total;

	if (!total)
		return false;
	for (size_t i = 0; i < h->n; i++) {
		sum = add(sum, h->bins[i].count);
		if (h->bins[i].count && (long double)sum >= wanted) {
			*ns = h->bins[i].key;
			return true;
		}
	}
	return false;
}

void hist_clear(struct hist *h)
{
	h->n = 0;
}

void hist_free(struct hist *h)
{
	free(h->bins);
	*h = (struct hist){0};
}
