// `constel hook <runtime> [--guest]`: what an agent's program calls at every turn and tool call. Reads what it is told on stdin, prints
// what lies ready for its agent at this moment (speak.ts), appends one line to the agent's hook file, and is gone: no daemon, no
// waiting, exit code 0 whatever happens. Rules about permissions are judged from files too; only a question that no rule answers is
// waited with, for the owner's word (permission.ts). `--guest` is for sessions that people start themselves (guest.ts). Each import
// here is paid for at every call.

import { readFileSync, readSync, statSync } from "node:fs";
import { isAgentId } from "../../protocol/agent-id.ts";
import { hasProc, isAnothers, readOwnFile } from "../../files/descend.ts";
import { isOfAnotherFormat } from "../../files/home-format.ts";
import { hookMaker, isQuestion as isForUser } from "../../host/runtime/hook-record.ts";
import type { HookRecord } from "../../ports/runtime.ts";
import type { JudgeForHook } from "../../protocol/permission.ts";
import { type HearMoment, longestHearBytes } from "../../protocol/hear.ts";
import { variables } from "../../settings/env.ts";
import { leaveRecord } from "./leave-record.ts";
import { type HookCall, momentOf } from "./moment.ts";

/** A tool's whole output may be in it. What is longer is let go of: half of a JSON text says nothing. */
const longestPayload = 16 * 1024 * 1024;

export async function hook(words: readonly string[], judge: JudgeForHook): Promise<void> {
  const { CONSTEL_AGENT: agent = "", CONSTEL_HOME, CONSTEL_INSTALLED_HOOKS, HOME, CLAUDE_PID } = variables();
  const home = CONSTEL_HOME ?? (HOME === undefined ? "" : `${HOME}/.constel`);
  const [runtime = "", flag] = words;
  const isInstalled = flag === "--guest";
  const isGuest = isInstalled && agent === "";
  // An agent of ours has hooks of its own, whatever a person installed besides, unless its launch left it to those.
  const isDoubled = isInstalled && CONSTEL_INSTALLED_HOOKS !== "yes";
  const isMeant = isGuest || (!isDoubled && isAgentId(agent));
  if (!isMeant || !home.startsWith("/") || isAnothers(home) || isOfAnotherFormat(home)) return;
  if (runtime === "wait") {
    const { waitForPush } = await import("./wait.ts");
    return waitForPush(home, agent);
  }
  if (runtime === "ask-remote") return (await import("./remote/ask-remote.ts")).askRemote(home, agent, flag ?? "");
  if (runtime === "hold") return (await import("./hold.ts")).hold(home, agent, judge);
  try {
    await attend(home, runtime, isGuest ? { ownPid: CLAUDE_PID } : agent, judge);
  } catch {
    // A hook never breaks its agent, and there is nobody to tell.
  }
}

async function attend(
  home: string,
  runtime: string,
  who: string | { ownPid: string | undefined },
  judge: JudgeForHook,
): Promise<void> {
  const make = hookMaker(runtime);
  const text = make === undefined ? undefined : readPayload();
  if (make === undefined || text === undefined) return;
  const payload: unknown = JSON.parse(text);
  const record = make(payload, Date.now());
  if (record === undefined) return;
  const agent = typeof who === "string" ? who : await (await import("./guest.ts")).register(home, runtime, record, who);
  if (agent === undefined) return;
  // A person's own session is asked by its own program.
  if (typeof who === "string" && (await isAnswered(home, agent, { runtime, record, payload }, judge))) return;
  if (record.event === "compacting" && typeof who === "string") await beforeCompaction(home, agent, runtime, record);
  const spoken = await sayWhatIsDue(home, agent, { runtime, record, payload });
  await leaveRecord(home, agent, spoken);
}

