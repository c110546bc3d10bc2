// One harvester of a constellation at a time, over every daemon that shares the database. The lease ends by itself; whoever takes it next has a
// larger token, and every journal write checks the token in its own transaction, so that a harvester that was asleep while
// another took over cannot write, whatever it believes.

import { Refusal } from "../../../protocol/errors.ts";
import type { Tx } from "../../../store/group-commit.ts";
import { findLease, updateLease } from "./harvest-lease.sql.ts";
import type { TaskContext } from "../task-context.ts";

const leaseMs = 60_000;
const renewEveryMs = 15_000;

/** Constellations over one database do not wait for each other: the push is what two of them must agree on, and it has a lease of its own. */
export const harvestLease = (constellation: string): string => `harvest ${constellation}`;

export interface Lease {
  readonly name: string;
  readonly token: number;
}

/**
 * Runs the work while holding the lease; undefined when somebody else holds it. Two loops of one daemon are somebody else to each other: its
 * row says only which process has it, so that one that was left by an earlier try is taken over at once.
 */
export async function whileHolding<T>(
  context: TaskContext,
  name: string,
  work: (lease: Lease) => Promise<T>,
): Promise<{ value: T } | undefined> {
  const { inHand } = context.machine;
  const key = `lease ${name}`;
  if (inHand.has(key)) return undefined;
  inHand.add(key);
  try {
    return await withLease(context, name, work);
  } finally {
    inHand.delete(key);
  }
}

async function withLease<T>(
  context: TaskContext,
  name: string,
  work: (lease: Lease) => Promise<T>,
): Promise<{ value: T } | undefined> {
  const token = await take(context, name);
  if (token === undefined) return undefined;
  const done = new AbortController();
  const renewing = renew(context, { name, token }, done.signal);
  try {
    return { value: await work({ name, token }) };
  } finally {
    done.abort();
    await renewing;
    await release(context, { name, token });
  }
}

/** Inside a job: refused when the lease has gone to another. */
export async function holdFast(tx: Tx, lease: Lease): Promise<void> {
  const row = await findLease(tx.db, lease.name);
  if (row?.token !== lease.token)
    throw new Refusal("task.lease-lost", `the lease ${lease.name} has gone to another harvester`, { ...lease });
}

async function take(context: TaskContext, name: string): Promise<number | undefined> {
  const { holder, isGone } = context.machine;
  return context.store.write(async (tx) => {
    const row = await findLease(tx.db, name);
    const until_ms = tx.nowMs + leaseMs;
    if (row === undefined) {
      await tx.insert("task_leases", { name, holder, token: 1, until_ms });
      return 1;
    }
    const isFree =
      row.until_ms <= context.clock.settledMs(row.until_ms - leaseMs) || row.holder === holder || isGone(row.holder);
    if (!isFree) return undefined;
    const token = row.token + 1;
    return (await updateLease(tx.db, row, { holder, token, until_ms })) ? token : undefined;
  });
}

async function renew(context: TaskContext, lease: Lease, signal: AbortSignal): Promise<void> {
  for (;;) {
    await context.clock.sleep(renewEveryMs, signal);
    if (signal.aborted) return;
    try {
      await context.store.write((tx) => updateLease(tx.db, lease, { until_ms: tx.nowMs + leaseMs }));
    } catch {
      return; // it lapses by itself, and the next journal write is refused
    }
  }
}

async function release(context: TaskContext, lease: Lease): Promise<void> {
  await context.store.write((tx) => updateLease(tx.db, lease, { until_ms: 0 }));
}
