// Puts the copies of published events into the inboxes of the agents they name, a bounded number in one round. Safe to run
// twice: a copy's message id is fixed, so an agent is never handed the same one again.

import { Refusal } from "../../protocol/errors.ts";
import type { Context } from "../context.ts";
import { settleDelivery, type WaitingDelivery, waitingDeliveries } from "./events.sql.ts";

/** A file on the bus takes a few milliseconds on a slow disk; others who want the daemon wait for no more than this many. */
const copiesInARound = 25;

export interface EventLetter {
  readonly id: string;
  readonly from: string;
  readonly to: string;
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
  const outcomes = waiting.map((one) => ({ one, problem: tryPut(put, letterOf(one)) }));
  await store.write(async (tx) => {
    for (const { one, problem } of outcomes) {
      const state = problem === null ? "sent" : "failed";
      await settleDelivery(tx.db, one, { state, sent_ms: problem === null ? tx.nowMs : null, problem });
    }
  });
  const sent = outcomes.filter(({ problem }) => problem === null).length;
  return { sent, more: waiting.length === copiesInARound };
}

/**
 * Tries to put a letter on the bus. If the bus refuses one, it will refuse it again; an outage ends the round, and the next one goes on.
 */
function tryPut(put: (letter: EventLetter) => void, letter: EventLetter): string | null {
  try {
    put(letter);
    return null;
  } catch (cause) {
    if (cause instanceof Refusal && cause.code !== "bus.not-sent") return `${cause.code}: ${cause.message}`;
    throw cause;
  }
}

function letterOf(one: WaitingDelivery): EventLetter {
  const fields = Object.entries(JSON.parse(one.fields) as Record<string, string>);
  return {
    id: one.message_id,
    from: one.actor === "owner" ? "agentowner" : one.actor,
    to: one.recipient,
    kind: `event.${one.type}`,
    task: one.task,
    text: [`[${one.type}, ${one.severity}] ${one.text}`, ...fields.map(([name, value]) => `${name}: ${value}`)].join(
      "\n",
    ),
  };
}
