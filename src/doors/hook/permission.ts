// Answers an agent program that asks for permission. The rules answer at once, from files (`judge`): no daemon is asked, so one that
// is stopped or gone keeps nobody waiting and lets nothing through. Only what no rule answers is for the owner and waits: the
// daemon shows it to them, and while none answers, the question is put again every few seconds until one does or the time is
// over; then it is denied. The wait ends with the program that asks. Before a tool is used, only what a rule forbids or wants to
// be asked is said; the rest is left to the program's own way. A program that never asks by itself, and is kept by no sandbox of its own, has
// that moment for its question (`asksFirst`).
//
// `app/judge-for-hook.ts` judges from files: the rules (`core/permissions/`), the shell's grammar (`languages/shell/`) and the
// workspaces of the task in hand, which the daemon laid there (`daemon/notices/lay-places.ts`). The daemon
// (`daemon/door/ask-permission.ts`) and `constel approvals check` judge in the same way by the database (`app/judge-permission.ts`).
// What no rule answers is a row (`core/approvals/approve.ts`).

import { join } from "node:path";
import type { Caller } from "../../client/caller.ts";
import { socketCaller } from "../../client/socket.ts";
import { daemonProof } from "../../host/keys/daemon-proof.ts";
import { childEnvironment } from "../../host/process/child-environment.ts";
import { systemProcesses } from "../../host/process/run.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { JudgeForHook } from "../../protocol/permission.ts";
import { readEnv } from "../../settings/env.ts";
import { inHome } from "../../settings/paths.ts";
import { answerFor } from "./answers.ts";

export interface Asking {
  readonly home: string;
  readonly agent: string;
  readonly runtime: string;
  readonly event: "permission-asked" | "tool-began";
  /** Before a tool is used the whole question is put. */
  readonly asksFirst: boolean;
  readonly payload: unknown;
  /** Told once, when it is for the owner. */
  readonly waits: () => Promise<void>;
  /** Prints the answer. */
  readonly print: (text: string) => void;
  /** Says what the rules decide. */
  readonly judge: JudgeForHook;
}

/** Says how it was answered, for the agent's record. Undefined when nothing was said. */
export async function answerPermission(asking: Asking): Promise<"allowed" | "denied" | undefined> {
  const request = requestOf(asking);
  if (request === undefined) return undefined;
  const parent = process.ppid;
  // Nobody is there to be told any more.
  const watch = setInterval(() => process.ppid !== parent && process.exit(0), 1_000);
  try {
    const isBefore = asking.event === "tool-began" && !asking.asksFirst;
    return isBefore ? await beforeUse(asking, request) : await decide(asking, request);
  } finally {
    clearInterval(watch);
  }
}

interface Request {
  readonly request: string;
  readonly runtime: string;
  readonly tool: string;
  readonly input: unknown;
  readonly cwd: string;
}

interface Judged {
  readonly decision: "allow" | "ask" | "deny";
  readonly rule: string;
  readonly part: string;
  readonly why: string;
  readonly mayBe?: "ask" | "deny";
}

function requestOf({ payload, runtime }: Asking): Request | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const { tool_name: tool, tool_input: input, cwd } = payload as Readonly<Record<string, unknown>>;
  if (typeof tool !== "string" || tool === "" || tool.length > 200) return undefined;
  const where = typeof cwd === "string" ? cwd : "";
  return { request: crypto.randomUUID(), runtime, tool, input: input ?? null, cwd: where };
}

/** Programs differ in what they ask for by themselves; a rule that forbids holds for all of them. */
async function beforeUse(asking: Asking, request: Request): Promise<"denied" | undefined> {
  const judged = await judgeHere(asking, request);
  if (judged?.decision === "deny") {
    asking.print(JSON.stringify(answerFor(asking.runtime, "edit", deniedBy(judged))));
    return "denied";
  }
  if (judged?.decision !== "ask" || judged.rule === "no rule allows it") return undefined;
  if (asking.runtime === "claude") asking.print(askAnswer(judged.why));
  // The others know no such answer; what they do not ask for by themselves goes on, unless a forbidden command may be hidden in it.
  else if (judged.mayBe === "deny") {
    asking.print(JSON.stringify(answerFor(asking.runtime, "edit", mayBeForbidden(judged))));
    return "denied";
  }
  return undefined;
}

