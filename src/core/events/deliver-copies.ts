// Puts the copies of published events into the inboxes of the agents they name, a bounded number in one round: one letter for all that
// an event names, because each letter has to reach the disk. Safe to run twice: a letter's message id is fixed, so an agent is never
// handed the same one again.

import { Refusal } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";
import { settleDeliveries, type WaitingDelivery, waitingDeliveries } from "./events.sql.ts";

/** Each copy is another name for the letter, some tenths of a millisecond; others who want the daemon wait for no more than this many. */
const copiesInARound = 50;
/** A letter takes a few milliseconds on a slow disk. */
const lettersInARound = 10;

export interface EventLetter {
  readonly id: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly kind: string;
  readonly task: number | null;
  readonly text: string;
}

export async function deliverCopies(
  { store, constellation }: Pick<Context, "store" | "constellation">,
  /** Durable in the inbox when it returns. */
  put: (letter: EventLetter) => void,
): Promise<{ sent: number; more: boolean }> {
  const waiting = await waitingDeliveries(store.db, constellation, copiesInARound);
  if (waiting.length === 0) return { sent: 0, more: false };
  const letters = [...Map.groupBy(waiting, ({ message_id }) => message_id).values()];
  const outcomes = letters.slice(0, lettersInARound).flatMap((copies) => tryPut(put, copies));
  await store.write(async (tx) => {
    for (const { copies, problem } of outcomes) {
      const state = problem === null ? "sent" : "failed";
      await settleDeliveries(tx.db, copies, { state, sent_ms: problem === null ? tx.nowMs : null, problem });
    }
  });
  const sent = outcomes.flatMap(({ copies, problem }) => (problem === null ? copies : [])).length;
  return { sent, more: waiting.length === copiesInARound || letters.length > lettersInARound };
}

interface Outcome {
  readonly copies: readonly WaitingDelivery[];
  readonly problem: string | null;
}

/**
 * Tries to put a letter on the bus. If the bus refuses one, it will refuse it again, but perhaps for one of its receivers alone; an outage
 * ends the round, and the next one goes on.
 */
function tryPut(put: (letter: EventLetter) => void, copies: readonly WaitingDelivery[]): Outcome[] {
  const [first] = copies;
  if (first === undefined) return [];
  try {
    put(letterOf(first, copies));
    return [{ copies, problem: null }];
  } catch (cause) {
    if (!(cause instanceof Refusal) || cause.code === "bus.not-sent") throw cause;
    if (copies.length > 1) return copies.flatMap((one) => tryPut(put, [one]));
    return [{ copies, problem: `${cause.code}: ${cause.message}` }];
  }
}

function letterOf(one: WaitingDelivery, copies: readonly WaitingDelivery[]): EventLetter {
  const fields = Object.entries(JSON.parse(one.fields) as Record<string, string>);
  return {
    id: one.message_id,
    from: one.actor === "owner" ? "agentowner" : one.actor,
    to: copies.map(({ recipient }) => recipient),
    kind: `event.${one.type}`,
    task: one.task,
    text: [`[${one.type}, ${one.severity}] ${one.text}`, ...fields.map(([name, value]) => `${name}: ${value}`)].join(
      "\n",
    ),
  };
}
