// Codex's transcript (the rollout file): where it is, and what its rows mean.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import {
  type Launch,
  type LiveSession,
  type OwnFiles,
  type RowReader,
  type TranscriptRow,
  type Usage,
} from "../../../ports/runtime.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { promptHash } from "../hook-record.ts";
import { asNumber, asObject, asText, asTime, bytesFrom, type Json, parseObject } from "../json-lines.ts";
import { endOf } from "../last-words.ts";
import { failureIn } from "../limits.ts";

/** The environment as this launch has it: a confined agent keeps its files in a place of its own, and another account has its own. */
export function envOf(
  { ownFiles, account }: Pick<Launch, "ownFiles" | "account">,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const directory = ownFiles ?? account?.directory;
  return directory === undefined ? env : { ...env, CODEX_HOME: directory };
}

export function codexOwnFiles(env: Readonly<Record<string, string>>): OwnFiles {
  const names = ["auth.json", "config.toml", "AGENTS.md"];
  return { copies: names.map((name) => ({ from: join(codexHome(env), name), name })) };
}

export function codexHome(env: Readonly<Record<string, string>>): string {
  return env["CODEX_HOME"] ?? join(env["HOME"] ?? "/", ".codex");
}

/** A reader remembers the model of the turn and when the account's limits lift: other rows say these. */
export function rolloutReader(): RowReader {
  let model = "unknown";
  let liftsAtMs: number | undefined;
  return (line) => {
    const row = parseObject(line);
    const payload = asObject(row?.["payload"]);
    if (row === undefined || payload === undefined) return undefined;
    const at = asTime(row["timestamp"]);
    switch (row["type"]) {
      case "turn_context":
        model = asText(payload["model"]) ?? model;
        return undefined;
      case "token_usage_record": {
        const usage = usageOf(payload, model, at);
        return { kind: "answer", at, goesOn: true, ...(usage === undefined ? {} : { usage }) };
      }
      case "response_item":
        return payload["type"] === "message" && payload["role"] === "user" ? promptRow(payload, at) : undefined;
      case "event_msg":
        if (payload["type"] === "token_count") liftsAtMs = liftOf(payload) ?? liftsAtMs;
        return eventRow(payload, at, liftsAtMs);
      default:
        return undefined;
    }
  };
}

function eventRow(payload: Json, at: number, liftsAtMs: number | undefined): TranscriptRow | undefined {
  if (payload["type"] === "task_started") return { kind: "turn-began", at };
  if (payload["type"] === "turn_aborted") return { kind: "interrupted", at };
  if (payload["type"] !== "task_complete") return undefined;
  const error = asObject(payload["error"]);
  if (error === undefined) {
    const said = endOf(asText(payload["last_agent_message"]) ?? "");
    return { kind: "turn-ended", at, ...(said === "" ? {} : { says: said }) };
  }
  const says = asText(error["message"]) ?? "the turn failed";
  const about = `${says} ${JSON.stringify(error["codex_error_info"] ?? "")}`.replaceAll("_", " ");
  const failure = failureIn(about);
  const lift = failure === "limit" && liftsAtMs !== undefined && liftsAtMs > at ? { liftsAtMs } : {};
  return { kind: "turn-failed", at, says: says.slice(0, 300), failure, ...lift };
}

/** Returns the time when the account's fullest window starts anew, if one is full. */
function liftOf(payload: Json): number | undefined {
  const limits = asObject(payload["rate_limits"]);
  const full = [limits?.["primary"], limits?.["secondary"]]
    .map(asObject)
    .filter((window) => asNumber(window?.["used_percent"]) >= 100 && asNumber(window?.["resets_at"]) > 0);
  return full.length === 0 ? undefined : Math.max(...full.map((window) => asNumber(window?.["resets_at"]) * 1000));
}

/** What the program itself adds in the user's name stands in tags. */
const byTheProgram =
  /^\s*<(?:environment_context|turn_aborted|user_instructions|skill|permissions|hook_)|^# AGENTS\.md/;

function promptRow(payload: Json, at: number): TranscriptRow | undefined {
  const content = payload["content"];
  if (!Array.isArray(content)) return undefined;
  const text = content
    .map((part) => asText(asObject(part)?.["text"]) ?? "")
    .filter((part) => !byTheProgram.test(part))
    .join("\n");
  return text === "" ? undefined : { kind: "prompt", at, messages: messagesIn(text), promptHash: promptHash(text) };
}

/** Its input counts what came from the cache; ours does not. */
function usageOf(payload: Json, model: string, at: number): Usage | undefined {
  const usage = asObject(payload["usage"]);
  const id = asText(payload["response_id"]);
  if (usage === undefined || id === undefined) return undefined;
  const cacheRead = asNumber(usage["cached_input_tokens"]);
  const cacheWrite = asNumber(usage["cache_write_input_tokens"]);
  const input = Math.max(0, asNumber(usage["input_tokens"]) - cacheRead - cacheWrite);
  return { id, model, input, output: asNumber(usage["output_tokens"]), cacheRead, cacheWrite, atMs: at };
}

/** Without a hook to name it: by the thread's id, else the one rollout that began in this directory since the launch. */
export function findRollout(env: Readonly<Record<string, string>>, session: LiveSession): string | undefined {
  const root = join(codexHome(env), "sessions");
  const id = session.sessionId ?? session.launch.resume;
  const names = listed(root);
  if (id !== undefined) {
    const found = names.findLast((name) => name.endsWith(`-${id}.jsonl`));
    if (found !== undefined) return join(root, found);
  }
  const days = new Set([session.sinceMs, session.sinceMs - 86_400_000, session.sinceMs + 86_400_000].map(dayOf));
  const begun = names
    .filter((name) => days.has(name.slice(0, 10)))
    .map((name) => join(root, name))
    .filter((path) => {
      const head = parseObject(bytesFrom(path, 0).toString("utf8").split("\n", 1)[0] ?? "");
      const meta = asObject(head?.["payload"]);
      return meta?.["cwd"] === session.launch.cwd && asTime(meta["timestamp"]) >= session.sinceMs;
    });
  return begun.length === 1 ? begun[0] : undefined;
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10).replaceAll("-", "/");
}

/** Rollouts as `YYYY/MM/DD/rollout-….jsonl`, oldest first. */
function listed(root: string): string[] {
  try {
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .sort();
  } catch {
    return []; // no session has run yet
  }
}
