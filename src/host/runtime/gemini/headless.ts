// One turn of Gemini CLI without a terminal.

import type { HeadlessCommand, HeadlessOutcome, Permissions, Turn, Usage } from "../../../ports/runtime.ts";
import { asNumber, asObject, asText, type Json, parseObject } from "../json-lines.ts";
import { failedTurn } from "../failed-turn.ts";

export const approvalModes: Readonly<Record<Permissions, string>> = { ask: "default", edits: "auto_edit", all: "yolo" };

export function geminiHeadless(turn: Turn): HeadlessCommand {
  const argv = [turn.program, "--approval-mode", approvalModes[turn.permissions], "--output-format", "json"];
  if (turn.model !== undefined) argv.push("--model", turn.model);
  if (turn.resume !== undefined) argv.push("--resume", turn.resume);
  else if (turn.sessionId !== undefined) argv.push("--session-id", turn.sessionId);
  // The prompt comes on stdin; the flag only says that there is nobody at the terminal.
  argv.push("--prompt", turn.promptFile === undefined ? "" : `Follow ${turn.promptFile}.`);
  const env: Record<string, string> = turn.trusted ? { GEMINI_CLI_TRUST_WORKSPACE: "true" } : {};
  return { argv, env, unset: ["GEMINI_CLI", "GEMINI_CLI_NO_RELAUNCH"], stdin: turn.prompt };
}

export function parseGeminiHeadless(
  stdout: string,
  stderr: string,
  code: number | null,
  nowMs: number,
): HeadlessOutcome {
  const result = parseObject(stdout.slice(Math.max(0, stdout.indexOf("{")))) ?? lastObject(stderr);
  const error = asText(asObject(result?.["error"])?.["message"]);
  const sessionId = asText(result?.["session_id"]);
  const usage = result === undefined ? [] : usageOf(result, sessionId ?? "?", nowMs);
  if (code === 0 && result !== undefined && error === undefined) {
    return { ok: true, text: asText(result["response"]) ?? "", sessionId, usage, denied: [] };
  }
  const said = (error ?? (stderr.trim() || `ended with ${code ?? "a signal"}`)).slice(-2000);
  return failedTurn(said, { sessionId, usage, nowMs });
}

/** Errors are written to stderr, after talk. */
function lastObject(text: string): Json | undefined {
  const at = text.lastIndexOf("\n{");
  return parseObject(text.slice(text.startsWith("{") ? 0 : at + 1));
}

/** `prompt` includes the cache, `input` does not. One row a model: the program sums a turn. */
function usageOf(result: Json, sessionId: string, nowMs: number): Usage[] {
  return Object.entries(asObject(asObject(result["stats"])?.["models"]) ?? {}).flatMap(([model, stats]) => {
    const tokens = asObject(asObject(stats)?.["tokens"]);
    if (tokens === undefined || asNumber(tokens["total"]) === 0) return [];
    return [
      {
        id: `turn:${sessionId}:${nowMs}:${model}`,
        model,
        input: asNumber(tokens["input"]),
        output: asNumber(tokens["candidates"]) + asNumber(tokens["thoughts"]),
        cacheRead: asNumber(tokens["cached"]),
        cacheWrite: 0,
        atMs: nowMs,
      },
    ];
  });
}
