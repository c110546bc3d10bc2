// Claude Code's transcript: where it is, and what its rows mean.

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Launch, type OwnFiles, type TranscriptRow, type Usage } from "../../../ports/runtime.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { promptHash } from "../hook-record.ts";
import { asNumber, asObject, asText, asTime, type Json, parseObject } from "../json-lines.ts";
import { endOf } from "../last-words.ts";
import { failureIn } from "../limits.ts";
import { linesOf } from "../transcripts.ts";

export function configHome(env: Readonly<Record<string, string>>): string {
  return env["CLAUDE_CONFIG_DIR"] ?? join(env["HOME"] ?? "/", ".claude");
}

/** The environment as this launch has it: a confined agent keeps its files in a place of its own, and another account has its own. */
export function envOf(
  { ownFiles, account }: Pick<Launch, "ownFiles" | "account">,
  env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const directory = ownFiles ?? account?.directory;
  return directory === undefined ? env : { ...env, CLAUDE_CONFIG_DIR: directory };
}

/** The files that hold its login, its settings, and its answers to the questions at its first start. */
export function claudeOwnFiles(env: Readonly<Record<string, string>>): OwnFiles {
  const state = env["CLAUDE_CONFIG_DIR"] === undefined ? join(env["HOME"] ?? "/", ".claude.json") : undefined;
  const names = [".credentials.json", "settings.json", "CLAUDE.md", ...(state === undefined ? [".claude.json"] : [])];
  return {
    copies: [
      ...names.map((name) => ({ from: join(configHome(env), name), name })),
      ...(state === undefined ? [] : [{ from: state, name: ".claude.json" }]),
    ],
  };
}

export function transcriptPath(env: Readonly<Record<string, string>>, cwd: string, sessionId: string): string {
  return join(configHome(env), "projects", cwd.replace(/[^A-Za-z0-9]/g, "-"), `${sessionId}.jsonl`);
}

/** Yields the lines of transcripts and of the transcripts of their subagents. */
export function* linesWithSubagents(paths: readonly string[]): Generator<string> {
  for (const path of paths) {
    const directory = join(path.replace(/\.jsonl$/, ""), "subagents");
    const isThere = statSync(directory, { throwIfNoEntry: false }) !== undefined;
    const names = isThere ? readdirSync(directory).filter((name) => name.endsWith(".jsonl")) : [];
    yield* linesOf([path, ...names.map((name) => join(directory, name))]);
  }
}

export function readClaudeRow(line: string): TranscriptRow | undefined {
  const row = parseObject(line);
  if (row === undefined) return undefined;
  const at = asTime(row["timestamp"]);
  switch (row["type"]) {
    case "user":
      return userRow(row, at);
    case "assistant":
      return assistantRow(row, at);
    case "attachment": {
      // A queued message taken up in the middle of a turn; only now has the model seen it.
      const attachment = asObject(row["attachment"]);
      if (attachment?.["type"] !== "queued_command") return undefined;
      return promptRow(textOf(attachment["prompt"]), at);
    }
    case "queue-operation":
      return row["operation"] === "enqueue" ? { kind: "queued", at } : undefined;
    case "system":
      return row["subtype"] === "turn_duration" ? { kind: "turn-ended", at } : undefined;
    default:
      return undefined;
  }
}

function userRow(row: Json, at: number): TranscriptRow | undefined {
  const content = asObject(row["message"])?.["content"];
  const text = textOf(content);
  if (row["isSidechain"] === true) return undefined;
  if (text.startsWith("[Request interrupted by user")) return { kind: "interrupted", at };
  // Tool results come as user rows too, and local commands (/clear) leave rows no model sees.
  if (text === "" || row["isMeta"] === true || /^<local-command|^<command-name>/.test(text)) return undefined;
  return promptRow(text, at);
}

function promptRow(text: string, at: number): TranscriptRow {
  return { kind: "prompt", at, messages: messagesIn(text), promptHash: promptHash(text) };
}

function assistantRow(row: Json, at: number): TranscriptRow | undefined {
  const message = asObject(row["message"]);
  if (message === undefined) return undefined;
  if (row["isApiErrorMessage"] === true) {
    const says = textOf(message["content"]).slice(0, 300);
    const kind = `${asText(row["error"]) ?? ""} ${says}`;
    return {
      kind: "turn-failed",
      at,
      says,
      failure: failureIn(kind),
    };
  }
  const usage = usageOf(message, at);
  const says = row["isSidechain"] === true ? "" : endOf(textOf(message["content"]));
  // A subagent's answers count as tokens, not as the turn's progress.
  return {
    kind: "answer",
    at,
    goesOn: message["stop_reason"] === "tool_use" || row["isSidechain"] === true,
    ...(usage === undefined ? {} : { usage }),
    ...(says === "" ? {} : { says }),
  };
}

function usageOf(message: Json, at: number): Usage | undefined {
  const usage = asObject(message["usage"]);
  const id = asText(message["id"]);
  const model = asText(message["model"]);
  if (usage === undefined || id === undefined || model === undefined || model === "<synthetic>") return undefined;
  const hour = asNumber(asObject(usage["cache_creation"])?.["ephemeral_1h_input_tokens"]);
  return {
    id,
    model,
    input: asNumber(usage["input_tokens"]),
    output: asNumber(usage["output_tokens"]),
    cacheRead: asNumber(usage["cache_read_input_tokens"]),
    cacheWrite: asNumber(usage["cache_creation_input_tokens"]),
    ...(hour > 0 ? { cacheWriteHour: hour } : {}),
    atMs: at,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => asObject(part))
    .filter((part) => part?.["type"] === "text")
    .map((part) => asText(part?.["text"]) ?? "")
    .join("\n");
}
