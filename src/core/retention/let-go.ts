// Lets go of what is older than the settings keep: events, messages that arrived, commands, usage. One bounded batch of each in one
// transaction; whoever calls comes again while there is more. The timeline still verifies afterwards, from where it now begins.

import type { Context } from "../context.ts";
import { dropOldEvents, dropOldMessages, dropOldRecords, dropOldUsage, oldestEventMs } from "./retention.sql.ts";

/** Days to keep each; 0 keeps for ever. */
export interface KeepDays {
  readonly events: number;
  readonly messages: number;
  readonly invocations: number;
  readonly usage: number;
}

export interface LetGo {
  readonly events: number;
  readonly messages: number;
  readonly invocations: number;
  readonly usage: number;
  /** A batch was full: there may be more. */
  readonly more: boolean;
}

/** A batch takes some ten milliseconds, which others' writes wait for. */
const batch = 500;
const dayMs = 86_400_000;

export async function letGo(
  { store, constellation, clock }: Pick<Context, "store" | "constellation" | "clock">,
  keep: KeepDays,
): Promise<LetGo> {
  const nowMs = clock.nowMs();
  const old = (days: number) => ({
    constellation,
    beforeMs: days === 0 ? 0 : nowMs - days * dayMs,
    limit: batch,
  });
  const eventsGo = ((await oldestEventMs(store.db, constellation)) ?? Infinity) < old(keep.events).beforeMs;
  const counts = await store.write(async (tx) => {
    const { db } = tx;
    const events = eventsGo ? await dropOldEvents(db, old(keep.events)) : 0;
    const messages = await dropOldMessages(db, old(keep.messages));
    let invocations = 0;
    for (const table of ["cli_invocations", "source_errors", "ticks", "crashes"] as const)
      invocations += await dropOldRecords(db, table, old(keep.invocations));
    const usage = await dropOldUsage(db, old(keep.usage));
    const gone = { events, messages, invocations, usage };
    if (events > 0) await tx.record({ type: "timeline.pruned", actor: "daemon", data: gone });
    return gone;
  });
  return { ...counts, more: Object.values(counts).some((count) => count >= batch) };
}
