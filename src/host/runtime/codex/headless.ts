// One turn of Codex without a terminal.

import type { HeadlessCommand, HeadlessOutcome, Permissions, Turn } from "../../../ports/runtime.ts";
import { asObject, asText, parseObject } from "../json-lines.ts";
import { failedTurn } from "../failed-turn.ts";
import { mcpOverrides, readPrompt, toml, trusting } from "./launch.ts";

/** There is nobody to ask: what is not allowed is refused. */
const permissionFlags: Readonly<Record<Permissions, readonly string[]>> = {
  ask: ["--sandbox", "read-only"],
  edits: ["--sandbox", "workspace-write"],
  all: ["--dangerously-bypass-approvals-and-sandbox"],
};

export function codexHeadless(turn: Turn): HeadlessCommand {
  const argv = [turn.program, "exec", "--json", "--skip-git-repo-check", ...permissionFlags[turn.permissions]];
  if (turn.model !== undefined) argv.push("--model", turn.model);
  const overrides = [...mcpOverrides(turn.mcp ?? {}), ...(turn.trusted ? [trusting([turn.cwd])] : [])];
  if (turn.promptFile !== undefined) overrides.push(`developer_instructions=${toml(readPrompt(turn.promptFile))}`);
  for (const override of overrides) argv.push("-c", override);
  if (turn.resume !== undefined) argv.push("resume", turn.resume);
  argv.push("-");
  return { argv, env: {}, unset: ["CODEX_THREAD_ID", "CODEX_SANDBOX"], stdin: turn.prompt };
}

/** Its `turn.completed` counts the whole thread, forks and resumes included, so no tokens are taken from here. */
export function parseCodexHeadless(
  stdout: string,
  stderr: string,
  code: number | null,
  nowMs: number,
): HeadlessOutcome {
  let sessionId: string | undefined;
  let text = "";
  let error: string | undefined;
  let completed = false;
  for (const event of stdout.split("\n").map(parseObject)) {
    if (event === undefined) continue;
    const item = asObject(event["item"]);
    if (event["type"] === "thread.started") sessionId = asText(event["thread_id"]);
    if (event["type"] === "item.completed" && item?.["type"] === "agent_message") text = asText(item["text"]) ?? "";
    if (event["type"] === "turn.completed") completed = true;
    if (event["type"] === "turn.failed") error = asText(asObject(event["error"])?.["message"]) ?? "the turn failed";
  }
  if (completed && code === 0 && error === undefined) return { ok: true, text, sessionId, usage: [], denied: [] };
  const said = (error ?? (lastLine(stderr) || `ended with ${code ?? "a signal"}`)).slice(0, 1000);
  return failedTurn(said, { sessionId, usage: [], nowMs });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