async function decide(asking: Asking, request: Request): Promise<"allowed" | "denied"> {
  const here = await judgeHere(asking, request);
  if (here !== undefined && here.decision !== "ask") return say(asking, here.decision === "allow", deniedBy(here));
  await asking.waits();
  const { caller, timeoutMs } = await reach(asking);
  let dueMs = Date.now() + timeoutMs;
  let id: string | undefined;
  let isChecked = false;
  while (Date.now() < dueMs) {
    // One that is stopped, and goes on when the time is over, is not waited for any longer than the owner would be.
    const signal = AbortSignal.timeout(Math.max(1, Math.min(longestCallMs, dueMs - Date.now())));
    try {
      if (id === undefined) {
        const judged = await caller.call("permission.ask", request, { signal });
        if (judged.id === null) return say(asking, judged.decision === "allow", deniedBy(judged));
        id = judged.id;
        dueMs = judged.due_ms ?? dueMs;
      }
      const { state, note } = await caller.call("approval.wait", { id, for_ms: waitMs }, { signal });
      if (state === "timed_out") break;
      if (state !== "waiting") return say(asking, state === "allowed", byOwner(note));
    } catch (cause) {
      // A database that was put back to an older state knows nothing of it: it is asked anew.
      if (cause instanceof Refusal && cause.code === "approval.unknown") id = undefined;
      if (!isChecked && id === undefined) {
        isChecked = true;
        const judged = await judgeByDatabase(asking, request);
        if (judged !== undefined && judged.decision !== "ask")
          return say(asking, judged.decision === "allow", deniedBy(judged));
      }
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
  return say(
    asking,
    false,
    "Nobody answered in time, so constel denied it. Go on without it, or report what is missing.",
  );
}

const againMs = 2_000;
/** The time that the daemon holds back a question that nobody has answered. */
const waitMs = 20_000;
/** Somewhat longer: a daemon that says nothing until then is stopped, and the next one is asked anew. */
const longestCallMs = 30_000;

/** The rules, from files alone. Undefined when they could not be read, or none could forbid what is about to be used. */
async function judgeHere(asking: Asking, request: Request): Promise<Judged | undefined> {
  const { home, agent, event, judge, asksFirst } = asking;
  const { tool, input, cwd } = request;
  const confined = readEnv().CONSTEL_CONFINED !== undefined;
  const onlyForbidding = event === "tool-began" && !asksFirst;
  try {
    return await judge({ home, asked: { agent, tool, input, cwd }, confined, onlyForbidding });
  } catch {
    return undefined;
  }
}

/** With no daemon, the database may know of a workspace that was given since the agent's file was written. */
async function judgeByDatabase({ home, agent }: Asking, request: Request): Promise<Judged | undefined> {
  try {
    const command = [join(home, inHome.programs, "constel"), "approvals", "check", "--request", "--json"];
    const outcome = await systemProcesses.run(command, {
      cwd: "/",
      env: { ...childEnvironment(readEnv()), CONSTEL_AGENT: agent, CONSTEL_HOME: home },
      stdin: JSON.stringify(request),
      deadlineMs: 10_000,
    });
    const answer: unknown = JSON.parse(new TextDecoder().decode(outcome.stdout));
    return isJudged(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

function isJudged(value: unknown): value is Judged {
  if (typeof value !== "object" || value === null) return false;
  const { decision, why, part, rule } = value as Partial<Judged>;
  return (
    (decision === "allow" || decision === "ask" || decision === "deny") &&
    [why, part, rule].every((text) => typeof text === "string")
  );
}

async function reach({ home, agent }: Asking): Promise<{ caller: Caller; timeoutMs: number }> {
  const caller = socketCaller(join(home, inHome.socket), agent, { proof: daemonProof(home) });
  try {
    const { loadSettings } = await import("../../settings/settings.ts");
    const { config } = await loadSettings(readEnv(), "/", { home });
    return { caller, timeoutMs: config["approvals.timeout_s"] * 1_000 };
  } catch {
    return { caller, timeoutMs: 1_800_000 }; // config.toml cannot be read; the daemon goes by what it read before
  }
}

function say(asking: Asking, allow: boolean, message: string): "allowed" | "denied" {
  if (asking.event === "tool-began") {
    // Before a tool, silence lets it go on.
    if (!allow) asking.print(JSON.stringify(answerFor(asking.runtime, "edit", message)));
    return allow ? "allowed" : "denied";
  }
  const decision = allow ? { behavior: "allow" } : { behavior: "deny", message };
  asking.print(JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } }));
  return allow ? "allowed" : "denied";
}

function askAnswer(reason: string): string {
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "ask",
      permissionDecisionReason: reason,
    },
  });
}

const deniedBy = ({ rule, part }: Judged): string => `Denied by a rule of the owner's (${rule}): ${part}`;
const mayBeForbidden = ({ why, part }: Judged): string =>
  `Denied, because it may be what a rule of the owner's forbids (${why}): ${part}. Write the command out plainly.`;
const byOwner = (note: string | null): string => `The owner denied it${note === null ? "." : `: ${note}`}`;
