// Runs a repository's gate on a commit in a scratch worktree of the ground, at low priority, with a deadline; whatever it
// started ends with it. The command is what the root directory's constel.toml says, else the target's own:
//
//   [gate]
//   command = "npm ci && npm test"
//   deadline_seconds = 600

import { lstatSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { Refusal } from "../../protocol/errors.ts";
import type { GateVerdict } from "../../ports/harvest.ts";
import { GitFailure } from "../git/git.ts";
import { childEnvironment } from "../process/child-environment.ts";
import type { GroundParts } from "./landing-parts.ts";

const tailBytes = 8_000;
const defaultDeadlineSeconds = 600;

// The gate leads its own group; what it left running is ended, else its output would never end either.
const script = `exec 2>&1; trap '' TERM; ( trap - TERM; eval "$1" ); code=$?; kill -TERM -$$ 2>/dev/null; exit $code`;

export async function runGate(
  parts: GroundParts,
  wish: { commit: string; base: string; signal: AbortSignal },
): Promise<GateVerdict> {
  const gate = await gateOf(parts, wish.base);
  if (gate === undefined) return { outcome: "none", tail: "", durationMs: 0 };
  const started = performance.now();
  await checkOut(parts, wish.commit);
  try {
    const outcome = await parts.git.processes.run(["nice", "-n", "10", "sh", "-c", script, "sh", gate.command], {
      cwd: parts.scratch,
      env: childEnvironment(parts.git.environment, { CI: "1", CONSTEL_GATE: wish.commit }),
      deadlineMs: gate.deadlineSeconds * 1000,
      signal: wish.signal,
    });
    const durationMs = Math.round(performance.now() - started);
    const printed = new TextDecoder().decode(outcome.stdout.slice(-tailBytes)).trim();
    if (wish.signal.aborted) return { outcome: "not-run", tail: "it was stopped", durationMs };
    if (outcome.timedOut) {
      const tail = `${printed}\n(ended after ${gate.deadlineSeconds} s, the deadline)`.trim();
      return { outcome: "red", tail, durationMs };
    }
    if (outcome.truncated) return { outcome: "red", tail: `${printed}\n(it printed without end)`, durationMs };
    return { outcome: outcome.code === 0 ? "green" : "red", tail: printed, durationMs };
  } finally {
    await discard(parts);
  }
}

async function checkOut(parts: GroundParts, commit: string): Promise<void> {
  await discard(parts);
  const args = ["worktree", "add", "-q", "--force", "--detach", parts.scratch, commit];
  const outcome = await parts.git.talk({ args, variables: { GIT_DIR: parts.directory }, deadlineMs: 600_000 });
  if (outcome.code !== 0) throw new GitFailure(["worktree", "add"], outcome);
}

async function discard(parts: GroundParts): Promise<void> {
  rmSync(parts.scratch, { recursive: true, force: true });
  rmSync(join(parts.directory, "worktrees"), { recursive: true, force: true });
}

interface Gate {
  readonly command: string;
  readonly deadlineSeconds: number;
}

async function gateOf(parts: GroundParts, base: string): Promise<Gate | undefined> {
  const path = join(parts.wish.root, "constel.toml");
  const own = lstatSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path, "utf8") : "";
  const rootGate = readGate(own, path);
  if (rootGate !== undefined) return rootGate;
  const outcome = await parts.git.try({
    args: ["cat-file", "blob", `${base}:constel.toml`],
    variables: { GIT_DIR: parts.directory },
  });
  const text = outcome.code === 0 ? Buffer.from(outcome.stdout).toString("utf8") : "";
  return readGate(text, `constel.toml of ${parts.wish.target}`);
}

/** A gate that cannot be read must not pass for no gate. */
function readGate(text: string, where: string): Gate | undefined {
  let table: Record<string, unknown>;
  try {
    table = parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split("\n")[0] : "";
    throw new Refusal("config.malformed", `${where}: ${why}`, { where });
  }
  const gate = table["gate"];
  if (typeof gate !== "object" || gate === null) return undefined;
  const { command, deadline_seconds: seconds } = gate as Record<string, unknown>;
  if (typeof command !== "string" || command.trim() === "") return undefined;
  const isTime = typeof seconds === "number" && seconds > 0 && seconds <= 86_400;
  return { command, deadlineSeconds: isTime ? seconds : defaultDeadlineSeconds };
}
