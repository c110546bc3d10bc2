// One turn of Claude Code without a terminal.

import type { HeadlessCommand, HeadlessOutcome, Turn, Usage } from "../../../ports/runtime.ts";
import { asNumber, asObject, asText, type Json, parseObject } from "../json-lines.ts";
import { isLimitText, isLoginText, limitFrom } from "../limits.ts";
import { claudeEnv, claudeUnset, permissionModes } from "./launch.ts";

export function claudeHeadless(turn: Turn): HeadlessCommand {
  const argv = [turn.program, "-p", "--output-format", "json", "--permission-mode", permissionModes[turn.permissions]];
  if (turn.resume !== undefined) argv.push("--resume", turn.resume);
  else if (turn.sessionId !== undefined) argv.push("--session-id", turn.sessionId);
  if (turn.promptFile !== undefined) argv.push("--append-system-prompt-file", turn.promptFile);
  if (turn.model !== undefined) argv.push("--model", turn.model);
  if (turn.mcp !== undefined) {
    argv.push("--allowedTools", ...Object.keys(turn.mcp).map((server) => `mcp__${server}`));
    argv.push("--mcp-config", JSON.stringify({ mcpServers: turn.mcp }));
  }
  return { argv, env: claudeEnv(turn), unset: claudeUnset, stdin: turn.prompt };
}

export function parseClaudeHeadless(
  stdout: string,
  stderr: string,
  code: number | null,
  nowMs: number,
): HeadlessOutcome {
  const result = stdout
    .split("\n")
    .map(parseObject)
    .findLast((line) => line?.["type"] === "result");
  if (result === undefined) {
    const error = (stderr.trim() || stdout.trim() || `ended with ${code ?? "a signal"} and no result`).slice(0, 1000);
    return { ok: false, text: "", sessionId: undefined, usage: [], error, denied: [], ...verdictOn(error, nowMs) };
  }
  const text = asText(result["result"]) ?? "";
  const failed = result["is_error"] === true || code !== 0;
  return {
    ok: !failed,
    text: failed ? "" : text,
    sessionId: asText(result["session_id"]),
    usage: usageOfResult(result, nowMs),
    denied: deniedTools(result["permission_denials"]),
    ...(failed ? { error: text || `ended with ${code ?? "a signal"}` } : {}),
    ...(failed ? verdictOn(`${text} ${asText(result["api_error_type"]) ?? ""}`, nowMs) : {}),
  };
}

function verdictOn(error: string, nowMs: number): Pick<HeadlessOutcome, "limit" | "loggedOut"> {
  if (isLimitText(error)) return { limit: limitFrom(error, nowMs) };
  return isLoginText(error) ? { loggedOut: true } : {};
}

/**
 * `usage` is of this invocation; `modelUsage` and `total_cost_usd` are totals of the whole session once it was resumed or
 * forked, so the cost is only taken when the two agree.
 */
export function usageOfResult(result: Json, nowMs: number): Usage[] {
  const usage = asObject(result["usage"]);
  const models = Object.entries(asObject(result["modelUsage"]) ?? {});
  if (usage === undefined || models.length === 0) return [];
  const [model, totals] = models[0] ?? ["unknown", undefined];
  const one: Usage = {
    id: `turn:${asText(result["uuid"]) ?? `${asText(result["session_id"]) ?? "?"}:${nowMs}`}`,
    model,
    input: asNumber(usage["input_tokens"]),
    output: asNumber(usage["output_tokens"]),
    cacheRead: asNumber(usage["cache_read_input_tokens"]),
    cacheWrite: asNumber(usage["cache_creation_input_tokens"]),
    atMs: nowMs,
  };
  const whole = asObject(totals);
  const sameScope =
    models.length === 1 &&
    asNumber(whole?.["inputTokens"]) === one.input &&
    asNumber(whole?.["outputTokens"]) === one.output &&
    asText(whole?.["costBasis"]) !== "unknown";
  return [sameScope ? { ...one, costMicros: Math.round(asNumber(result["total_cost_usd"]) * 1e6) } : one];
}

function deniedTools(denials: unknown): string[] {
  if (!Array.isArray(denials)) return [];
  return denials.map((denial) => asText(asObject(denial)?.["tool_name"]) ?? "a tool");
}
