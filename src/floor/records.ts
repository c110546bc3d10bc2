// Records of what happened, as JSON lines in `logs/<kind>-<UTC date>.jsonl`. Written by whoever saw it happen, with no
// daemon and no database; the daemon takes the files in later, by byte offset, and knows a record again by its id.
//
// Each record is one append of "\n{json}\n". A write torn by a crash or a full disk leaves half a line without an end; the
// newline in front of the next record ends it there, so that only the torn record is lost.

import { fstatSync, readSync } from "node:fs";
import { messageOf } from "../protocol/errors.ts";
import { type Id, makeId } from "../protocol/ids.ts";
import type { Clock, Random } from "../ports/machine.ts";
import { inHome, utcDate } from "../settings/paths.ts";
import { absentAsUndefined } from "../files/problems.ts";
import { TrustedDirectory } from "../files/trusted-directory.ts";
import { appendTrusted } from "../files/trusted-files.ts";

export const recordKinds = [
  "invocations",
  "watchdog-events",
  "sessions",
  "escalations",
  "crashes",
  "messages",
  "schedules",
  "git-operations",
  "mcp-calls",
  "meta-db-errors",
] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface FloorRecord {
  readonly id: Id<"rec">;
  readonly kind: RecordKind;
  readonly at_ms: number;
  readonly constellation: string;
  readonly [field: string]: unknown;
}

/** The place where records go, and their writer. */
export interface RecordPlace {
  readonly home: string;
  readonly constellation: string;
  readonly clock: Clock;
  readonly random: Random;
}

export type Appended = { ok: true; record: FloorRecord } | { ok: false; reason: string };

/**
 * Appends one record. Fields named id, kind, at_ms and constellation are ours and win over the caller's.
 * `sync` waits for the disk: for records that must be there before something else is tried.
 */
export function appendRecord(
  place: RecordPlace,
  kind: RecordKind,
  fields: Readonly<Record<string, unknown>>,
  options: { sync?: boolean } = {},
): FloorRecord {
  const now = place.clock.nowMs();
  const record: FloorRecord = {
    ...fields,
    id: makeId("rec", now, place.random.bytes(10)),
    kind,
    at_ms: now,
    constellation: place.constellation,
  };
  appendTrusted(place.home, recordFile(kind, now), `\n${JSON.stringify(record)}\n`, options);
  return record;
}

/** The same for callers whose own work must go on: it answers what went wrong and never throws. */
export function tryAppendRecord(
  place: RecordPlace,
  kind: RecordKind,
  fields: Readonly<Record<string, unknown>>,
  options: { sync?: boolean } = {},
): Appended {
  try {
    return { ok: true, record: appendRecord(place, kind, fields, options) };
  } catch (cause) {
    return { ok: false, reason: messageOf(cause) };
  }
}

/** Relative to the home. */
export function recordFile(kind: RecordKind, atMs: number): string {
  return `${inHome.logs}/${kind}-${utcDate(atMs)}.jsonl`;
}

export interface BadLine {
  /** The position in the file where the line begins. */
  readonly offset: number;
  /** Its beginning, for people. */
  readonly text: string;
}

export interface RecordsRead {
  readonly records: readonly FloorRecord[];
  readonly badLines: readonly BadLine[];
  /** The position where the next call goes on. Never inside a line. */
  readonly nextOffset: number;
}

const defaultMaxBytes = 4 * 1024 * 1024;
const shownOfBadLine = 300;

/**
 * Reads whole lines of a file in `logs/` from a byte offset on, about `maxBytes` of them at a time: call again until
 * nextOffset stays the same. A last line without its end is left for the next time. When the file has become shorter
 * than the offset it was replaced, and reading begins anew: intake knows records by id, so that is safe.
 */
export function readRecords(home: string, name: string, fromOffset: number, maxBytes = defaultMaxBytes): RecordsRead {
  const read = absentAsUndefined(() => {
    using logs = TrustedDirectory.open(home, inHome.logs);
    return logs.reading(name, (fd) => {
      const { size } = fstatSync(fd);
      const start = fromOffset > size ? 0 : fromOffset;
      return linesOf(readWholeLines(fd, start, size, maxBytes), start);
    });
  });
  return read ?? { records: [], badLines: [], nextOffset: 0 };
}

/** The bytes from `start` to the last newline within reach; further when one line alone is longer than that. */
function readWholeLines(fd: number, start: number, size: number, maxBytes: number): Buffer {
  let want = Math.max(1, Math.min(maxBytes, size - start));
  for (;;) {
    const buffer = Buffer.alloc(want);
    let filled = 0;
    while (filled < want) {
      const got = readSync(fd, buffer, filled, want - filled, start + filled);
      if (got === 0) break;
      filled += got;
    }
    const end = buffer.subarray(0, filled).lastIndexOf(0x0a) + 1;
    if (end > 0 || filled < want || start + want >= size) return buffer.subarray(0, end);
    want = Math.min(want * 2, size - start);
  }
}

function linesOf(bytes: Buffer, start: number): RecordsRead {
  const records: FloorRecord[] = [];
  const badLines: BadLine[] = [];
  let begin = 0;
  while (begin < bytes.length) {
    const end = bytes.indexOf(0x0a, begin);
    const text = bytes.toString("utf8", begin, end);
    if (text.trim() !== "") {
      const record = parseRecord(text);
      if (record === undefined) badLines.push({ offset: start + begin, text: text.slice(0, shownOfBadLine) });
      else records.push(record);
    }
    begin = end + 1;
  }
  return { records, badLines, nextOffset: start + bytes.length };
}

function parseRecord(text: string): FloorRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { id, kind, at_ms, constellation } = value as Record<string, unknown>;
  const whole =
    typeof id === "string" &&
    id.startsWith("rec_") &&
    typeof at_ms === "number" &&
    typeof constellation === "string" &&
    recordKinds.some((known) => known === kind);
  return whole ? (value as FloorRecord) : undefined;
}
