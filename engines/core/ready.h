/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The I/Os that are complete and that fio has not fetched yet, in order of completion.
 *
 * fio asks in two steps: getevents says how many there are, event(0..n-1) names them. Some
 * complete at other times, as when the kernel has no room for a submission until completions
 * are taken: they wait here. Each slot of a job can be in the list once, so it cannot overflow.
 */
#ifndef FIOPACK_READY_H
#define FIOPACK_READY_H

#include <errno.h>
#include <stdlib.h>

struct ready {
	void **at; /* mask + 1 places; positions are free-running counters */
	unsigned mask;
	unsigned head;	/* first of those that the last ready_give() told of */
	unsigned given; /* end of them */
	unsigned tail;	/* end of all */
};

/* Room for n of them, 1 to 2^31. Returns 0 or -ENOMEM. */
static inline int ready_init(struct ready *r, unsigned n)
{
	unsigned places = 1;

	while (places < n)
		places *= 2;
	*r = (struct ready){.at = calloc(places, sizeof(void *)), .mask = places - 1};
	return r->at ? 0 : -ENOMEM;
}

static inline void ready_free(struct ready *r)
{
	free(r->at);
	*r = (struct ready){0};
}

static inline void ready_add(struct ready *r, void *item)
{
	r->at[r->tail++ & r->mask] = item;
}

/* What was told of has been fetched: start anew behind it. Returns how many there are. */
static inline unsigned ready_next(struct ready *r)
{
	r->head = r->given;
	return r->tail - r->head;
}

/* Tell of at most 'max' of them. Returns how many. */
static inline unsigned ready_give(struct ready *r, unsigned max)
{
	unsigned n = r->tail - r->head;

	if (n > max)
		n = max;
	r->given = r->head + n;
	return n;
}

/* Number i of those that ready_give() told of. */
static inline void *ready_get(const struct ready *r, unsigned i)
{
	return r->at[(r->head + i) & r->mask];
}

#endif
