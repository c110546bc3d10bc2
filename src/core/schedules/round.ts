// One look at all schedules: what is due becomes firings, and firings are carried out. A firing and how far its schedule has been
// looked at are written in one transaction. A loop's own file is written after it; until it is, the same count is due
// again and finds its row. Nothing fires twice and nothing is lost, wherever the daemon dies.
//
// `due.ts` and `loops.ts` say what is due, `fire.ts` writes the firing, `carry-out.ts` puts prompts into inboxes and has verbs run
// once by their key (`daemon/schedules/verb-runs.ts`). The files themselves are read by `app/schedule-files.ts`.

import { messageOf } from "../../protocol/errors.ts";
import type { SchedulesTable } from "../../store/tables/night.ts";
import { carryOut } from "./carry-out.ts";
import { notAccepted, readCrons } from "./accepted-crons.ts";
import { dueFirings } from "./due.ts";
import { fire, type NewFiring } from "./fire.ts";
import { type LoopFile, parseLoopFile, printLoopFile } from "./loop-file.ts";
import { afterLook, afterUntil, dueLoop, keepEndedLoopMs } from "./loops.ts";
import type { CronEntry } from "./schedule.ts";
import type { ScheduleContext } from "./schedule-context.ts";
import {
  dropSchedule,
  lastWorkspace,
  openFirings,
  putSchedule,
  type ScheduleKind,
  scheduleRows,
} from "./schedules.sql.ts";
import { inHandByAgent } from "../tasks/queries.ts";
import { type InHand, whyOwnIsOver } from "./own-loops.ts";
import { spanWords } from "../../protocol/span-words.ts";

export interface RoundReport {
  /** The time when something is due next. Undefined when nothing is. */
  readonly nextMs: number | undefined;
  /** Firings that wait or are under way are looked at again soon. */
  readonly isOpen: boolean;
  /** Files that cannot be read; the rest goes on. */
  readonly problems: readonly string[];
}

/** Commands that end loops, by the loop: they take long, and a round does not wait for them. */
export type UntilsUnderWay = Map<string, Promise<void>>;

export async function scheduleRound(
  context: ScheduleContext,
  untils: UntilsUnderWay,
  wake: () => void = () => {},
): Promise<RoundReport> {
  const { files } = context.machine;
  const problems: string[] = [];
  if (await isNothing(context)) return { nextMs: undefined, isOpen: false, problems };
  const next = await files.exclusively(async () => [
    ...(await lookAtCron(context, problems)),
    ...(await lookAtLoops(context, problems, untils, wake)),
  ]);
  const isOpen = await carryOut(context);
  return { nextMs: next.length === 0 ? undefined : Math.min(...next), isOpen, problems };
}

/** Most homes have no schedule, and a round comes with everything that agents do. */
async function isNothing({ machine, store, constellation }: ScheduleContext): Promise<boolean> {
  if (machine.files.readCron() !== undefined || machine.files.listLoops().length > 0) return false;
  if ((await scheduleRows(store.db, constellation)).length > 0) return false;
  return (await openFirings(store.db, constellation)).length === 0;
}

async function lookAtCron(context: ScheduleContext, problems: string[]): Promise<number[]> {
  const { store, constellation, machine } = context;
  let entries: readonly CronEntry[];
  try {
    const crons = readCrons(machine.files);
    entries = crons.accepted;
    problems.push(...crons.waiting.map((entry) => notAccepted(entry).message));
  } catch (cause) {
    // Nothing of it fires until it can be read; what is missed meanwhile is caught up with once.
    problems.push(messageOf(cause));
    return [];
  }
  const quiet = await nextIfQuiet(context, entries);
  if (quiet !== undefined) return quiet;
  const { next, ended } = await store.write(async (tx) => {
    const known = new Map((await scheduleRows(tx.db, constellation, "cron")).map((row) => [row.label, row]));
    const found: number[] = [];
    const replaced: string[] = [];
    for (const entry of entries) {
      const row = known.get(entry.label);
      known.delete(entry.label);
      // A new entry begins now.
      const before = { seenMs: row?.seen_ms ?? tx.nowMs, firedMs: row?.fired_ms ?? undefined };
      const due = dueFirings(entry, before, tx.nowMs);
      const { action, overlap } = entry;
      for (const one of due.firings)
        replaced.push(...(await fire(context, tx, { ...one, kind: "cron", action, overlap })));
      const after = cronRow(context, entry, due.state, due);
      // Rows are written when something changed for people; how far was looked costs a write a minute.
      if (isWorthWriting(row, after)) await putSchedule(tx.db, { ...after, updated_ms: tx.nowMs });
      if (due.nextMs !== undefined) found.push(due.nextMs);
    }
    for (const label of known.keys()) await dropSchedule(tx, constellation, "cron", label);
    return { next: found, ended: replaced };
  });
  machine.step("schedules.cron-fired");
  for (const key of ended) machine.verbs.end(key);
  return next;
}

