// The rules file: its shape, and the check that it is understood. A rule that nobody reads as meant would make a test pass for
// the wrong reason, so unknown words are refused.

import { listOf, type JsonObject, objectOf } from "./json.ts";
import { checkTemplates } from "./templates.ts";

export type Pattern = string | readonly string[];

export interface When {
  readonly prompt?: Pattern;
  readonly result?: Pattern;
  readonly tool?: Pattern;
  readonly latest?: Pattern;
  readonly context?: Pattern;
  readonly offers?: Pattern;
  readonly api?: Pattern;
  readonly model?: Pattern;
  readonly side?: boolean | "any";
}

export interface Usage {
  readonly input?: number;
  readonly output?: number;
  readonly cache_read?: number;
  readonly cache_write?: number;
  readonly reasoning?: number;
}

export type Call =
  | { readonly shell: string; readonly input?: JsonObject }
  | { readonly write: string; readonly content: string }
  | { readonly edit: string; readonly old: string; readonly new: string }
  | { readonly mcp: string; readonly input?: JsonObject; readonly input_json?: string }
  | { readonly call: string; readonly input?: JsonObject | string; readonly input_json?: string };

export interface ScriptedError {
  readonly status: number | string;
  readonly type?: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly text?: string;
  readonly thinking?: string;
  readonly calls?: readonly Call[];
  readonly usage?: Usage;
  readonly hold?: string;
  readonly delay_ms?: number;
  readonly chunk_ms?: number;
  readonly error?: ScriptedError;
  readonly drop?: boolean;
}

export interface Rule {
  readonly name?: string;
  readonly when?: When;
  readonly reply?: Reply;
  readonly steps?: readonly Reply[];
  readonly times?: number;
}

export interface Rules {
  readonly default?: Reply;
  readonly side?: Reply;
  readonly vars?: Readonly<Record<string, string>>;
  readonly rules?: readonly Rule[];
}

const known = {
  file: ["default", "side", "vars", "rules"],
  rule: ["name", "when", "reply", "steps", "times"],
  when: ["prompt", "result", "tool", "latest", "context", "offers", "api", "model", "side"],
  reply: ["text", "thinking", "calls", "usage", "hold", "delay_ms", "chunk_ms", "error", "drop"],
  usage: ["input", "output", "cache_read", "cache_write", "reasoning"],
  error: ["status", "type", "message", "headers"],
} as const;

const callWords = {
  shell: ["input"],
  write: ["content"],
  edit: ["old", "new"],
  mcp: ["input", "input_json"],
  call: ["input", "input_json"],
} as const;

/** The rules as they were given, or an error that says where they are not understood. */
export function checkedRules(value: unknown): Rules {
  const file = fields(value, known.file, "the rules");
  const vars = Object.keys(objectOf(file["vars"]));
  for (const name of ["default", "side"]) {
    if (file[name] !== undefined) checkReply(file[name], name, vars);
  }
  listOf(file["rules"]).forEach((one, at) => checkRule(one, at, vars));
  return value as Rules;
}

function checkRule(value: unknown, at: number, vars: readonly string[]): void {
  const name = objectOf(value)["name"];
  const where = typeof name === "string" ? `rule "${name}"` : `rule ${at + 1}`;
  const rule = fields(value, known.rule, where);
  if (rule["when"] !== undefined) fields(rule["when"], known.when, `${where}, when`);
  if ((rule["reply"] === undefined) === (rule["steps"] === undefined))
    throw new Error(`${where}: give it either a reply or steps`);
  if (rule["reply"] !== undefined) checkReply(rule["reply"], where, vars);
  listOf(rule["steps"]).forEach((step, index) => checkReply(step, `${where}, step ${index + 1}`, vars));
}

function checkReply(value: unknown, where: string, vars: readonly string[]): void {
  const reply = fields(value, known.reply, where);
  if (reply["usage"] !== undefined) fields(reply["usage"], known.usage, `${where}, usage`);
  if (reply["error"] !== undefined) fields(reply["error"], known.error, `${where}, error`);
  for (const call of listOf(reply["calls"])) checkCall(call, where);
  checkTemplates(reply, vars, where);
}

function checkCall(value: unknown, where: string): void {
  const kinds = Object.keys(callWords) as (keyof typeof callWords)[];
  const found = kinds.filter((kind) => kind in objectOf(value));
  const [kind] = found;
  if (kind === undefined || found.length > 1) throw new Error(`${where}: a call is one of ${kinds.join(", ")}`);
  fields(value, [kind, ...callWords[kind]], `${where}, ${kind}`);
}

function fields(value: unknown, allowed: readonly string[], where: string): JsonObject {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${where}: not an object`);
  const odd = Object.keys(value).find((key) => !allowed.includes(key));
  if (odd !== undefined) throw new Error(`${where}: "${odd}" is not known (known: ${allowed.join(", ")})`);
  return value as JsonObject;
}
