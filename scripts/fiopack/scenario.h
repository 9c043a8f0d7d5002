/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bringing the machines into a paper's scenario: a command of the user's does it, or the user
 * does, and is waited for.
 */
#ifndef FIOPACK_SCENARIO_H
#define FIOPACK_SCENARIO_H

#include <stdbool.h>

#include "../normalize/fault.h"
#include "../normalize/paper.h"
#include "run.h"

/* Environment variable that tells the command which scenario is wanted. */
#define SCENARIO_VARIABLE "FIOPACK_SCENARIO"

/*
 * Run `command` with /bin/sh. What it prints goes to stderr and to the end of the file `log`.
 * FAILED with `f` filled when it cannot be started or ends with another status than 0.
 */
enum outcome scenario_enter(const struct paper_scenario *s, const char *command, const char *log,
			    struct fault *f);

/* Is there somebody to ask? */
bool scenario_can_ask(void);

/* Ask for the scenario on stderr and wait for Enter. The end of input counts as a request to stop.
 */
enum outcome scenario_ask(const struct paper_scenario *s);

#endif
