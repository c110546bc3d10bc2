// Asks how main's newest CI run stands: one command, one answer. A configured command says it by its exit code; the default asks GitHub
// through `gh` and is skipped, with the reason, where that cannot be asked.

import { createHash } from "node:crypto";
import { Outage } from "../../protocol/errors.ts";
import type { Processes, RunOutcome } from "../../ports/machine.ts";

export type MainCi =
  | { readonly state: "green" | "running"; readonly detail: string }
  | { readonly state: "red"; readonly sha: string; readonly detail: string }
  | { readonly state: "unknown"; readonly reason: string };

const deadlineMs = 8000;
const ghCommand = ["gh", "run", "list", "--branch", "main", "--limit", "1", "--json", "status,conclusion,headSha,url"];

export async function askMainCi(where: {
  processes: Processes;
  root: string;
  env: Readonly<Record<string, string>>;
  command: readonly string[] | undefined;
}): Promise<MainCi> {
  const command = where.command ?? ghCommand;
  const program = command[0] ?? "";
  let outcome: RunOutcome;
  try {
    outcome = await where.processes.run(command, {
      cwd: where.root,
      env: where.env,
      deadlineMs,
      maxOutputBytes: 256 * 1024,
    });
  } catch (cause) {
    if (cause instanceof Outage) return { state: "unknown", reason: `${program} cannot be run here` };
    throw cause;
  }
  if (outcome.timedOut) return { state: "unknown", reason: `${program} did not answer within ${deadlineMs / 1000} s` };
  const text = new TextDecoder().decode(outcome.stdout).trim();
  return where.command === undefined ? fromGh(outcome, text) : fromExitCode(outcome, text);
}

function fromExitCode(outcome: RunOutcome, text: string): MainCi {
  const detail = text.split("\n")[0]?.slice(0, 200) ?? "";
  if (outcome.code === 0) return { state: "green", detail };
  if (outcome.code === 2) return { state: "running", detail };
  if (outcome.code !== 1) {
    return {
      state: "unknown",
      reason: `the command ended with ${outcome.code ?? outcome.signal} (0 is green, 1 is red, 2 is pending)`,
    };
  }
  return { state: "red", sha: /\b[0-9a-f]{40}\b|\b[0-9a-f]{7,39}\b/.exec(text)?.[0] ?? stableName(text), detail };
}

/** With no commit in the output, the same words mean the same red. */
const stableName = (text: string): string => `text${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;

function fromGh(outcome: RunOutcome, text: string): MainCi {
  if (outcome.code !== 0) {
    return { state: "unknown", reason: `gh: ${outcome.stderr.trim().split("\n")[0]?.slice(0, 200) ?? "failed"}` };
  }
  const run = firstRun(text);
  if (run === undefined) return { state: "unknown", reason: "gh knows no run on main" };
  const sha = typeof run["headSha"] === "string" ? run["headSha"] : stableName(text);
  const url = typeof run["url"] === "string" ? run["url"] : "";
  const detail = `${sha.slice(0, 12)} ${url}`.trim();
  if (run["status"] !== "completed") return { state: "running", detail };
  const passed = ["success", "neutral", "skipped"].includes(String(run["conclusion"]));
  return passed ? { state: "green", detail } : { state: "red", sha, detail };
}

function firstRun(text: string): Readonly<Record<string, unknown>> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const first: unknown = Array.isArray(value) ? value[0] : undefined;
  return typeof first === "object" && first !== null ? (first as Record<string, unknown>) : undefined;
}
