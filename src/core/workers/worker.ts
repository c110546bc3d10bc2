// Declaring, stopping, listing and showing workers. What is wanted of a worker's program stands in its launch file, as for every agent; here is
// what wakes it, and the guards outside of it.

import { Refusal } from "../../protocol/errors.ts";
import { isWorkerId, workerId, workerName } from "../../protocol/agent-id.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import {
  type declareWorker,
  type listWorkers,
  type showWorker,
  type stopWorker as stopOperation,
  wakeKinds,
} from "../../protocol/operations/workers.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { WorkersTable, WorkerTurnsTable } from "../../store/tables/workers.ts";
import { dayStart } from "../agents/account-usage.ts";
import type { Context, ReadContext } from "../context.ts";
import { wakeReaders } from "./wake.sql.ts";
import { newestTurns, tokensBetween, updateWorker, workerRow, workerRows } from "./workers.sql.ts";

/** As the settings say, where its declaration does not. */
export interface WorkerDefaults {
  readonly tokensPerDay: number;
  readonly turnsPerHour: number;
  readonly turnMinutes: number;
}

/** What a turn took up. `name` is its file on the bus. */
export interface Cause {
  readonly kind: string;
  readonly from: string;
  readonly message?: string;
  readonly name?: string;
  readonly thread?: string;
  readonly task?: string;
  readonly messageKind?: string;
}

export async function declare(
  context: Context & { readonly defaults: WorkerDefaults },
  input: ParsedInputOf<typeof declareWorker>,
): Promise<OutputOf<typeof declareWorker>> {
  const { store, constellation, actor, defaults } = context;
  const agent = workerId(input.name);
  await store.write(async (tx) => {
    const before = await workerRow(tx.db, { constellation, agent });
    const wish = {
      runtime: input.runtime,
      about: input.about ?? before?.about ?? "",
      wakes_on: input.wakes_on === undefined ? (before?.wakes_on ?? wakesOn(wakeKinds)) : wakesOn(input.wakes_on),
      tokens_per_day: input.tokens_per_day ?? before?.tokens_per_day ?? defaults.tokensPerDay,
      turns_per_hour: input.turns_per_hour ?? before?.turns_per_hour ?? defaults.turnsPerHour,
      turn_ms:
        input.turn_minutes === undefined
          ? (before?.turn_ms ?? defaults.turnMinutes * 60_000)
          : input.turn_minutes * 60_000,
      failures: 0,
      retry_ms: null,
      same_turns: 0,
      last_print: null,
      because: null,
      updated_ms: tx.nowMs,
    };
    const data = { name: input.name, runtime: input.runtime };
    if (before === undefined) {
      const counts = { wake_seq: 0, taken_seq: 0, woken_ms: null, turns: 0 };
      const times = { guards_since_ms: tx.nowMs, created_ms: tx.nowMs };
      await tx.insert("workers", {
        constellation,
        agent,
        name: input.name,
        state: "waiting",
        ...wish,
        ...counts,
        ...times,
      });
      return await tx.record({ type: "worker.started", subject: `agent:${agent}`, actor, data });
    }
    const isIdle = before.state === "parked" || before.state === "stopped";
    // What came while nothing woke it may be a cause: its inbox is looked at once.
    const again = isIdle
      ? { state: "waiting", guards_since_ms: tx.nowMs, wake_seq: before.wake_seq + 1, woken_ms: tx.nowMs }
      : {};
    await updateWorker(tx.db, before, { ...wish, ...again });
    if (isIdle) await wakeReaders(tx, constellation, agent);
    await tx.record({ type: "worker.started", subject: `agent:${agent}`, actor, data });
  });
  return await described(context, agent, input.name);
}

const wakesOn = (kinds: readonly string[]): string => ` ${kinds.join(" ")} `;

