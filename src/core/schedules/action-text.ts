// Reads what a firing does from the files of crons and loops: `agent` and `prompt`, or `verb`. Also holds the checks both files share.

import { isAgentId } from "../../protocol/agent-id.ts";
import { type LocatedToml, type TomlTable } from "../toml/located-toml.ts";
import { type Action, type Overlap, overlaps } from "./schedule.ts";

/** The place of a table in the file, for refusals. */
export type At = readonly (string | number)[];

export const actionKeys = ["agent", "prompt", "verb"] as const;

export function readAction(toml: LocatedToml, table: TomlTable, at: At): Action {
  const { verb } = table;
  if (verb !== undefined) {
    if (table["prompt"] !== undefined || table["agent"] !== undefined)
      throw toml.refuse("either verb, or agent and prompt; not both", ...at, "verb");
    if (!Array.isArray(verb) || verb.length === 0 || !verb.every((word) => typeof word === "string" && word !== ""))
      throw toml.refuse('verb must be a list of words, such as ["task", "harvest", "--all"]', ...at, "verb");
    if (verb.some((word: string) => /\p{Cc}/u.test(word)))
      throw toml.refuse("verb has a control character", ...at, "verb");
    return { verb: verb as string[] };
  }
  const agent = readText(toml, table, "agent", at);
  if (!isAgentId(agent)) throw toml.refuse("agent must be an agent's name, such as agent0", ...at, "agent");
  const prompt = readText(toml, table, "prompt", at);
  if (prompt.trim() === "") throw toml.refuse("prompt is empty", ...at, "prompt");
  if (prompt.length > 100_000) throw toml.refuse("prompt is longer than 100,000 characters", ...at, "prompt");
  return { agent, prompt };
}

export function printAction(action: Action): Record<string, unknown> {
  return action.verb === undefined ? { agent: action.agent, prompt: action.prompt } : { verb: [...action.verb] };
}

export function readText(toml: LocatedToml, table: TomlTable, key: string, at: At): string {
  const value = table[key];
  if (value === undefined) throw toml.refuse(`${key} is missing`, ...at);
  if (typeof value !== "string") throw toml.refuse(`${key} must be text in quotes`, ...at, key);
  return value;
}

export function readOverlap(toml: LocatedToml, table: TomlTable, at: At): Overlap {
  const value = table["overlap"] ?? "queue";
  const known = overlaps.find((one) => one === value);
  if (known === undefined) throw toml.refuse("overlap must be queue, skip or replace", ...at, "overlap");
  return known;
}

export function readFlag(toml: LocatedToml, table: TomlTable, key: string, at: At): boolean {
  const value = table[key] ?? false;
  if (typeof value !== "boolean") throw toml.refuse(`${key} must be true or false`, ...at, key);
  return value;
}

/** A whole number within bounds, or undefined when the key is not there. */
export function readWhole(
  toml: LocatedToml,
  table: TomlTable,
  key: string,
  [low, high]: readonly [number, number],
  at: At,
): number | undefined {
  const value = table[key];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < low || value > high)
    throw toml.refuse(`${key} must be a whole number from ${low} to ${high}`, ...at, key);
  return value;
}

/** Refuses a key nobody knows: a typing error must not pass for a setting that holds. */
export function refuseUnknown(toml: LocatedToml, table: TomlTable, known: readonly string[], at: At): void {
  const unknown = Object.keys(table).find((key) => !known.includes(key));
  if (unknown !== undefined) throw toml.refuseKey(unknown, known, ...at);
}
