// One round over all workers. A worker has one turn at a time, and its row is the journal; whoever finds it after a crash goes on from there:
//
//   asked ──holder took it──► (running) ──holder wrote how it ended──► answered ──► closed
//     ▲                                                  │ failed: kept, tried again later
//     └──────────────────────────────────────────────────┘
//
// What was answered and whose messages that settles is one transaction. The answers then go out under ids that follow from the turn, and
// the messages are settled by their names, so that doing either again changes nothing: one answer, whatever dies when.

import { dayStart } from "../agents/account-usage.ts";
import type { WorkersTable, WorkerTurnsTable } from "../../store/tables/workers.ts";
import { makeId } from "../../protocol/ids.ts";
import { closeTurn } from "./close-turn.ts";
import { failed } from "./failed-turn.ts";
import { countsFromMs, guard, leftMs, waitMs } from "./rules.ts";
import { turnText } from "./turn-text.ts";
import { park } from "./worker.ts";
import type { TakenMessage, WorkerContext, WorkerMachine } from "./worker-machine.ts";
import {
  openTurn,
  takeCauses,
  tokensBetween,
  turnsBetween,
  updateTurn,
  updateWorker,
  urgentNotices,
  workerRow,
  workerRows,
} from "./workers.sql.ts";

const hourMs = 3_600_000;
/** While a turn runs or something keeps one back, it is looked at this often. */
const lookMs = 1_000;
/** A holder that ends an overlong turn needs a moment for it. */
const overtimeSlackMs = 60_000;

/** Answers when the next round is needed at the latest; undefined when nothing is under way. */
export async function workersRound(context: WorkerContext): Promise<number | undefined> {
  const { store, constellation } = context;
  const waits: number[] = [];
  const failures: unknown[] = [];
  for (const worker of await workerRows(store.db, constellation)) {
    try {
      const wait = await attend(context, worker);
      if (wait !== undefined) waits.push(wait);
    } catch (cause) {
      failures.push(cause);
    }
  }
  // One worker whose files cannot be read keeps no other from its turn.
  if (failures.length > 0) throw failures[0];
  return waits.length === 0 ? undefined : Math.min(...waits);
}

async function attend(context: WorkerContext, worker: WorkersTable): Promise<number | undefined> {
  const { store, clock, gatherMs, machine } = context;
  const turn = worker.turns === 0 ? undefined : await openTurn(store.db, worker);
  if (turn !== undefined) return await goOn(context, worker, turn);
  const wait = waitMs(worker, { nowMs: clock.nowMs(), gatherMs });
  if (wait === undefined || wait > 0) return wait;
  if ((await machine.holder(worker.agent)) === undefined || (await isHeld(context, worker))) return lookMs;
  if (await isGuarded(context, worker)) return undefined;
  await ask(context, worker);
  return lookMs;
}

async function isHeld({ store, machine }: WorkerContext, worker: WorkersTable): Promise<boolean> {
  const because = (await machine.held(worker.agent)) ?? null;
  if (because !== worker.because) await store.write((tx) => updateWorker(tx.db, worker, { because }));
  return because !== null;
}

/** The guards are asked before a turn, so that none begins that may not be; what waits goes on waiting. */
async function isGuarded({ store, clock }: WorkerContext, worker: WorkersTable): Promise<boolean> {
  const nowMs = clock.nowMs();
  const fromHourMs = countsFromMs(worker, nowMs - hourMs, nowMs);
  const fromDayMs = countsFromMs(worker, dayStart(nowMs), nowMs);
  const because = guard(worker, {
    turnsThisHour: await turnsBetween(store.db, worker, fromHourMs, nowMs),
    tokensToday: (await tokensBetween(store.db, worker, fromDayMs, nowMs)).tokens,
  });
  if (because !== undefined) await store.write((tx) => park(tx, worker, because));
  return because !== undefined;
}

async function ask(context: WorkerContext, worker: WorkersTable): Promise<void> {
  const { store, machine } = context;
  const { agent } = worker;
  const { messages: taken, more } = await machine.take(agent);
  machine.step("worker.taken");
  const urgent = await urgentNotices(store.db, worker);
  if (taken.length === 0 && urgent.length === 0) {
    await store.write((tx) => takeCauses(tx.db, worker, worker.wake_seq));
    return;
  }
  try {
    const turn = await begin(context, worker, { taken, urgent, upTo: more ? worker.taken_seq : worker.wake_seq });
    machine.step("worker.asked");
    await give(context, worker, turn);
  } catch (cause) {
    // Only where no row knows them: those of a turn are its own.
    if ((await openTurn(store.db, worker)) === undefined) machine.giveBack(agent, taken);
    throw cause;
  }
}

interface TakenUp {
  readonly taken: readonly TakenMessage[];
  readonly urgent: readonly string[];
  /** The causes that are taken up with it. */
  readonly upTo: number;
}

