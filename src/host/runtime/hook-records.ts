// The hook records of an agent: where they are, how a program's hook payload becomes one, and how they are read back.
// The command that writes them is the door's (`constel hook <runtime>`); it appends one line and exits 0 whatever happens.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { type HookEvent, type HookRecord, messagesIn } from "../../protocol/runtime.ts";
import { asObject, asText, parseObject, tailLines } from "./json-lines.ts";
import { Kept } from "./kept.ts";

export const hookFile = (home: string, agent: string): string => join(home, "state", "hooks", `${agent}.jsonl`);

/** Enough for a few hundred records: the state rests on the last few. */
const tailBytes = 128 * 1024;

const kept = new Kept<readonly HookRecord[]>();

/** The records of an agent since its launch, oldest first. */
export function readHooks(home: string, agent: string, sinceMs: number): readonly HookRecord[] {
  const file = hookFile(home, agent);
  return kept.of(file, String(sinceMs), () => tailLines(file, tailBytes).flatMap((line) => recordIn(line, sinceMs)));
}

function recordIn(line: string, sinceMs: number): HookRecord[] {
  const record = parseObject(line);
  if (record === undefined || typeof record["at"] !== "number" || record["at"] < sinceMs) return [];
  const whole = typeof record["event"] === "string" && typeof record["session"] === "string";
  return whole ? [record as unknown as HookRecord] : [];
}

/** What identifies a prompt without keeping its words. Terminals and programs may change white space on the way. */
export function promptHash(prompt: string): string {
  return createHash("sha256").update(prompt.replace(/\s+/g, " ").trim()).digest("hex");
}

/**
 * The record for a payload of the common shape (`hook_event_name`, `session_id`, `tool_name`…), which three programs share.
 * `events` maps the program's names to ours.
 */
export function recordFrom(
  payload: unknown,
  nowMs: number,
  events: Readonly<Record<string, HookEvent>>,
): HookRecord | undefined {
  const given = asObject(payload);
  const name = asText(given?.["hook_event_name"]);
  if (given === undefined || name === undefined) return undefined;
  const session = asText(given["session_id"]);
  if (session === undefined) return undefined;
  const prompt = asText(given["prompt"]);
  const says = asText(given["last_assistant_message"]) ?? asText(given["message"]);
  const event = events[name] ?? "other";
  const record: { -readonly [Key in keyof HookRecord]: HookRecord[Key] } = { event, at: nowMs, session };
  const cwd = asText(given["cwd"]);
  if (cwd !== undefined) record.cwd = cwd;
  const transcript = asText(given["transcript_path"]);
  if (transcript !== undefined) record.transcript = transcript;
  const tool = asText(given["tool_name"]);
  if (tool !== undefined) record.tool = tool;
  const file = touchedFile(given["tool_input"]);
  if (file !== undefined) record.file = file;
  if (prompt !== undefined) {
    record.messages = messagesIn(prompt);
    record.promptHash = promptHash(prompt);
  }
  const reason =
    asText(given["error"]) ?? asText(given["notification_type"]) ?? asText(given["reason"]) ?? asText(given["source"]);
  if (reason !== undefined) record.reason = reason.slice(0, 100);
  if (event === "turn-failed" && says !== undefined) record.says = says.slice(0, 300);
  if (asText(given["agent_id"]) !== undefined || name === "SubagentStop") record.inSubagent = true;
  return record;
}

/** The file a tool works on: named directly, or the first one in a patch. */
function touchedFile(input: unknown): string | undefined {
  const given = asObject(input);
  if (given === undefined) return undefined;
  for (const key of ["file_path", "notebook_path", "filePath", "path", "absolute_path"]) {
    const path = asText(given[key]);
    if (path !== undefined) return path;
  }
  const patch = asText(given["command"]) ?? asText(given["input"]) ?? asText(given["patch"]);
  return patch === undefined ? undefined : /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m.exec(patch)?.[1];
}
