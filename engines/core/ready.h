/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The I/Os that are complete and that fio has not fetched yet, in order of completion.
 *
 * fio asks in two steps: getevents says how many there are, event(0..n-1) names them. Some
 * complete at other times, as when the kernel has no room for a submission until completions
 * are taken: they wait here. They cannot overflow the list, see ready_init().
 */
#ifndef FIOPACK_READY_H
#define FIOPACK_READY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct ready {
	void **at;
	unsigned given; /* the first of these were told of by the last ready_give() */
	unsigned tail;	/* how many there are */
};

/*
 * For n slots, at least 1. All of them may have been told of, used again and be complete once more
 * before the next ready_next(). Returns 0 or -ENOMEM.
 */
static inline int ready_init(struct ready *r, unsigned n)
{
	*r = (struct ready){.at = calloc(2 * (size_t)n, sizeof(void *))};
	return r->at ? 0 : -ENOMEM;
}

static inline void ready_free(struct ready *r)
{
	free(r->at);
	*r = (struct ready){0};
}

static inline void ready_add(struct ready *r, void *item)
{
	r->at[r->tail++] = item;
}

/* What was told of has been fetched: drop it. Returns how many are left, mostly none. */
static inline unsigned ready_next(struct ready *r)
{
	unsigned left = r->tail - r->given;

	if (__builtin_expect(left && r->given, 0))
		memmove(r->at, r->at + r->given, left * sizeof(void *));
	r->given = 0;
	r->tail = left;
	return left;
}

/* Tell of at most 'max' of them. Returns how many. */
static inline unsigned ready_give(struct ready *r, unsigned max)
{
	return r->given = r->tail < max ? r->tail : max;
}

/* Number i of those that ready_give() told of. */
static inline void *ready_get(const struct ready *r, unsigned i)
{
	return r->at[i];
}

#endif
