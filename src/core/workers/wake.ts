// Wakes workers, inside the job that writes the cause. Each is on the timeline once, however many causes come until its next turn.

import type { Tx } from "../../store/group-commit.ts";
import { endlessWriters, mostExchanges, wakeByMessages, wakeByNotices } from "./wake.sql.ts";
import { park } from "./worker.ts";
import { workerRow } from "./workers.sql.ts";

const askedAtOnce = 100;

export async function wakeForMessages(
  tx: Tx,
  constellation: string,
  messages: readonly { readonly receiver: string; readonly name: string }[],
): Promise<void> {
  const mine = messages.filter(({ receiver }) => receiver.startsWith("agentw"));
  for (let from = 0; from < mine.length; from += askedAtOnce) {
    const some = mine.slice(from, from + askedAtOnce);
    for (const agent of await wakeByMessages(tx, constellation, some)) await note(tx, agent, "a message");
    await parkEndless(tx, constellation, some);
  }
}

export async function wakeForNotices(
  tx: Tx,
  constellation: string,
  notices: readonly { readonly id: string; readonly agent: string; readonly severity: string }[],
): Promise<void> {
  const mine = notices.filter(({ agent, severity }) => severity === "high" && agent.startsWith("agentw"));
  if (mine.length === 0) return;
  const ids = mine.map(({ id }) => id).slice(0, askedAtOnce);
  for (const agent of await wakeByNotices(tx, constellation, ids)) await note(tx, agent, "a notice");
}

/** Two workers that answer each other for ever, or one that writes to itself: whoever writes too much is parked, so that the owner is told. */
async function parkEndless(
  tx: Tx,
  constellation: string,
  messages: readonly { readonly name: string }[],
): Promise<void> {
  const names = messages.map(({ name }) => name);
  for (const { agent, receiver } of await endlessWriters(tx, constellation, names)) {
    const worker = await workerRow(tx.db, { constellation, agent });
    if (worker === undefined || worker.state === "parked" || worker.state === "stopped") continue;
    const to = receiver === agent ? "itself" : receiver;
    await park(
      tx,
      worker,
      `it wrote to ${to} more than ${mostExchanges} times within an hour; what it wrote since waits there`,
    );
  }
}

async function note(tx: Tx, agent: string, by: string): Promise<void> {
  await tx.record({ type: "worker.woken", subject: `agent:${agent}`, actor: "daemon", data: { by } });
}
