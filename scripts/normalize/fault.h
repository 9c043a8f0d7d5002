/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A failure as one sentence. Functions that can fail take a struct fault and
 * return non-zero after filling it; the first sentence set is kept, because
 * what comes later is usually its consequence.
 */
#ifndef NORMALIZE_FAULT_H
#define NORMALIZE_FAULT_H

struct fault {
	char text[768]; /* one sentence, no newline; empty: no failure */
};

/* Set the sentence unless one is set already. Always returns -1. Text longer than the buffer is
 * cut. */
int fault_set(struct fault *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
