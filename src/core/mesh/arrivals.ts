// Does what arrived. Each kind has one verb that is safe to run twice; an arrival is marked done after its verb, so a crash between the two does it
// again. Items of one peer are done in their order, except for one that has to wait: it keeps the others of its kind behind it, no more.

import { Outage, messageOf, Refusal } from "../../protocol/errors.ts";
import type { ItemKind } from "../../protocol/mesh.ts";
import type { MeshArrivalsTable } from "../../store/tables/mesh-items.ts";
import { changeArrival, forgetArrivals, waitingArrivals } from "./mesh.sql.ts";
import { type MeshContext, type Peer, peerOf } from "./mesh-context.ts";

export interface Arrival {
  readonly id: string;
  readonly from: Peer;
  readonly body: unknown;
  readonly heardMs: number;
}

export type Doing = (arrival: Arrival) => Promise<void>;
export type Doings = Readonly<Partial<Record<ItemKind, Doing>>>;

const atOnce = 200;
const firstWaitMs = 1_000;
const longestWaitMs = 5 * 60_000;
/** As long as an item could still come a second time. */
const keptMs = 30 * 24 * 3_600_000;

/** Answers in how many milliseconds something is due; undefined when nothing waits. */
export async function arrivalsRound(
  context: MeshContext,
  doings: Doings,
  log: (line: string) => void,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { store, clock, constellation } = context;
  const waiting = await waitingArrivals(store.db, constellation, atOnce);
  const kept = new Set<string>();
  let nextMs = Infinity;
  for (const row of waiting) {
    if (signal.aborted) return undefined;
    const queue = `${row.entry} ${row.kind}`;
    if (kept.has(queue)) continue;
    if (row.due_ms <= clock.nowMs() && (await doOne(context, doings, row, log))) continue;
    kept.add(queue);
    nextMs = Math.min(nextMs, row.due_ms <= clock.nowMs() ? firstWaitMs : row.due_ms - clock.nowMs());
  }
  if (waiting.length === atOnce && kept.size === 0) return 0;
  return nextMs === Infinity ? undefined : nextMs;
}

/** False when it has to wait. */
async function doOne(
  context: MeshContext,
  doings: Doings,
  row: MeshArrivalsTable,
  log: (line: string) => void,
): Promise<boolean> {
  const { store } = context;
  const outcome = await tryOne(context, doings, row);
  if (outcome.is === "later") {
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(row.tries, 10));
    await store.write((tx) =>
      changeArrival(tx, row, { tries: row.tries + 1, due_ms: tx.nowMs + waitMs, problem: outcome.why }),
    );
    return false;
  }
  const isRefused = outcome.is === "refused";
  if (isRefused) log(`mesh: ${row.kind} of ${row.peer} was refused: ${outcome.why}`);
  await store.write(async (tx) => {
    const problem = isRefused ? outcome.why : null;
    await changeArrival(tx, row, { state: isRefused ? "refused" : "done", problem, done_ms: tx.nowMs, body: "" });
    if (!isRefused) return;
    const data = { peer: row.peer, kind: row.kind, id: row.id, why: outcome.why };
    await tx.record({ type: "mesh.item-refused", subject: `peer:${row.peer}`, actor: "daemon", data });
  });
  return true;
}

type Outcome = { readonly is: "done" } | { readonly is: "later" | "refused"; readonly why: string };

async function tryOne(context: MeshContext, doings: Doings, row: MeshArrivalsTable): Promise<Outcome> {
  const from = await peerOf(context, row.entry);
  if (from === undefined) return { is: "refused", why: "the peer is no longer on the list" };
  const doing = doings[row.kind as ItemKind];
  if (doing === undefined) return { is: "refused", why: `${row.kind} is not known here` };
  try {
    await doing({ id: row.id, from, body: JSON.parse(row.body), heardMs: row.heard_ms });
    return { is: "done" };
  } catch (cause) {
    const why = messageOf(cause).slice(0, 500);
    // A refusal will be the same the next time; the machine may be better then.
    if (cause instanceof Refusal || cause instanceof SyntaxError) return { is: "refused", why };
    // A mistake of ours loses nothing: the next version may do it.
    return { is: "later", why: cause instanceof Outage ? why : `a bug: ${why}` };
  }
}

export async function forgetOldArrivals({ store, clock, constellation }: MeshContext): Promise<void> {
  await store.write((tx) => forgetArrivals(tx, constellation, clock.nowMs() - keptMs));
}
