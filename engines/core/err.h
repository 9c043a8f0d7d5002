/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One failure, told once: a negative errno for the program and one sentence for
 * the person. Whoever finds out first knows most, so the first sentence stays and
 * later ones are dropped.
 */
#ifndef FIOPACK_ERR_H
#define FIOPACK_ERR_H

struct err {
	int code;	/* 0, or the errno (positive) of the first failure */
	char text[512]; /* the sentence, without a trailing newline; "" when code is 0 */
};

#define ERR_INIT                                                                                   \
	{                                                                                          \
		.code = 0, .text = ""                                                              \
	}

/*
 * Record a failure. 'code' is an errno value, positive or negative; 'fmt' makes
 * the sentence (what, why, how to fix) and is cut at the end of 'text'.
 * Returns -errno of this call, also when an earlier sentence was kept, so that a
 * function can end with "return err_set(e, ...)". 'e' may be NULL.
 */
int err_set(struct err *e, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
