/* SPDX-License-Identifier: GPL-2.0-only */
/* The texts in fio's output as values: numbers of JSON, options as a job file writes them. */
#ifndef NORMALIZE_VALUE_H
#define NORMALIZE_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A JSON number, not NUL-terminated. False when it is negative, too large or not finite. */
bool value_uint(const char *text, size_t len, uint64_t *out);
bool value_double(const char *text, size_t len, double *out);

/* An option such as runtime: "60", "5m", "500ms"; a number alone is seconds. */
bool value_duration_ms(const char *text, uint64_t *ms);

/* An ioengine by its name: "external:/x/fio-uring.so" is "uring". Cuts to `room` bytes. */
void value_engine(const char *text, char *name, size_t room);

/* Does fio complete an I/O of this engine before it queues the next one? */
bool value_engine_is_synchronous(const char *name);

/* "X.vm12" is VM 12 of X: its length without the suffix goes to *len. False: no VM's name. */
bool value_vm(const char *job, size_t *len, unsigned int *vm);

#define VALUE_VM_MAX 65535

#endif
