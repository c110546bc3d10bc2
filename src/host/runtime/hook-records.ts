// The hook records of an agent: where they are, and how they are read back. How a program's payload becomes one is in
// hook-record.ts; the command that writes them is the door's (`constel hook <runtime>`).

import { join } from "node:path";
import type { HookRecord } from "../../protocol/runtime.ts";
import { parseObject, tailLines } from "./json-lines.ts";

export const hookFile = (home: string, agent: string): string => join(home, "state", "hooks", `${agent}.jsonl`);

/** Enough for several hundred records: the state rests on the last few. */
const tailBytes = 256 * 1024;

/** The records of an agent since its launch, oldest first. */
export function readHooks(home: string, agent: string, sinceMs: number): HookRecord[] {
  const records: HookRecord[] = [];
  for (const line of tailLines(hookFile(home, agent), tailBytes)) {
    const record = parseObject(line);
    if (record === undefined || typeof record["at"] !== "number" || record["at"] < sinceMs) continue;
    if (typeof record["event"] === "string" && typeof record["session"] === "string") {
      records.push(record as unknown as HookRecord);
    }
  }
  return records;
}