async function begin(
  { store, random, constellation }: WorkerContext,
  worker: WorkersTable,
  { taken, urgent, upTo }: TakenUp,
): Promise<WorkerTurnsTable> {
  return await store.write(async (tx) => {
    const { agent } = worker;
    const id = makeId("trn", tx.nowMs, random.bytes(10));
    const notices = urgent.map(() => ({ kind: "notice", from: "constel" }));
    const row: WorkerTurnsTable = {
      constellation,
      agent,
      turn: worker.turns + 1,
      id,
      state: "asked",
      attempt: 1,
      causes: JSON.stringify([...taken.map(({ cause }) => cause), ...notices]),
      text: turnText({ worker, id, taken, urgent }),
      asked_ms: tx.nowMs,
      put_ms: null,
      began_ms: null,
      ended_ms: null,
      ok: null,
      answer: null,
      error: null,
      did: null,
      session_id: null,
    };
    await tx.insert("worker_turns", row);
    await updateWorker(tx.db, worker, { state: "turning", turns: row.turn, because: null, updated_ms: tx.nowMs });
    await takeCauses(tx.db, worker, upTo);
    const data = { turn: row.turn, causes: taken.length + urgent.length };
    await tx.record({ type: "worker.turn-asked", subject: `agent:${agent}`, actor: "daemon", data });
    return row;
  });
}

/** The id of one try: a holder that has done it does not do it again. */
const tryOf = ({ id, attempt }: WorkerTurnsTable): string => `${id}.${attempt}`;

async function give({ store, machine }: WorkerContext, worker: WorkersTable, turn: WorkerTurnsTable): Promise<void> {
  const id = tryOf(turn);
  await machine.put(worker.agent, id, turn.text.replace(`[constel:${turn.id}]`, `[constel:${id}]`));
  machine.step("worker.put");
  if (turn.put_ms === null) await store.write((tx) => updateTurn(tx.db, turn, { put_ms: tx.nowMs }));
}

async function goOn(context: WorkerContext, worker: WorkersTable, turn: WorkerTurnsTable): Promise<number | undefined> {
  const { machine, clock, store } = context;
  const { agent, state } = worker;
  if (turn.state === "answered") {
    await closeTurn(context, worker, turn);
    return 0;
  }
  const record = machine.record(agent, tryOf(turn));
  if (record.ended !== undefined) {
    context.running.delete(tryOf(turn));
    await settleEnd(context, worker, turn, record.ended);
    return 0;
  }
  if (state === "parked" || state === "stopped") return undefined;
  // Somebody started it anew, or the last try failed and its time has come.
  if (state === "waiting") await store.write((tx) => updateWorker(tx.db, worker, { state: "turning" }));
  const nowMs = clock.nowMs();
  const restMs = leftMs(worker.retry_ms ?? 0, nowMs);
  if (restMs > 0) return restMs;
  await noteBegun(context, turn);
  if (machine.isLying(agent, tryOf(turn))) return lookMs;
  const holder = await machine.holder(agent);
  if (holder === undefined) return lookMs;
  if (record.beganBy === holder) {
    if (runsForMs(context, tryOf(turn)) <= worker.turn_ms + overtimeSlackMs) return lookMs;
    await store.write((tx) => park(tx, worker, `its turn runs for longer than ${worker.turn_ms / 60_000} min`));
    return undefined;
  }
  if (!(await isHeld(context, worker))) await give(context, worker, turn);
  return lookMs;
}

/** By the time that passed while this daemon looked, not by a clock that may jump or a machine that slept: its holder ends what takes too long. */
function runsForMs({ clock, running }: WorkerContext, turn: string): number {
  const nowMs = clock.monotonicMs();
  const sinceMs = running.get(turn) ?? nowMs;
  running.set(turn, sinceMs);
  return nowMs - sinceMs;
}

/** Delivered is what its model began to answer. */
async function noteBegun({ machine, store }: WorkerContext, turn: WorkerTurnsTable): Promise<void> {
  if (turn.began_ms !== null) return;
  const atMs = await machine.provenMs(turn.agent, tryOf(turn));
  if (atMs === undefined) return;
  machine.settle(turn.agent, JSON.parse(turn.causes) as [], "delivered", `turn ${turn.turn}`);
  await store.write((tx) => updateTurn(tx.db, turn, { began_ms: Math.floor(atMs) }));
}

type Ended = NonNullable<ReturnType<WorkerMachine["record"]>["ended"]>;

async function settleEnd(
  context: WorkerContext,
  worker: WorkersTable,
  turn: WorkerTurnsTable,
  ended: Ended,
): Promise<void> {
  const { store, machine } = context;
  await noteBegun(context, turn);
  if (!ended.ok) {
    const error = ended.error === undefined ? undefined : await machine.keepable(ended.error);
    return await failed(context, worker, turn, { ...ended, error });
  }
  const answer = await machine.keepable(ended.text);
  await store.write(async (tx) => {
    const now = (await workerRow(tx.db, worker)) ?? worker;
    await updateTurn(tx.db, turn, {
      state: "answered",
      ended_ms: Math.floor(ended.atMs),
      ok: 1,
      answer,
      error: null,
      did: JSON.stringify(ended.did),
      session_id: ended.session,
    });
    await updateWorker(tx.db, now, { failures: 0, retry_ms: null, updated_ms: tx.nowMs });
  });
  machine.step("worker.answered");
  const answered = await openTurn(store.db, worker);
  if (answered !== undefined) await closeTurn(context, worker, answered);
}