/** Answers a call about a permission. True if all is said: one call of a hook has one answer. */
async function isAnswered(
  home: string,
  agent: string,
  { runtime, record, payload }: HookCall,
  judge: JudgeForHook,
): Promise<boolean> {
  const { event } = record;
  // A question to the user is answered in words, by the user: no rule and no yes or no can do it.
  if (isForUser(record)) return false;
  const asksFirst = event === "tool-began" && variables().CONSTEL_ASKS_FIRST === "yes";
  if (event !== "permission-asked" && !(event === "tool-began" && (asksFirst || hasRules(home)))) return false;
  const isQuestion = event === "permission-asked";
  const leave = (what: HookRecord["event"], more: Partial<HookRecord> = {}): Promise<void> =>
    leaveRecord(home, agent, { ...record, event: what, at: Date.now(), ...more });
  // It may wait for a person for hours: that it was asked is known at once.
  if (isQuestion) await leaveRecord(home, agent, record);
  let isSaid = false;
  let hasWaited = false;
  const waits = async (): Promise<void> => {
    hasWaited = true;
    if (!isQuestion) await leave("permission-asked", { isHeld: true });
  };
  const print = (text: string): void => {
    isSaid = true;
    process.stdout.write(text);
  };
  const { answerPermission } = await import("./permission.ts");
  const reason = await answerPermission({ home, agent, runtime, event, asksFirst, payload, waits, print, judge });
  if ((isQuestion || hasWaited) && reason !== undefined) await leave("permission-answered", { reason });
  if (isQuestion) return true;
  if (isSaid) await leaveRecord(home, agent, record);
  return isSaid;
}

/** Tells whether the owner wrote rules that forbid or want to be asked: then they hold before a tool is used, too. */
function hasRules(home: string): boolean {
  // They are not shown to a confined agent, but lie in a file of its own.
  if (variables().CONSTEL_CONFINED !== undefined) return true;
  const path = `${home}/config.toml`;
  // An exception would cost ten times as much; and what is no plain file may keep whoever reads it waiting for ever.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  try {
    const text = readFileSync(path, "utf8");
    return text.includes("permissions") && /["'](?:deny|ask)["']/.test(text);
  } catch {
    return false;
  }
}

/** At most moments nothing may be said and not even the file is read; at most others nothing in it is for this moment. */
async function sayWhatIsDue(home: string, agent: string, call: HookCall): Promise<HookRecord> {
  const moment = momentOf(call);
  if (moment === undefined) return call.record;
  const hear = (await readHear(home, agent)) ?? "";
  const checkpoint = await checkpointFor(home, agent, call.record, moment);
  if (checkpoint === undefined && !hear.includes(moment === "start" ? '"' : `"${moment}"`)) return call.record;
  const more = checkpoint === undefined ? {} : { checkpoint };
  return (await import("./speak.ts")).speak({ ...call, home, agent, moment, hear, ...more });
}

/** Claude Code adds what is printed here to what it asks of the summary. */
const forSummary =
  "Keep in the summary: the task, its workspace and branch; what was decided and why; what was tried and failed; what is still open, and for whom you wait.";

async function beforeCompaction(home: string, agent: string, runtime: string, record: HookRecord): Promise<void> {
  await (await import("./checkpoint.ts")).keepCheckpoint(home, agent, record);
  if (runtime === "claude") process.stdout.write(`${forSummary}\n`);
}

/** Nearly always there is none, which one look at the file's place tells. */
async function checkpointFor(
  home: string,
  agent: string,
  record: HookRecord,
  moment: HearMoment,
): Promise<string | undefined> {
  if (moment !== "start" && moment !== "prompt") return undefined;
  const path = `${home}/state/runtime/${agent}/checkpoint.json`;
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return (await import("./checkpoint.ts")).takeCheckpoint(home, agent, record, moment);
}

async function readHear(home: string, agent: string): Promise<string | undefined> {
  if (hasProc) return readOwnFile(home, ["state", "hear", agent], "next.json", longestHearBytes);
  const { readTrusted } = await import("../../files/trusted-files.ts");
  return readTrusted(home, `state/hear/${agent}/next.json`)?.toString("utf8");
}

/** Enough for nearly all, and small enough that the engine does not think of collecting garbage for it. */
const firstBytes = 16 * 1024;

/** Everything on stdin; undefined when it is too long. */
function readPayload(): string | undefined {
  let bytes = Buffer.allocUnsafe(firstBytes);
  let filled = 0;
  for (;;) {
    const got = readChunk(bytes.subarray(filled));
    if (got === 0) return bytes.toString("utf8", 0, filled);
    filled += got;
    if (filled > longestPayload) return undefined;
    if (filled === bytes.length) bytes = Buffer.concat([bytes], filled * 4);
  }
}

function readChunk(into: Buffer): number {
  for (;;) {
    try {
      return readSync(0, into);
    } catch (cause) {
      // The other end made the pipe non-blocking and is slow: wait for it without spinning.
      if ((cause as { code?: unknown }).code !== "EAGAIN") throw cause;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
