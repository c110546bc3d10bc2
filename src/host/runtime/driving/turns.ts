// Reads what a worker's holder wrote down of its turns. Only lines with the agent's own seal count.

import { statSync } from "node:fs";
import { join } from "node:path";
import type { ProcessMark } from "../../../ports/machine.ts";
import { sealedBy } from "../../keys/seals.ts";
import { splitSeal } from "../../../protocol/seal.ts";
import { asText, bytesFrom, parseObject } from "../json-lines.ts";
import { isLimitText } from "../limits.ts";

export const turnsFile = (agent: string): string => join("state", "runtime", agent, "turns.jsonl");

/** What is read of it, from the end. */
const mostRead = 2 * 1024 * 1024;

export interface TurnWritten {
  readonly beganBy?: string | undefined;
  readonly ended?: {
    readonly atMs: number;
    readonly ok: boolean;
    readonly text: string;
    readonly error: string | undefined;
    readonly session: string;
    readonly did: readonly string[];
    readonly overtime: boolean;
    readonly isExcused: boolean;
  };
}

/** Its number alone may be another process's after the machine was started anew. */
export const nameOfHolder = ({ pid, token }: ProcessMark): string => `${pid} ${token}`;

export function readTurn(home: string, agent: string, turn: string): TurnWritten {
  let found: TurnWritten = {};
  const path = join(home, turnsFile(agent));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return found;
  for (const line of bytesFrom(path, Math.max(0, size - mostRead))
    .toString("utf8")
    .split("\n")) {
    if (!line.includes(turn) || sealedBy(home, line, [agent]) === undefined) continue;
    const said = parseObject(splitSeal(line)?.json ?? "");
    if (said?.["turn"] !== turn) continue;
    if (typeof said["began"] === "number") found = { ...found, beganBy: asText(said["holder"]) };
    else if (typeof said["at"] === "number") found = { ...found, ended: endOf(said, said["at"]) };
  }
  return found;
}

function endOf(said: Readonly<Record<string, unknown>>, atMs: number): NonNullable<TurnWritten["ended"]> {
  const error = asText(said["error"]);
  const overtime = said["overtime"] === true;
  const did = Array.isArray(said["did"]) ? said["did"].flatMap((one) => asText(one) ?? []) : [];
  return {
    atMs,
    ok: said["ok"] === true,
    text: asText(said["text"]) ?? "",
    error,
    session: asText(said["session"]) ?? "",
    did: did.slice(0, 50),
    overtime,
    isExcused: !overtime && (said["interrupted"] === true || isLimitText(error ?? "")),
  };
}
