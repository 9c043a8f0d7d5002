/* SPDX-License-Identifier: GPL-2.0-only */
/* The forms a report is written in. Write errors are left for the caller to find with ferror. */
#ifndef NORMALIZE_EMIT_H
#define NORMALIZE_EMIT_H

#include <stdio.h>

#include "checks.h"
#include "records.h"
#include "sheet.h"
#include "study.h"

/* For a terminal: tables fit into some 120 columns, cells are wrapped where they must. */
void emit_text(FILE *out, const struct sheet *sheet);

/* GitHub's tables. */
void emit_markdown(FILE *out, const struct sheet *sheet);

/*
 * RFC 4180, CRLF line ends, one record a line under this header:
 * profile,scenario,target,engine,io,metric,unit,measured,published,stated,
 * ratio,n,min,max,fio,notes. Values are in `unit`; unknown ones are empty.
 */
void emit_csv(FILE *out, const struct study *s, const struct records *records);

/*
 * One object:
 *   schema       1
 *   fiopack      version that wrote it
 *   fio          version that measured; null: unknown
 *   paper        { id, title, publisher, document, not_stated, does_not_add_up } or null
 *   started, host, kernel, cpu, memory_bytes   of the results folders, null: unknown, or they
 *                differ
 *   folders      [ { path, fiopack, fio, started, resumed [ text ], host, kernel, cpu,
 *                    memory_bytes, vms } ]; empty for plain files
 *   targets      [ { name, engine, path, device, device_model, filesystem, embedded, emulated } ]
 *   records      [ { profile, scenario, target, io, metric, unit, measured, published,
 *                    published_as { value, unit, stated, latency_source, comparable },
 *                    ratio, n, min, max, notes [ indices into notes, from 0 ],
 *                    folders [ indices into folders: where it was measured ] } ]
 *   notes        [ text ]
 *   checks       [ { verdict ok|warn|fail, name, about, reason } ]
 *   left_out     [ names of jobs that are no profile of the paper ]
 *   unreadable   [ sentence ]
 * Unknown values are null.
 */
void emit_json(FILE *out, const struct study *s, const struct records *records,
	       const struct checks *checks);

#endif