export async function stopWorker(
  context: Context,
  { name }: ParsedInputOf<typeof stopOperation>,
): Promise<OutputOf<typeof stopOperation>> {
  const { store, constellation, actor } = context;
  const agent = workerId(name);
  await store.write(async (tx) => {
    const before = await workerRow(tx.db, { constellation, agent });
    if (before === undefined) throw unknownWorker(name);
    if (before.state === "stopped") return;
    await updateWorker(tx.db, before, { state: "stopped", because: null, updated_ms: tx.nowMs });
    await tx.record({ type: "worker.stopped", subject: `agent:${agent}`, actor, data: { name } });
  });
  return await described(context, agent, name);
}

/** Inside a job. Nothing of it is lost: its messages and its open turn wait until somebody starts it again. */
export async function park(tx: Tx, worker: WorkersTable, because: string): Promise<void> {
  await updateWorker(tx.db, worker, { state: "parked", because, updated_ms: tx.nowMs });
  const data = { name: worker.name, because };
  await tx.record({ type: "worker.parked", subject: `agent:${worker.agent}`, actor: "daemon", data });
}

export async function parkedWorkers({ store: { db, constellation } }: ReadContext): Promise<WorkersTable[]> {
  return (await workerRows(db, constellation)).filter(({ state }) => state === "parked");
}

export async function list(context: ReadContext): Promise<OutputOf<typeof listWorkers>> {
  const { db, constellation } = context.store;
  const rows = await workerRows(db, constellation);
  return { workers: await Promise.all(rows.map((row) => describe(context, row))) };
}

export async function show(
  context: ReadContext,
  { name, limit }: ParsedInputOf<typeof showWorker>,
): Promise<OutputOf<typeof showWorker>> {
  const { db, constellation } = context.store;
  const row = await workerRow(db, { constellation, agent: workerId(name) });
  if (row === undefined) throw unknownWorker(name);
  const turns = await newestTurns(db, row, limit);
  return {
    worker: await describe(context, row),
    waiting: Math.max(0, row.wake_seq - row.taken_seq),
    turns: await Promise.all(turns.map((turn) => describeTurn(context, turn))),
  };
}

async function described(context: ReadContext, agent: string, name: string): Promise<OutputOf<typeof declareWorker>> {
  const row = await workerRow(context.store.db, { constellation: context.store.constellation, agent });
  if (row === undefined) throw unknownWorker(name);
  return await describe(context, row);
}

function unknownWorker(name: string): Refusal {
  const meant = isWorkerId(name) ? `; ${name} is the id of the worker ${workerName(name)}` : "";
  return new Refusal("worker.unknown", `there is no worker ${JSON.stringify(name)}${meant}`, { name });
}

async function describe(
  { store: { db }, clock }: ReadContext,
  row: WorkersTable,
): Promise<OutputOf<typeof declareWorker>> {
  return {
    name: row.name,
    agent: row.agent,
    runtime: row.runtime,
    about: row.about,
    wakes_on: row.wakes_on.trim().split(" "),
    tokens_per_day: row.tokens_per_day,
    turns_per_hour: row.turns_per_hour,
    turn_ms: row.turn_ms,
    state: row.state,
    because: row.because,
    woken: row.wake_seq > row.taken_seq,
    turns: row.turns,
    failures: row.failures,
    retry_ms: row.retry_ms,
    tokens_today: (await tokensBetween(db, row, dayStart(clock.nowMs()))).tokens,
    created_ms: row.created_ms,
    updated_ms: row.updated_ms,
  };
}

async function describeTurn({ store: { db } }: ReadContext, row: WorkerTurnsTable) {
  const { tokens, context } = await tokensBetween(db, row, row.asked_ms, row.ended_ms ?? undefined);
  const causes = JSON.parse(row.causes) as Cause[];
  return {
    turn: row.turn,
    state: row.state,
    attempt: row.attempt,
    causes: causes.map(({ kind, from, message }) => ({ kind, from, message: message ?? null })),
    asked_ms: row.asked_ms,
    began_ms: row.began_ms,
    ended_ms: row.ended_ms,
    ok: row.ok === null ? null : row.ok === 1,
    answer: row.answer,
    error: row.error,
    did: row.did === null ? [] : (JSON.parse(row.did) as string[]),
    session_id: row.session_id,
    tokens,
    context_tokens: context,
  };
}
