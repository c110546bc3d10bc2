// One turn of opencode without a terminal.

import type { HeadlessCommand, HeadlessOutcome, Turn, Usage } from "../../../ports/runtime.ts";
import { asNumber, asObject, asText, type Json, parseObject } from "../json-lines.ts";
import { failedTurn } from "../failed-turn.ts";
import { configFor } from "./launch.ts";

export function opencodeHeadless(turn: Turn): HeadlessCommand {
  // It tries again and again by itself and says so only in its log; a caller that ends it must learn why it waited.
  const argv = [turn.program, "run", "--format", "json", "--print-logs", "--log-level", "ERROR"];
  if (turn.model !== undefined) argv.push("--model", turn.model);
  if (turn.resume !== undefined) argv.push("--session", turn.resume);
  const env = { OPENCODE_CONFIG_CONTENT: configFor(turn.permissions, turn.promptFile, turn.mcp) };
  return { argv, env, unset: ["OPENCODE", "OPENCODE_PID"], stdin: turn.prompt };
}

export function parseOpencodeHeadless(
  stdout: string,
  stderr: string,
  code: number | null,
  nowMs: number,
): HeadlessOutcome {
  const usage: Usage[] = [];
  let sessionId: string | undefined;
  let text = "";
  let error: string | undefined;
  for (const event of stdout.split("\n").map(parseObject)) {
    if (event === undefined) continue;
    sessionId = asText(event["sessionID"]) ?? sessionId;
    const part = asObject(event["part"]);
    if (event["type"] === "text") text = asText(part?.["text"]) ?? text;
    if (event["type"] === "step_finish" && part !== undefined) usage.push(usageOf(part, nowMs));
    if (event["type"] === "error") error = errorText(event["error"]);
  }
  if (code === 0 && error === undefined && sessionId !== undefined)
    return { ok: true, text, sessionId, usage, denied: [] };
  const logged = [...stderr.matchAll(/error\.error="((?:[^"\\]|\\.)*)"/g)].at(-1)?.[1];
  const said = (error ?? logged ?? (stderr.trim() || `ended with ${code ?? "a signal"}`)).slice(0, 1000);
  return failedTurn(said, { sessionId, usage, nowMs });
}

function errorText(error: unknown): string {
  const given = asObject(error);
  return asText(asObject(given?.["data"])?.["message"]) ?? asText(given?.["name"]) ?? "the turn failed";
}

/** Its events do not name the model; the id is the message's, so that rows read later from the session fall together. */
function usageOf(part: Json, nowMs: number): Usage {
  const tokens = asObject(part["tokens"]);
  const cache = asObject(tokens?.["cache"]);
  return {
    id: asText(part["messageID"]) ?? `step:${nowMs}`,
    model: "opencode",
    input: asNumber(tokens?.["input"]),
    output: asNumber(tokens?.["output"]) + asNumber(tokens?.["reasoning"]),
    cacheRead: asNumber(cache?.["read"]),
    cacheWrite: asNumber(cache?.["write"]),
    costMicros: Math.round(asNumber(part["cost"]) * 1e6),
    atMs: nowMs,
  };
}
