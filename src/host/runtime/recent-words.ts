// The last things said in a conversation, by its user and by its model, from the end of the program's transcript. Tool calls and what programs
// add by themselves are left out. For people and models to read: nothing is proved by it.

import { asObject, asText, type Json, objectsIn, parseObject, tailLines } from "./json-lines.ts";

export interface Said {
  readonly who: "user" | "model";
  readonly text: string;
}

/** One row may be a hundred kilobytes. */
const tailBytes = 2 * 1024 * 1024;

export function recentWords(path: string, most: number): readonly Said[] {
  return tailLines(path, tailBytes)
    .flatMap((line) => saidIn(parseObject(line)) ?? [])
    .filter(({ text }) => text !== "")
    .slice(-most);
}

/** Claude Code's rows have a message, Codex's a payload of the same form, Gemini's the words themselves. */
function saidIn(row: Json | undefined): Said | undefined {
  if (row === undefined || row["isSidechain"] === true || row["isMeta"] === true) return undefined;
  const message = asObject(row["message"]) ?? asObject(row["payload"]) ?? row;
  const role = asText(message["role"]) ?? asText(row["type"]);
  const who = role === "user" ? "user" : role === "assistant" || role === "gemini" ? "model" : undefined;
  return who === undefined ? undefined : { who, text: textOf(message["content"]) };
}

function textOf(content: unknown): string {
  const parts =
    typeof content === "string" ? [content] : objectsIn(content).flatMap((part) => asText(part["text"]) ?? []);
  return parts
    .filter((part) => !byTheProgram.test(part))
    .join("\n")
    .trim();
}

const byTheProgram =
  /^\s*<(?:system-reminder|local-command|command-name|environment_context|turn_aborted|user_instructions|skill|permissions|hook_)|^# AGENTS\.md/;
