// Gemini CLI's chat file: where it is, and what its rows mean.

import { readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type TranscriptRow, type Usage } from "../../../ports/runtime.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { promptHash } from "../hook-record.ts";
import { asNumber, asObject, asText, asTime, bytesFrom, type Json, parseObject } from "../json-lines.ts";
import { endOf } from "../last-words.ts";
import { failureIn } from "../limits.ts";

export function geminiHome(env: Readonly<Record<string, string>>): string {
  return join(env["GEMINI_CLI_HOME"] ?? env["HOME"] ?? "/", ".gemini");
}

export function findChat(env: Readonly<Record<string, string>>, sessionId: string): string | undefined {
  const root = join(geminiHome(env), "tmp");
  const directories = entries(root).map((project) => join(root, project, "chats"));
  return chatsIn(directories, sessionId).at(-1);
}

/**
 * Returns the directories where a start in this directory looks for conversations. Each project's place names the directory it belongs to;
 * one that names none may be anybody's.
 */
export function chatsOf(home: string, cwd: string): readonly string[] {
  const root = join(home, "tmp");
  return entries(root)
    .filter((project) => {
      const owner = bytesFrom(join(root, project, ".project_root"), 0)
        .toString("utf8")
        .trim();
      return owner === "" || realPath(owner) === realPath(cwd);
    })
    .map((project) => join(root, project, "chats"));
}

/**
 * Files carry the first eight characters of the id, their first line all of it. A resume leaves a second, empty one and goes on
 * in the first, so the one written last, which comes last here, is meant.
 */
export function chatsIn(directories: readonly string[], sessionId: string): readonly string[] {
  return directories
    .flatMap((directory) => entries(directory).map((name) => join(directory, name)))
    .filter((path) => path.endsWith(`-${sessionId.slice(0, 8)}.jsonl`))
    .sort((a, b) => writtenAt(a) - writtenAt(b))
    .filter((path) => bytesFrom(path, 0).toString("utf8").split("\n", 1)[0]?.includes(sessionId));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path); // it is gone
  }
}

function writtenAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export function readChatRow(line: string): TranscriptRow | undefined {
  const row = parseObject(line);
  if (row === undefined) return undefined;
  const at = asTime(row["timestamp"]);
  const text = textOf(row["content"]);
  switch (row["type"]) {
    case "user":
      // The program tells the model about itself in the user's name.
      if (text === "" || text.startsWith("<session_context>")) return undefined;
      return { kind: "prompt", at, messages: messagesIn(text), promptHash: promptHash(text) };
    case "gemini": {
      const usage = usageOf(row, at);
      const says = endOf(text);
      return usage === undefined
        ? undefined
        : { kind: "answer", at, goesOn: true, usage, ...(says === "" ? {} : { says }) };
    }
    case "info":
      return text.startsWith("Request cancelled") ? { kind: "interrupted", at } : undefined;
    case "error": {
      const failure = failureIn(text);
      return { kind: "turn-failed", at, says: text.slice(0, 300), failure };
    }
    default:
      return undefined;
  }
}

/** Its `input` counts what came from the cache, in this file. The same answer is written again when its tools are done. */
function usageOf(row: Json, at: number): Usage | undefined {
  const tokens = asObject(row["tokens"]);
  const id = asText(row["id"]);
  if (tokens === undefined || id === undefined) return undefined;
  const cacheRead = asNumber(tokens["cached"]);
  return {
    id,
    model: asText(row["model"]) ?? "unknown",
    input: Math.max(0, asNumber(tokens["input"]) - cacheRead),
    output: asNumber(tokens["output"]) + asNumber(tokens["thoughts"]),
    cacheRead,
    cacheWrite: 0,
    atMs: at,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => asText(asObject(part)?.["text"]) ?? "").join("\n");
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // nothing has run yet
  }
}
