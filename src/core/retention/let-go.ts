// Lets go of what is older than the settings keep: events, messages that arrived, commands, what the watchdog did, usage. One bounded batch of each in one
// transaction; whoever calls comes again while there is more. The timeline still verifies afterwards, from where it now begins.

import type { Context } from "../context.ts";
import { forgetOldArtefacts } from "../tasks/evidence/artefacts.ts";
import { forgetOldRequests } from "../a2a/list.ts";
import { digestOf } from "../audit/anchors.ts";
import {
  dropEvents,
  dropOldMessages,
  dropOldRecords,
  dropOldSessions,
  dropOldUsage,
  eventsToDrop,
  oldestEventMs,
  recordTables,
} from "./retention.sql.ts";

/** Days to keep each; 0 keeps for ever. */
export interface KeepDays {
  readonly events: number;
  readonly messages: number;
  readonly invocations: number;
  readonly usage: number;
  /** Counted from the end of the task that handed them over. */
  readonly artefacts: number;
}

/** Signs, outside the database, that events up to this one are let go on purpose. */
export type AnchorPruned = (mark: {
  readonly seq: number;
  readonly hash: string;
  readonly digest: string;
}) => Promise<void>;

export interface LetGo {
  readonly events: number;
  readonly messages: number;
  readonly invocations: number;
  readonly usage: number;
  readonly sessions: number;
  readonly artefacts: number;
  /** Of outside agents, with all that was said. */
  readonly requests: number;
  /** A batch was full: there may be more. */
  readonly more: boolean;
}

/** A batch takes some ten milliseconds, which others' writes wait for. */
const batch = 500;
const dayMs = 86_400_000;

export async function letGo(
  { store, constellation, clock }: Pick<Context, "store" | "constellation" | "clock">,
  keep: KeepDays,
  anchor: AnchorPruned,
): Promise<LetGo> {
  const nowMs = clock.settledMs();
  const old = (days: number) => ({
    constellation,
    beforeMs: days === 0 ? 0 : nowMs - days * dayMs,
    limit: batch,
  });
  const eventsGo = ((await oldestEventMs(store.db, constellation)) ?? Infinity) < old(keep.events).beforeMs;
  const going = eventsGo ? await eventsToDrop(store.db, old(keep.events)) : [];
  const last = going.at(-1);
  // Sign for the events before they go: the audit looks for a mark that nothing signed speaks of.
  if (last !== undefined)
    await anchor({ seq: last.seq, hash: last.hash, digest: digestOf(going.map(({ hash }) => hash)) });
  const counts = await store.write(async (tx) => {
    const { db } = tx;
    if (last !== undefined) await dropEvents(db, constellation, last);
    const events = going.length;
    const messages = await dropOldMessages(db, old(keep.messages));
    let invocations = 0;
    for (const table of recordTables) invocations += await dropOldRecords(db, table, old(keep.invocations));
    const usage = await dropOldUsage(db, old(keep.usage));
    const sessions = await dropOldSessions(db, old(keep.usage));
    const artefacts = await forgetOldArtefacts(db, old(keep.artefacts));
    const requests = await forgetOldRequests(db, old(keep.messages));
    const gone = { events, messages, invocations, usage, sessions, artefacts, requests };
    if (events > 0) await tx.record({ type: "timeline.pruned", actor: "daemon", data: gone });
    return gone;
  });
  return { ...counts, more: Object.values(counts).some((count) => count >= batch) };
}
