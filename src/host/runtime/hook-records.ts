// The hook records of an agent: where they are, and how they are read back. How a program's payload becomes one is in
// hook-record.ts; the command that writes them is the door's (`constel hook <runtime>`).

import { statSync } from "node:fs";
import { join } from "node:path";
import type { HookRecord } from "../../ports/runtime.ts";
import { parseObject, tailLines } from "./json-lines.ts";
import { Kept } from "./read-once.ts";

export const hookFile = (home: string, agent: string): string => join(home, "state", "hooks", `${agent}.jsonl`);

/** What the file held before it grew too long and was begun anew. */
export const earlierHookFile = (home: string, agent: string): string =>
  join(home, "state", "hooks", `${agent}.1.jsonl`);

/** Enough for a few hundred records: the state rests on the last few. */
const tailBytes = 128 * 1024;

const kept = new Kept<readonly HookRecord[]>();

/** The records of an agent since its launch, oldest first. */
export function readHooks(home: string, agent: string, sinceMs: number): readonly HookRecord[] {
  const file = hookFile(home, agent);
  const earlier = earlierHookFile(home, agent);
  const before = statSync(earlier, { throwIfNoEntry: false });
  const question = `${sinceMs} ${before?.ino ?? 0}:${before?.size ?? 0}`;
  return kept.of(file, question, () => {
    // The newer file first: should it be set aside between the two, its lines are met in the other.
    const newest = tailLines(file, tailBytes);
    const missing = tailBytes - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const older = before === undefined || missing <= 0 ? [] : tailLines(earlier, missing);
    return [...older, ...newest].flatMap((line) => recordIn(line, sinceMs));
  });
}

function recordIn(line: string, sinceMs: number): HookRecord[] {
  const record = parseObject(line);
  if (record === undefined || typeof record["at"] !== "number" || record["at"] < sinceMs) return [];
  const { event, session, messages } = record;
  // A text instead of a list would hold every id that is a part of it.
  const ids = messages === undefined || Array.isArray(messages);
  const whole = typeof event === "string" && typeof session === "string" && ids;
  return whole ? [record as unknown as HookRecord] : [];
}
