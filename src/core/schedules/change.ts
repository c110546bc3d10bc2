// Making and changing schedules: the file is changed whole or not at all, and the row follows at once, so that a new entry begins at
// the moment it was made.

import { Refusal } from "../../protocol/errors.ts";
import { acceptCron, cronMark, forgetCron, notAccepted, readCrons } from "./accepted-crons.ts";
import { parseCron } from "./cron-fields.ts";
import { parseCronFile, withCronEntry, withoutCronEntry } from "./cron-file.ts";
import { fire } from "./fire.ts";
import { nextFiring } from "./firings.ts";
import { jitterOf } from "./jitter.ts";
import { type LoopFile, parseLoopFile, printLoopFile } from "./loop-file.ts";
import { newLoopState, rescheduleLoop } from "./loops.ts";
import { inHandByAgent } from "../tasks/queries.ts";
import { ownLoop, refuseTooSoon } from "./own-loops.ts";
import { cronRow, mirrorLoop } from "./round.ts";
import {
  type Action,
  type CronEntry,
  labelPattern,
  type Loop,
  type LoopWish,
  longestLoopMs,
  type Overlap,
  shortestLoopMs,
} from "./schedule.ts";
import type { ScheduleContext } from "./schedule-context.ts";
import { dropSchedule, putSchedule, type ScheduleKind } from "./schedules.sql.ts";
import { allowedVerb } from "./verbs.ts";
import { zoneNamed } from "./zone.ts";

export interface CronWish {
  readonly label: string;
  readonly schedule: string;
  readonly zone: string;
  readonly action: Action;
  readonly overlap: Overlap;
  readonly jitterMs: number;
}

export async function addCron(context: ScheduleContext, wish: CronWish): Promise<void> {
  const { machine, store, clock } = context;
  const entry: CronEntry = { ...wish, schedule: parseCron(wish.schedule).text, paused: false };
  refuseBadLabel(wish.label);
  refuseBadVerb(wish.action);
  const zone = zoneNamed(wish.zone);
  return await machine.files.exclusively(async () => {
    const { cronPath } = machine.files;
    const text = machine.files.readCron() ?? "";
    if (parseCronFile(text, cronPath).some(({ label }) => label === wish.label)) throw taken(wish.label);
    const after = withCronEntry(text, cronPath, entry);
    acceptCron(machine.files, entry);
    machine.files.writeCron(after);
    machine.step("schedules.cron-written");
    const nowMs = clock.nowMs();
    const first = nextFiring(parseCron(entry.schedule), zone, nowMs);
    const nextMs = first === undefined ? undefined : first + jitterOf(entry.label, entry.jitterMs);
    await store.write(async (tx) => {
      const row = cronRow(context, entry, { seenMs: tx.nowMs }, { nextMs, behindMs: 0 });
      await putSchedule(tx.db, { ...row, updated_ms: tx.nowMs });
      await note(context, tx, "schedule.added", "cron", wish.label);
    });
  });
}

/** `clone`: the one that asks for it, for itself. */
export async function addLoop(context: ScheduleContext, asked: LoopWish, clone?: string): Promise<void> {
  const { machine, store, clock } = context;
  refuseBadLabel(asked.id);
  refuseBadVerb(asked.action);
  if (asked.everyMs !== undefined && (asked.everyMs < shortestLoopMs || asked.everyMs > longestLoopMs))
    throw new Refusal("usage.bad-value", "a loop's interval lies between a minute and a week", { id: asked.id });
  return await machine.files.exclusively(async () => {
    const wish = clone === undefined ? asked : await ownWish(context, asked, clone);
    // A loop that has ended makes room: a cron may arm it anew every night.
    if (readLoop(context, wish.id) !== undefined && loopFile(context, wish.id).state.ended === undefined)
      throw taken(wish.id);
    const loop: Loop = { ...wish, createdMs: clock.nowMs(), paused: false };
    const file = { loop, state: newLoopState(loop) };
    const text = printLoopFile(file);
    parseLoopFile(text, machine.files.loopPath(wish.id)); // what cannot be read again is refused now
    machine.files.writeLoop(wish.id, text);
    await mirrorLoop(context, file);
    await store.write((tx) => note(context, tx, "schedule.added", "loop", wish.id));
  });
}

