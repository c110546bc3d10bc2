// Takes, keeps and gives back the lease on a constellation (lease.ts). Time is the database's: the clocks of the daemons may differ.

import type { Clock } from "../ports/machine.ts";
import { heldByAnother, type HeldLease, type LeaseWish } from "./lease.ts";
import { PostgresPool } from "./postgres-pool.ts";
import { genesisHash } from "./timeline.ts";

/** In one lease there is time for so many renewals: one that fails is no loss. */
const renewalsInLease = 4;

const nowMs = "(extract(epoch from clock_timestamp()) * 1000)::bigint";

const addHead = `insert into chain_heads (constellation, seq, hash, pruned_seq, pruned_hash) values ($1, 0, $2, 0, $2)
  on conflict (constellation) do nothing`;

/** A holder in the middle of a write has the row locked, so this waits for it. */
const take = `with before as (select holder, held_until_ms from chain_heads where constellation = $1 for update)
  update chain_heads set epoch = epoch + 1, holder = $2, held_until_ms = ${nowMs} + $3
  from before where chain_heads.constellation = $1
    and (before.held_until_ms <= ${nowMs} or (before.holder = $2 and $4))
  returning chain_heads.epoch as epoch, before.holder as "from"`;

const whoHolds = `select holder, held_until_ms - ${nowMs} as for_ms from chain_heads where constellation = $1`;

const renew = `update chain_heads set held_until_ms = ${nowMs} + $3 where constellation = $1 and epoch = $2 returning epoch`;

const giveBack = `update chain_heads set held_until_ms = 0 where constellation = $1 and epoch = $2`;

/** Throws the refusal `store.held` while another daemon has it. */
export async function holdConstellation(
  url: string,
  constellation: string,
  clock: Clock,
  wish: LeaseWish,
): Promise<HeldLease> {
  const pool = new PostgresPool(url, { max: 1 });
  try {
    const { epoch, from } = await takeIt(pool, constellation, wish);
    const ending = new AbortController();
    const renewing = keepRenewing(pool, { constellation, epoch, clock, wish, signal: ending.signal });
    return {
      epoch,
      from: from === wish.holder ? undefined : (from ?? undefined),
      async release() {
        ending.abort();
        await renewing;
        await ask(pool, giveBack, [constellation, epoch]).catch((cause) =>
          wish.log("the lease lapses by itself", cause),
        );
        await pool.end();
      },
    };
  } catch (cause) {
    await pool.end(0);
    throw cause;
  }
}

/** Does something that no daemon of the constellation may come between; one that has it is refused with `store.held`. */
export async function heldMeanwhile<T>(
  of: { readonly url: string; readonly constellation: string; readonly clock: Clock; readonly holder: string },
  work: () => Promise<T>,
): Promise<T> {
  const wish: LeaseWish = { holder: of.holder, leaseMs: 15_000, lost: () => {}, log: () => {} };
  const lease = await holdConstellation(of.url, of.constellation, of.clock, wish);
  try {
    return await work();
  } finally {
    await lease.release();
  }
}

async function takeIt(
  pool: PostgresPool,
  constellation: string,
  { holder, leaseMs, onlyWhenLapsed }: LeaseWish,
): Promise<{ epoch: number; from: string | null }> {
  await ask(pool, addHead, [constellation, genesisHash]);
  const [taken] = await ask<{ epoch: number; from: string | null }>(pool, take, [
    constellation,
    holder,
    leaseMs,
    onlyWhenLapsed !== true,
  ]);
  if (taken !== undefined) return taken;
  const [held] = await ask<{ holder: string | null; for_ms: number }>(pool, whoHolds, [constellation]);
  throw heldByAnother(constellation, held?.holder ?? "unnamed", Math.max(0, held?.for_ms ?? 0));
}

interface Renewing {
  readonly constellation: string;
  readonly epoch: number;
  readonly clock: Clock;
  readonly wish: LeaseWish;
  readonly signal: AbortSignal;
}

async function keepRenewing(pool: PostgresPool, renewing: Renewing): Promise<void> {
  const { constellation, epoch, clock, wish, signal } = renewing;
  for (;;) {
    await clock.sleep(wish.leaseMs / renewalsInLease, signal);
    if (signal.aborted) return;
    try {
      const renewed = await ask(pool, renew, [constellation, epoch, wish.leaseMs]);
      if (renewed.length > 0) continue;
      wish.lost();
      return;
    } catch (cause) {
      // The next turn tries again. Meanwhile writes fail as this did, or find the epoch of whoever took over.
      wish.log("the lease could not be renewed", cause);
    }
  }
}

async function ask<T = unknown>(pool: PostgresPool, statement: string, parameters: readonly unknown[]): Promise<T[]> {
  const rows = await pool.ask((sql) => sql.unsafe(statement, [...parameters] as never[]));
  return [...rows] as T[];
}
