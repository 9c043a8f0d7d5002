/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of reading a paper.json; for paper_read.c and paper_read_figures.c only. */
#ifndef NORMALIZE_PAPER_READ_H
#define NORMALIZE_PAPER_READ_H

#include "document.h"
#include "paper.h"

/* A text that is fit for a file name. */
bool paper_read_name(const struct doc_at *at, const char *key, char **out);

/* These need the profiles and scenarios to be there. */
bool paper_read_figures(const struct doc_at *root, struct paper *p);
bool paper_read_tables(const struct doc_at *root, struct paper *p);
bool paper_read_contradictions(const struct doc_at *root, struct paper *p);

#endif