async function ownWish(context: ScheduleContext, wish: LoopWish, clone: string): Promise<LoopWish> {
  const { machine, clock } = context;
  const open = machine.files.listLoops().flatMap((id) => {
    try {
      const { loop, state } = loopFile(context, id);
      return state.ended === undefined ? [loop] : [];
    } catch {
      return []; // the next round names a file that cannot be read
    }
  });
  return ownLoop(clone, wish, { inHand: await inHandByAgent(context), open, nowMs: clock.nowMs() });
}

export interface Named {
  readonly kind: ScheduleKind;
  readonly label: string;
}

/** A clone removes only what it opened itself. */
export async function removeSchedule(context: ScheduleContext, { kind, label }: Named, clone?: string): Promise<void> {
  const { machine, store, constellation } = context;
  return await machine.files.exclusively(async () => {
    if (clone !== undefined) refuseUnlessOwn(context, { kind, label }, clone);
    if (kind === "cron") {
      const text = withoutCronEntry(machine.files.readCron() ?? "", machine.files.cronPath, label);
      if (text === undefined) throw unknown(kind, label);
      forgetCron(machine.files, label);
      machine.files.writeCron(text);
    } else {
      // Also one that cannot be read, or that somebody else wrote.
      if (!machine.files.listLoops().includes(label)) throw unknown(kind, label);
      machine.files.removeLoop(label);
    }
    await store.write(async (tx) => {
      await dropSchedule(tx, constellation, kind, label);
      await note(context, tx, "schedule.removed", kind, label);
    });
  });
}

function refuseUnlessOwn(context: ScheduleContext, { kind, label }: Named, clone: string): void {
  const loop = kind === "loop" ? loopFile(context, label).loop : undefined;
  if (loop?.own === undefined || loop.action.agent !== clone) throw notYours(kind, label, clone);
}

const notYours = (kind: ScheduleKind, label: string, clone: string): Refusal =>
  new Refusal("schedule.not-yours", `the ${kind} ${label} is not ${clone}'s`, { [kind]: label, agent: clone });

export interface SeenCron {
  readonly label: string;
  /** Over the line as the owner was shown it. */
  readonly mark: string;
}

/** The owner says that these lines of cron.toml are theirs. One that reads otherwise by now is refused, and none is accepted. */
export async function acceptCrons(context: ScheduleContext, seen: readonly SeenCron[]): Promise<void> {
  const { machine, store } = context;
  return await machine.files.exclusively(async () => {
    const { accepted, waiting } = readCrons(machine.files);
    const found = seen.map(({ label, mark }) => {
      const entry = [...waiting, ...accepted].find((one) => one.label === label);
      if (entry === undefined) throw unknown("cron", label);
      if (cronMark(entry) !== mark) throw changedSince(label);
      return entry;
    });
    for (const entry of found) acceptCron(machine.files, entry);
    await store.write(async (tx) => {
      for (const { label } of found) await note(context, tx, "schedule.accepted", "cron", label);
    });
  });
}

const changedSince = (label: string): Refusal =>
  new Refusal("schedule.changed", `the cron ${label} reads otherwise than when it was shown`, { label });

export async function pauseSchedule(
  context: ScheduleContext,
  { kind, label, paused }: Named & { readonly paused: boolean },
): Promise<void> {
  const { machine, store } = context;
  return await machine.files.exclusively(async () => {
    if (kind === "cron") {
      const text = machine.files.readCron() ?? "";
      const entry = { ...cronEntry(context, label), paused };
      acceptCron(machine.files, entry);
      machine.files.writeCron(withCronEntry(text, machine.files.cronPath, entry));
    } else {
      const file = loopFile(context, label);
      const changed = { ...file, loop: { ...file.loop, paused } };
      machine.files.writeLoop(label, printLoopFile(changed));
      await mirrorLoop(context, changed);
    }
    await store.write((tx) => note(context, tx, paused ? "schedule.paused" : "schedule.resumed", kind, label));
  });
}

