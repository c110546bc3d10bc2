// The hook records of an agent: where they are, and how they are read back. How a program's payload becomes one is in
// hook-record.ts; the command that writes them is the door's (`constel hook <runtime>`).

import { statSync } from "node:fs";
import { join } from "node:path";
import type { HookRecord } from "../../ports/runtime.ts";
import { isSealed, sealedBy } from "../keys/seals.ts";
import { parseObject, tailLines } from "./json-lines.ts";
import { Kept } from "./read-once.ts";

export const hookFile = (home: string, agent: string): string => join(home, "state", "hooks", `${agent}.jsonl`);

/** The file with the records from before the hook file grew too long and was begun anew. */
export const earlierHookFile = (home: string, agent: string): string =>
  join(home, "state", "hooks", `${agent}.1.jsonl`);

/** Enough for a few hundred records: the state rests on the last few. */
const tailBytes = 128 * 1024;

export interface ReadHook extends HookRecord {
  /** It carries no seal of this agent's. */
  readonly foreign?: true;
}

const kept = new Kept<readonly ReadHook[]>();

/** Returns the records that the agent's own hooks left since its launch, oldest first. Lines that anybody may have written are left out. */
export function readHooks(home: string, agent: string, sinceMs: number): readonly HookRecord[] {
  return readAllHooks(home, agent, sinceMs).filter(({ foreign }) => foreign !== true);
}

/** With what carries no seal of the agent's: good enough to guess what a script is at, never for proof. */
export function readAllHooks(home: string, agent: string, sinceMs: number): readonly ReadHook[] {
  const mustBeSealed = isSealed(home, agent);
  const file = hookFile(home, agent);
  const earlier = earlierHookFile(home, agent);
  const before = statSync(earlier, { throwIfNoEntry: false });
  const question = `${sinceMs} ${before?.ino ?? 0}:${before?.size ?? 0} ${mustBeSealed}`;
  return kept.of(file, question, () => {
    // The newer file first: should it be set aside between the two, its lines are met in the other.
    const newest = tailLines(file, tailBytes);
    const missing = tailBytes - (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const older = before === undefined || missing <= 0 ? [] : tailLines(earlier, missing);
    return withoutReplays([...older, ...newest]).flatMap((line) =>
      recordIn(line, sinceMs).map((record) =>
        mustBeSealed && sealedBy(home, line, [agent]) === undefined ? { ...record, foreign: true } : record,
      ),
    );
  });
}

/**
 * A sealed line can be copied and appended again, to make an agent look idle or at work. The same line twice is one, and a line that is older
 * than the first one here was written long ago: lines are appended as they happen.
 */
function withoutReplays(lines: readonly string[]): readonly string[] {
  const atOf = (line: string): number => Number(/"at":(\d+)/.exec(line)?.[1] ?? Number.NaN);
  const firstMs = lines.map(atOf).find((at) => !Number.isNaN(at)) ?? 0;
  return [...new Set(lines)].filter((line) => !(atOf(line) < firstMs));
}

function recordIn(line: string, sinceMs: number): HookRecord[] {
  const record = parseObject(line);
  if (record === undefined || typeof record["at"] !== "number" || record["at"] < sinceMs) return [];
  const { event, session, messages } = record;
  // A text instead of a list would hold every id that is a part of it.
  const ids = messages === undefined || Array.isArray(messages);
  const whole = typeof event === "string" && typeof session === "string" && ids;
  const { seal: _, foreign: __, ...said } = record;
  return whole ? [said as unknown as HookRecord] : [];
}
