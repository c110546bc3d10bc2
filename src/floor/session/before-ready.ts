// The steps of `session up` up to the readiness line: identity, time, runtime, fresh install, notes, readiness. They touch
// a few small files and wait for nothing longer than a fraction of a second: the watchdog is waiting.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../protocol/counted.ts";
import { messageOf } from "../../protocol/errors.ts";
import { listTrusted, readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { inHome } from "../../settings/paths.ts";
import { DeadlinePassed, withDeadline } from "../deadline.ts";
import { launchedRuntime } from "../markers/launched-runtime.ts";
import { anyNotes, latestNotes } from "../notes.ts";
import { onboard } from "../onboard.ts";
import { tryAppendRecord } from "../records.ts";
import { countSession, sessionsSoFar } from "./session-count.ts";
import { type SessionContext, type StepResult, utcSeconds } from "./step.ts";
import { hasMarker, putMarker } from "../markers/marker-files.ts";
import { markers } from "../markers/markers.ts";

/** The time that readiness may wait for the runtime's answer, and the time that the answer may take altogether. */
const runtimePatienceMs = 400;
const runtimeDeadlineMs = 10_000;
const shownOfNotes = 16 * 1024;

export function identityStep({ identity, constellation }: SessionContext): StepResult {
  const line = `${identity.agent} (${identity.role}) of ${constellation}`;
  return { step: "identity", status: "ok", line, data: { ...identity, constellation } };
}

export function timeStep({ clock }: SessionContext): StepResult {
  const nowMs = clock.nowMs();
  return { step: "time", status: "ok", line: utcSeconds(nowMs), data: { at_ms: nowMs } };
}

/** A slow runtime is answered from memory, and what it says later is remembered for the next time. */
export async function runtimeStep(context: SessionContext): Promise<StepResult> {
  const { home, clock, runtimeVersion, identity } = context;
  const runtime = launchedRuntime(home, identity.agent);
  const file = `state/runtime-version-${runtime ?? "default"}`;
  const remembered = readTrusted(home, file)?.toString("utf8").trim();
  const data = { runtime, remembered };
  if (runtimeVersion === undefined) {
    return { step: "runtime", status: "skipped", line: "no runtime to ask", data };
  }
  const asked = withDeadline(clock, runtimeDeadlineMs, runtimeVersion).then((answer) => {
    const version = answer.trim().split("\n")[0]?.slice(0, 200) ?? "";
    if (version !== remembered) writeTrusted(home, file, `${version}\n`);
    return version;
  });
  try {
    const version = await withDeadline(clock, runtimePatienceMs, () => asked);
    const was = remembered === undefined || remembered === version ? "" : ` (was ${remembered})`;
    return { step: "runtime", status: "ok", line: `${version}${was}`, data: { ...data, version } };
  } catch (cause) {
    context.later.push(asked.catch(() => undefined));
    const known = remembered === undefined ? "no version known yet" : `last known ${remembered}`;
    if (cause instanceof DeadlinePassed) {
      return { step: "runtime", status: "skipped", line: `still asking the runtime; ${known}`, data };
    }
    return { step: "runtime", status: "failed", line: `${messageOf(cause)}; ${known}`, data };
  }
}

export function freshInstallStep(context: SessionContext): StepResult {
  const { home, root, clock, identity } = context;
  const step = "fresh-install";
  if (identity.role !== "root") return { step, status: "skipped", line: "root only", data: {} };
  if (hasMarker(home, markers.onboarded) || isUsed(home) || anyNotes(root))
    return { step, status: "ok", line: "not a fresh install", data: {} };
  const { lines } = onboard({ home, root, clock });
  const line = `a fresh install, now set up (${counted(lines.length, "thing")} made): greet the owner and ask what to begin with`;
  return { step, status: "ok", line, data: { onboarded: lines }, next: "stop" };
}

/** Somebody has worked with this home, whoever set it up: there is a database, or an agent was launched. */
const isUsed = (home: string): boolean =>
  existsSync(join(home, inHome.database)) || listTrusted(home, inHome.agents).length > 0;

export function notesStep({ root, clock, identity }: SessionContext): StepResult {
  const notes = latestNotes(root, identity.agent, clock.nowMs());
  if (notes === undefined) return { step: "notes", status: "skipped", line: "no notes yet", data: {} };
  const text = notes.text.slice(-shownOfNotes);
  const line = `${notes.path} (${notes.from === "root" ? "the root's" : notes.from})`;
  return { step: "notes", status: "ok", line, data: { path: notes.path, from: notes.from, text } };
}

/** The line is printed whatever happens: an agent whose home is full or read-only has started all the same. */
export function readinessStep(context: SessionContext): StepResult {
  const { home, identity, clock } = context;
  const at = utcSeconds(clock.nowMs());
  const ready = (session: number): string => `${identity.agent} session ${session} starting at ${at}`;
  let session: number;
  try {
    session = countSession(home, identity.agent, context);
  } catch (cause) {
    const guess = countedSoFar(context) + 1;
    const line = `${ready(guess)} (not recorded: ${messageOf(cause)})`;
    return { step: "readiness", status: "failed", line, data: { session: guess, recorded: false } };
  }
  if (identity.role === "watchdog") putMarker(home, markers.watchdogReady, at);
  tryAppendRecord(context, "sessions", { event: "started", agent: identity.agent, role: identity.role, session });
  return { step: "readiness", status: "ok", line: ready(session), data: { session, recorded: true } };
}

function countedSoFar({ home, identity }: SessionContext): number {
  try {
    return sessionsSoFar(home, identity.agent);
  } catch {
    return 0;
  }
}