/** Fires now, in addition to its schedule. */
export async function runSchedule(context: ScheduleContext, { kind, label }: Named): Promise<{ readonly key: string }> {
  const { machine, store } = context;
  return await machine.files.exclusively(async () => {
    const { action, overlap } = kind === "cron" ? cronEntry(context, label) : loopFile(context, label).loop;
    const { key, ended } = await store.write(async (tx) => {
      const key = `${kind}:${label}~${new Date(tx.nowMs).toISOString()}`;
      const about = { dueMs: tx.nowMs, catchUp: false, missed: 0, lateMs: 0 };
      return { key, ended: await fire(context, tx, { kind, label, key, action, overlap, ...about }) };
    });
    for (const one of ended) machine.verbs.end(one);
    return { key };
  });
}

/** Lets the agent that works in a loop say when it comes again; a clone only in its own. */
export async function reschedule(
  context: ScheduleContext,
  {
    label,
    delayMs,
    onlyFor,
  }: { readonly label: string; readonly delayMs: number; readonly onlyFor?: string | undefined },
): Promise<{ readonly nextMs: number }> {
  const { machine, clock } = context;
  return await machine.files.exclusively(async () => {
    const file = loopFile(context, label);
    if (onlyFor !== undefined && file.loop.action.agent !== onlyFor) throw notYours("loop", label, onlyFor);
    if (onlyFor !== undefined && file.loop.own !== undefined) refuseTooSoon(onlyFor, label, delayMs);
    const state = rescheduleLoop(file.loop, file.state, delayMs, clock.nowMs());
    const changed = { ...file, state };
    machine.files.writeLoop(label, printLoopFile(changed));
    await mirrorLoop(context, changed);
    return { nextMs: state.nextMs };
  });
}

function cronEntry({ machine }: ScheduleContext, label: string): CronEntry {
  const { accepted, waiting } = readCrons(machine.files);
  const entry = accepted.find((one) => one.label === label);
  if (entry !== undefined) return entry;
  const unaccepted = waiting.find((one) => one.label === label);
  throw unaccepted === undefined ? unknown("cron", label) : notAccepted(unaccepted);
}

function loopFile(context: ScheduleContext, id: string): LoopFile {
  const text = readLoop(context, id);
  if (text === undefined) throw unknown("loop", id);
  return parseLoopFile(text, context.machine.files.loopPath(id));
}

/** A name that could be no loop's is not looked for. */
function readLoop({ machine }: ScheduleContext, id: string): string | undefined {
  return labelPattern.test(id) ? machine.files.readLoop(id) : undefined;
}

type Tx = Parameters<Parameters<ScheduleContext["store"]["write"]>[0]>[0];

async function note(
  { actor }: ScheduleContext,
  tx: Tx,
  type: string,
  kind: ScheduleKind,
  label: string,
): Promise<void> {
  await tx.record({ type, subject: `${kind}:${label}`, actor, data: {} });
}

function refuseBadLabel(label: string): void {
  if (labelPattern.test(label)) return;
  throw new Refusal(
    "usage.bad-value",
    `not a label: ${JSON.stringify(label.slice(0, 80))}`,
    { label: label.slice(0, 80) },
    "Lowercase letters, digits and dashes, at most 64.",
  );
}

function refuseBadVerb({ verb }: Action): void {
  if (verb === undefined || allowedVerb(verb)) return;
  const shown = verb.slice(0, 2).join(" ").slice(0, 80);
  throw new Refusal("schedule.bad-verb", `${JSON.stringify(shown)} is not a verb that schedules run`, { verb: shown });
}

function taken(label: string): Refusal {
  return new Refusal("schedule.exists", `there is a schedule ${label} already`, { label });
}

function unknown(kind: ScheduleKind, label: string): Refusal {
  const shown = label.slice(0, 80);
  return new Refusal("schedule.unknown", `there is no ${kind} ${JSON.stringify(shown)}`, { kind, label: shown });
}