/** Returns when entries are due next, if there is nothing to write down now: most rounds find just that. */
async function nextIfQuiet(context: ScheduleContext, entries: readonly CronEntry[]): Promise<number[] | undefined> {
  const { store, constellation, clock } = context;
  const rows = await scheduleRows(store.db, constellation, "cron");
  if (rows.length !== entries.length) return undefined;
  const next: number[] = [];
  for (const entry of entries) {
    const row = rows.find(({ label }) => label === entry.label);
    if (row === undefined) return undefined;
    const due = dueFirings(entry, { seenMs: row.seen_ms, firedMs: row.fired_ms ?? undefined }, clock.nowMs());
    if (due.firings.length > 0 || isWorthWriting(row, cronRow(context, entry, due.state, due))) return undefined;
    if (due.nextMs !== undefined) next.push(due.nextMs);
  }
  return next;
}

export function cronRow(
  { constellation }: Pick<ScheduleContext, "constellation">,
  entry: CronEntry,
  state: { readonly seenMs: number; readonly firedMs?: number | undefined },
  { nextMs, behindMs }: { readonly nextMs: number | undefined; readonly behindMs: number },
): SchedulesTable {
  return {
    constellation,
    kind: "cron",
    label: entry.label,
    timing: `${entry.schedule} ${entry.zone}`,
    action: JSON.stringify(entry.action),
    overlap: entry.overlap,
    paused: entry.paused ? 1 : 0,
    seen_ms: state.seenMs,
    fired_ms: state.firedMs ?? null,
    next_ms: nextMs ?? null,
    behind_ms: behindMs,
    ended_ms: null,
    ended_why: null,
    updated_ms: 0,
  };
}

const seenEveryMs = 60_000;

function isWorthWriting(before: SchedulesTable | undefined, after: SchedulesTable): boolean {
  if (before === undefined) return true;
  const seen = { seen_ms: 0, updated_ms: 0, behind_ms: 0 };
  const isSame = JSON.stringify({ ...before, ...seen }) === JSON.stringify({ ...after, ...seen });
  return !isSame || after.seen_ms - before.seen_ms >= seenEveryMs || before.behind_ms > 0 !== after.behind_ms > 0;
}

async function lookAtLoops(
  context: ScheduleContext,
  problems: string[],
  untils: UntilsUnderWay,
  wake: () => void,
): Promise<number[]> {
  const { machine, clock, store, constellation } = context;
  const next: number[] = [];
  const ids = new Set<string>();
  const inHand = await inHandByAgent(context);
  for (const id of machine.files.listLoops()) {
    ids.add(id);
    let file: LoopFile;
    try {
      file = parseLoopFile(machine.files.readLoop(id) ?? "", machine.files.loopPath(id));
      if (file.loop.id !== id) throw new Error(`${machine.files.loopPath(id)} is the file of another loop`);
    } catch (cause) {
      problems.push(messageOf(cause));
      continue;
    }
    if (clock.settledMs() - (file.state.ended?.atMs ?? Infinity) > keepEndedLoopMs) {
      machine.files.removeLoop(id);
      ids.delete(id);
      continue;
    }
    file = await endedIfOver(context, file, inHand);
    const due = dueLoop(file.loop, file.state, clock.nowMs());
    if (due.firing !== undefined && (file.loop.until !== undefined || file.loop.onChange !== undefined)) {
      // Asked before it fires: a loop that is done does not fire once more.
      if (!untils.has(id)) {
        const asked = askCommands(context, file, untils, wake);
        // The next round asks again; a loop that cannot be asked is seen by its being late.
        untils.set(
          id,
          asked.catch(() => {}),
        );
      }
    } else if (due.firing !== undefined) {
      await fireLoop(context, file);
    } else if (due.state !== file.state) {
      machine.files.writeLoop(id, printLoopFile({ ...file, state: due.state }));
    }
    const now = parseLoopFile(machine.files.readLoop(id) ?? "", machine.files.loopPath(id));
    await mirrorLoop(context, now);
    const isOver = now.state.ended !== undefined || now.loop.paused;
    if (!isOver && !untils.has(id)) next.push(now.state.nextMs);
  }
  const gone = (await scheduleRows(store.db, constellation, "loop")).filter(({ label }) => !ids.has(label));
  if (gone.length > 0) {
    await store.write(async (tx) => {
      for (const { label } of gone) await dropSchedule(tx, constellation, "loop", label);
    });
  }
  return next;
}

