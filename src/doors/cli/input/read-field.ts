// Reads the words that fill an operation's fields, each by its kind: `3` is agent3, `2h` is a span of time, a path is meant from here. What the operation
// would not take is refused here, in the words of whoever typed it.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { checkAgentId } from "../../../protocol/agent-id.ts";
import { parseFarAgent } from "../../../protocol/far-agent.ts";
import { durationText, parseDuration } from "../../../protocol/duration.ts";
import { Refusal } from "../../../protocol/errors.ts";
import type { FieldOutline } from "../../../protocol/outline.ts";
import type { CommandShape } from "./command-shape.ts";

type Words = ReadonlyMap<string, readonly string[]>;

/** The operation's input, as far as it was typed or the command stands for it. */
export function fieldsOf(command: CommandShape, args: Words, flags: Words, cwd: string): Record<string, unknown> {
  const fields: Record<string, unknown> = command.tier === "floor" ? {} : { ...command.fixed };
  for (const { field, reads, name, rest } of command.arguments ?? []) {
    const words = args.get(name);
    if (field === undefined || reads === undefined || words === undefined) continue;
    const whole = rest === true && reads.many !== true ? [words.join(" ").trim()] : words;
    if (whole[0] !== "" || reads.required === true) fields[field] = read(reads, whole, `<${name}>`, cwd);
  }
  const said = new Map<string, string>();
  for (const [name, { field, reads, means, usual }] of Object.entries(command.flags ?? {})) {
    const words = flags.get(name) ?? (usual === undefined ? undefined : [usual]);
    if (field === undefined || reads === undefined || words === undefined) continue;
    if (means !== undefined && said.has(field)) throw bad(`--${name}`, `and --${said.get(field)} exclude each other`);
    said.set(field, name);
    fields[field] = means ?? (reads.kind === "switch" ? true : read(reads, words, `--${name}`, cwd));
  }
  return fields;
}

function read(outline: FieldOutline, words: readonly string[], name: string, cwd: string): unknown {
  const values = words.map((word) => valueOf(outline, word, name, cwd));
  return outline.many === true ? values : values.at(-1);
}

function valueOf(outline: FieldOutline, word: string, name: string, cwd: string): unknown {
  switch (outline.kind) {
    case "whole":
      return wholeIn(outline, word, name);
    case "span":
      return spanIn(outline, word, name);
    case "task":
      return taskNumber(word);
    case "agent":
      return agentIn(word);
    case "path":
      return resolve(cwd, word);
    case "repository":
      return existsSync(resolve(cwd, word)) ? resolve(cwd, word) : word;
    case "text":
      return textIn(outline, word, name);
    default:
      return word;
  }
}

function wholeIn({ least = 0, most = Number.MAX_SAFE_INTEGER }: FieldOutline, word: string, name: string): number {
  const value = /^\d{1,15}$/.test(word) ? Number(word) : Number.NaN;
  if (value >= least && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? ` of ${least} or more` : ` from ${least} to ${most}`;
  throw bad(name, `takes a whole number${range}, not ${word.slice(0, 100)}`);
}

function spanIn({ least = 0, most = Number.MAX_SAFE_INTEGER }: FieldOutline, word: string, name: string): number {
  const ms = parseDuration(word);
  if (ms >= least && ms <= most) return ms;
  throw bad(name, `goes from ${durationText(least)} to ${durationText(most)}, not ${word.slice(0, 100)}`);
}

function textIn({ least = 0, most = Infinity }: FieldOutline, word: string, name: string): string {
  if (word.trim().length < least) throw bad(name, least === 1 ? "is empty" : `has at least ${least} characters`);
  if (word.length > most) throw bad(name, `has at most ${most} characters, not ${word.length}`);
  return word;
}

/** `12`, `#12` and `task:12`. */
export function taskNumber(text: string): number {
  const digits = /^(?:#|task:)?(\d{1,9})$/.exec(text)?.[1];
  if (digits === undefined || Number(digits) === 0)
    throw new Refusal("usage.bad-value", `a task is named by its number, not ${text.slice(0, 100)}`, { text });
  return Number(digits);
}

/** Wherever an agent is named, `3` is short for `agent3`. */
export const agentIn = (word: string): string => checkAgentId(/^\d+$/.test(word) ? `agent${word}` : word);

/** Several between commas, `all`, or one agent of another constellation. */
export const agentsIn = (word: string): string =>
  word === "all" || parseFarAgent(word) !== undefined ? word : word.split(",").map(agentIn).join(",");

const bad = (name: string, problem: string): Refusal => new Refusal("usage.bad-value", `${name} ${problem}`, { name });
