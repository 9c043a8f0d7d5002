// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owns which of fio's messages is taken for the reason of a failure: the runner says it
 * at once, the report says the same later.
 */
#include "reason.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum rank { NOTHING, DROPPED, PLAIN, OF_FIO, OF_ENGINE };

static enum rank rank_of(const char *line, const char *engine)
{
	size_t len = engine ? strlen(engine) : 0;

	if (!*line)
		return NOTHING;
	if (len && !strncmp(line, engine, len) && !strncmp(line + len, ": ", 2))
		return OF_ENGINE;
	if (!strncmp(line, "fio: ", 5))
		return strstr(line, " dropped") ? DROPPED : OF_FIO;
	return PLAIN;
}

char *reason_find(FILE *in, const char *engine)
{
	char *line = NULL, *best = NULL;
	enum rank highest = DROPPED;
	size_t cap = 0;

	while (in && getline(&line, &cap, in) > 0) {
		enum rank rank;

		line[strcspn(line, "\r\n")] = '\0';
		rank = rank_of(line, engine);
		if (rank <= highest)
			continue;
		free(best);
		best = mem_copy(line);
		highest = rank;
	}
	free(line);
	for (char *c = best; c && *c; c++) {
		if ((unsigned char)*c < ' ')
			*c = ' ';
	}
	return best;
}

char *reason_of_log(const char *path, const char *engine)
{
	FILE *in = fopen(path, "re");
	char *best = reason_find(in, engine);

	if (in)
		fclose(in);
	return best;
}