/** A loop that a clone opened ends with its task. */
async function endedIfOver(context: ScheduleContext, file: LoopFile, inHand: InHand): Promise<LoopFile> {
  const { machine, clock } = context;
  const { loop, state } = file;
  if (loop.own === undefined || state.ended !== undefined) return file;
  const atMs = clock.nowMs();
  const says = whyOwnIsOver(loop.own, loop.action.agent ?? "", inHand, clock.settledMs(loop.createdMs));
  if (says === undefined) return file;
  const ended: LoopFile = { loop, state: { ...state, ended: { atMs, why: "stopped", says } } };
  machine.files.writeLoop(loop.id, printLoopFile(ended));
  await noteEnd(context, loop.id, says);
  return ended;
}

/** Its row first, its file after: the row's key keeps the same count from firing again. */
async function fireLoop(context: ScheduleContext, file: LoopFile): Promise<void> {
  const { machine, store } = context;
  const { loop } = file;
  const ended = await store.write(async (tx) => {
    const { firing } = dueLoop(loop, file.state, tx.nowMs);
    if (firing === undefined) return [];
    const { action, overlap } = loop;
    const { key, dueMs, catchUp, lateMs } = firing;
    const made: NewFiring = { kind: "loop", label: loop.id, key, dueMs, catchUp, missed: 0, lateMs, action, overlap };
    return await fire(context, tx, made);
  });
  machine.step("schedules.loop-fired");
  const { state } = dueLoop(loop, file.state, context.clock.nowMs());
  machine.files.writeLoop(loop.id, printLoopFile({ loop, state }));
  machine.step("schedules.loop-written");
  for (const key of ended) machine.verbs.end(key);
}

async function askCommands(
  context: ScheduleContext,
  { loop }: LoopFile,
  untils: UntilsUnderWay,
  wake: () => void,
): Promise<void> {
  const { machine, store, constellation, clock } = context;
  try {
    const agent = loop.action.agent;
    const workspace = agent === undefined ? undefined : await lastWorkspace(store.db, constellation, agent);
    const directory = loop.directory ?? workspace;
    const run = async (command: string | undefined) =>
      command === undefined ? "none" : await machine.runUntil(command, directory);
    const outcome = await run(loop.until);
    // A loop that is done need not be looked at.
    const looked = outcome !== "none" && outcome?.exit === 0 ? "none" : await run(loop.onChange);
    if (outcome === undefined || looked === undefined) return;
    await machine.files.exclusively(async () => {
      const text = machine.files.readLoop(loop.id);
      if (text === undefined) return; // it was removed meanwhile
      const now = parseLoopFile(text, machine.files.loopPath(loop.id));
      const nowMs = clock.nowMs();
      const asked = outcome === "none" ? now.state : afterUntil(now.state, outcome, nowMs);
      const { state, fires } =
        looked === "none" ? { state: asked, fires: true } : afterLook(now.loop, asked, looked, nowMs);
      machine.files.writeLoop(loop.id, printLoopFile({ loop: now.loop, state }));
      if (state.ended !== undefined) await noteEnd(context, loop.id, state.ended.says);
      else if (fires) await fireLoop(context, { loop: now.loop, state });
    });
  } finally {
    untils.delete(loop.id);
    wake();
  }
}

async function noteEnd({ store }: ScheduleContext, id: string, says: string): Promise<void> {
  await store.write(async (tx) => {
    await tx.record({ type: "loop.ended", subject: `loop:${id}`, actor: "daemon", data: { says } });
  });
}

export async function mirrorLoop(context: ScheduleContext, { loop, state }: LoopFile): Promise<void> {
  const { store, constellation } = context;
  const row: SchedulesTable = {
    constellation,
    kind: "loop" satisfies ScheduleKind,
    label: loop.id,
    timing: loop.everyMs === undefined ? "as its worker asks" : `every ${spanWords(loop.everyMs)}`,
    action: JSON.stringify({
      ...loop.action,
      until: loop.until,
      on_change: loop.onChange,
      most: loop.most,
      task: loop.own?.task,
    }),
    overlap: loop.overlap,
    paused: loop.paused ? 1 : 0,
    seen_ms: state.firedMs ?? loop.createdMs,
    fired_ms: state.firedMs ?? null,
    next_ms: state.ended === undefined && !loop.paused ? state.nextMs : null,
    behind_ms: 0,
    ended_ms: state.ended?.atMs ?? null,
    ended_why: state.ended?.says ?? null,
    updated_ms: 0,
  };
  const [before] = (await scheduleRows(store.db, constellation, "loop")).filter(({ label }) => label === loop.id);
  if (before !== undefined && JSON.stringify({ ...before, updated_ms: 0 }) === JSON.stringify(row)) return;
  await store.write((tx) => putSchedule(tx.db, { ...row, updated_ms: tx.nowMs }));
}
