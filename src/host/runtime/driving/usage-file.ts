// Where the holder keeps what turns used, for programs whose own record constel does not read.

import { join } from "node:path";
import type { Launch, TranscriptRow, Usage } from "../../../ports/runtime.ts";
import { bytesFrom, parseObject } from "../json-lines.ts";

export const usageFile = (home: string, agent: string): string => join(home, "state", "runtime", agent, "usage.jsonl");

export function usageKept({ home, agent }: Pick<Launch, "home" | "agent">): Usage[] {
  const lines = bytesFrom(usageFile(home, agent), 0).toString("utf8").split("\n");
  return lines.flatMap((line) => readUsageRow(line)?.usage ?? []);
}

/** What the holder wrote down of a turn. */
export function readUsageRow(line: string): TranscriptRow | undefined {
  const row = parseObject(line);
  return row?.["kind"] === "answer" ? (row as unknown as TranscriptRow) : undefined;
}
