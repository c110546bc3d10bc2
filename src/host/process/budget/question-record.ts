// Keeps a record of what a process that reads repositories is asking at this moment. It leaves the record for the process that started it,
// in a file that both have open and nobody else can open, because it has no name any more. A process that hangs in a loop can tell nothing;
// what it wrote before it began is still there.

import { openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import type { Subject } from "../../../ports/budget.ts";
import { temporaryOutage } from "../temporary-directory.ts";

/** The descriptor as which the process that asks is given the file. */
export const recordDescriptor = 3;

/** First a counter that shows that its event loop turns, then how long the text is, then the text. */
const beatBytes = 8;
const lengthBytes = 8;
/** Some fifty questions; those that do not fit are left out, and nobody is blamed for them. */
const mostText = 64 * 1024;

export interface Asking {
  /** The one that is being worked out without a pause; null between two. */
  readonly running: Subject | null;
  /** Those that were begun and wait for something. */
  readonly waiting: readonly Subject[];
}

export const nothingAsked: Asking = { running: null, waiting: [] };

/** Makes a new file that only descriptors lead to. A temporary place that cannot be used keeps nobody from looking at repositories. */
export function makeRecord(): number {
  const name = `constel-asking-${process.pid}-${randomBytes(6).toString("hex")}`;
  let problem: unknown;
  for (const place of [tmpdir(), "/dev/shm", "/tmp"]) {
    try {
      const descriptor = openSync(join(place, name), "wx+", 0o600);
      unlinkSync(join(place, name));
      return descriptor;
    } catch (cause) {
      problem ??= cause;
    }
  }
  throw temporaryOutage(tmpdir(), problem);
}

export function writeBeat(descriptor: number, beat: number): void {
  writeSync(descriptor, Buffer.from(String(beat).padStart(beatBytes)), 0, beatBytes, 0);
}

/** `subjects`: each as JSON already, because the same ones are written again and again. The first is the running one, or empty. */
export function writeAsking(descriptor: number, running: string, waiting: Iterable<string>): void {
  let text = `{"running":${running === "" ? "null" : running},"waiting":[`;
  let isFirst = true;
  for (const one of waiting) {
    if (text.length + one.length > mostText / 4) break; // a character may take four bytes
    text += isFirst ? one : `,${one}`;
    isFirst = false;
  }
  const bytes = Buffer.from(`${text}]}`);
  const length = Buffer.from(String(bytes.length).padStart(lengthBytes));
  writeSync(descriptor, Buffer.concat([length, bytes]), 0, lengthBytes + bytes.length, beatBytes);
}

export function readBeat(descriptor: number): number {
  const bytes = Buffer.alloc(beatBytes);
  return readSync(descriptor, bytes, 0, beatBytes, 0) < beatBytes ? 0 : Number(bytes.toString("latin1"));
}

export function readAsking(descriptor: number): Asking {
  const bytes = Buffer.alloc(beatBytes + lengthBytes + mostText);
  const size = readSync(descriptor, bytes, 0, bytes.length, 0);
  const length = Number(bytes.toString("latin1", beatBytes, beatBytes + lengthBytes));
  const end = beatBytes + lengthBytes + length;
  if (!(length > 0) || end > size) return nothingAsked;
  try {
    return JSON.parse(bytes.toString("utf8", beatBytes + lengthBytes, end)) as Asking;
  } catch {
    return nothingAsked; // it was ended in the middle of a line
  }
}
