// A turn that failed is not over: what it took up was not answered. It is tried again, later and later, and by nobody any more after five
// failures, until somebody starts the worker anew. A usage limit is no failure.

import type { WorkersTable, WorkerTurnsTable } from "../../store/tables/workers.ts";
import { guard, retryAfterMs } from "./rules.ts";
import type { WorkerContext } from "./worker-machine.ts";
import { park } from "./worker.ts";
import { updateTurn, updateWorker, workerRow } from "./workers.sql.ts";

export interface FailedTurn {
  readonly error?: string | undefined;
  readonly session: string;
  readonly overtime: boolean;
  readonly isExcused: boolean;
}

const longestError = 1_000;

export async function failed(
  { store }: WorkerContext,
  worker: WorkersTable,
  turn: WorkerTurnsTable,
  { error, session, overtime, isExcused }: FailedTurn,
): Promise<void> {
  await store.write(async (tx) => {
    const now = (await workerRow(tx.db, worker)) ?? worker;
    const failures = isExcused ? now.failures : now.failures + 1;
    const says = (error ?? "it failed").slice(0, longestError);
    const again = { state: "asked", attempt: turn.attempt + 1, put_ms: null, began_ms: null };
    await updateTurn(tx.db, turn, { ...again, ok: 0, error: says, session_id: session });
    const retry_ms = tx.nowMs + retryAfterMs(isExcused ? turn.attempt : failures);
    await updateWorker(tx.db, now, { failures, retry_ms, because: says, updated_ms: tx.nowMs });
    const data = { turn: turn.turn, attempt: turn.attempt, error: says };
    await tx.record({ type: "worker.turn-failed", subject: `agent:${worker.agent}`, actor: "daemon", data });
    if (now.state === "stopped") return;
    const tooLong = overtime ? `its turn took longer than ${now.turn_ms / 60_000} min` : undefined;
    const because = tooLong ?? guard({ ...now, failures }, { turnsThisHour: -1, tokensToday: -1 });
    if (because !== undefined) await park(tx, now, overtime ? because : `${because}: ${says}`);
  });
}
