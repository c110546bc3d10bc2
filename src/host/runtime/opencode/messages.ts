// opencode's messages, as its HTTP interface gives them, in our words.

import { type TranscriptRow, type Usage } from "../../../ports/runtime.ts";
import { messagesIn } from "../../../protocol/message-marks.ts";
import { promptHash } from "../hook-record.ts";
import { asNumber, asObject, asText, type Json } from "../json-lines.ts";
import { endOf } from "../last-words.ts";
import { failureIn } from "../limits.ts";

export interface ReadMessage {
  readonly id: string;
  /** An answer: the prompt it answers. */
  readonly to: string | undefined;
  readonly row: TranscriptRow;
  /** An answer: it is complete. */
  readonly endedAt: number | undefined;
}

export function readMessage(message: Json): ReadMessage | undefined {
  const info = asObject(message["info"]);
  const id = asText(info?.["id"]);
  if (info === undefined || id === undefined) return undefined;
  const at = asNumber(asObject(info["time"])?.["created"]);
  if (info["role"] === "user") {
    const text = textOf(message["parts"]);
    const row: TranscriptRow = { kind: "prompt", at, messages: messagesIn(text), promptHash: promptHash(text) };
    return { id, to: undefined, row, endedAt: undefined };
  }
  const ended = asNumber(asObject(info["time"])?.["completed"]);
  const usage = usageOf(info, id, at);
  const says = endOf(textOf(message["parts"]));
  const row: TranscriptRow = {
    kind: "answer",
    at,
    goesOn: true,
    ...(usage === undefined ? {} : { usage }),
    ...(says === "" ? {} : { says }),
  };
  const failure = failureOf(info, ended || at);
  return { id, to: asText(info["parentID"]), row: failure ?? row, endedAt: ended > 0 ? ended : undefined };
}

/** All rows of a session, oldest first. */
export function rowsOf(messages: readonly Json[]): TranscriptRow[] {
  return messages.flatMap((message) => readMessage(message)?.row ?? []);
}

export function answerStarted(messages: readonly (ReadMessage | undefined)[], promptId: string): number | undefined {
  return messages.find((message) => message?.to === promptId)?.row.at;
}

function failureOf(info: Json, at: number): TranscriptRow | undefined {
  const error = asObject(info["error"]);
  if (error === undefined) return undefined;
  const name = asText(error["name"]) ?? "";
  if (name === "MessageAbortedError") return { kind: "interrupted", at };
  const says = (asText(asObject(error["data"])?.["message"]) ?? name).slice(0, 300);
  const about = `${name} ${says} ${asNumber(asObject(error["data"])?.["statusCode"])}`;
  return {
    kind: "turn-failed",
    at,
    says,
    failure: failureIn(about),
  };
}

function usageOf(info: Json, id: string, at: number): Usage | undefined {
  const tokens = asObject(info["tokens"]);
  const cache = asObject(tokens?.["cache"]);
  const output = asNumber(tokens?.["output"]) + asNumber(tokens?.["reasoning"]);
  if (tokens === undefined || (asNumber(tokens["input"]) === 0 && output === 0)) return undefined;
  return {
    id,
    model: `${asText(info["providerID"]) ?? "?"}/${asText(info["modelID"]) ?? "?"}`,
    input: asNumber(tokens["input"]),
    output,
    cacheRead: asNumber(cache?.["read"]),
    cacheWrite: asNumber(cache?.["write"]),
    costMicros: Math.round(asNumber(info["cost"]) * 1e6),
    atMs: at,
  };
}

function textOf(parts: unknown): string {
  if (!Array.isArray(parts)) return "";
  return parts
    .map(asObject)
    .filter((part) => part?.["type"] === "text")
    .map((part) => asText(part?.["text"]) ?? "")
    .join("\n");
}
