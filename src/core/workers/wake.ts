// Wakes workers, inside the job that writes the cause. Each is on the timeline once, however many causes come until its next turn.

import type { Tx } from "../../store/group-commit.ts";
import { wakeByMessages, wakeByNotices } from "./wake.sql.ts";

const askedAtOnce = 100;

export async function wakeForMessages(
  tx: Tx,
  constellation: string,
  messages: readonly { readonly receiver: string; readonly name: string }[],
): Promise<void> {
  const mine = messages.filter(({ receiver }) => receiver.startsWith("agentw"));
  for (let from = 0; from < mine.length; from += askedAtOnce) {
    const woken = await wakeByMessages(tx, constellation, mine.slice(from, from + askedAtOnce));
    for (const agent of woken) await note(tx, agent, "a message");
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

async function note(tx: Tx, agent: string, by: string): Promise<void> {
  await tx.record({ type: "worker.woken", subject: `agent:${agent}`, actor: "daemon", data: { by } });
}
