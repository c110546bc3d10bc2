// An event is told once and then over, unlike a finding, which says at every round whether it still holds. Where the conversation that
// heard it is not the agent's any more and nothing says that somebody dealt with it, the successor is told, for as long as a day.

import type { Context } from "../context.ts";
import { eventsToldTo, putNotices } from "./notices.sql.ts";
import { settled, unheard } from "./rules.ts";

/** An older event was for another day. */
const anewMs = 24 * 3_600_000;

export async function tellAnew(
  context: Pick<Context, "store" | "constellation" | "clock">,
  agents: readonly string[],
  conversationOf: (agent: string) => string | undefined,
): Promise<void> {
  const { store, constellation } = context;
  const since = context.clock.nowMs() - anewMs;
  const anew = async (db: typeof store.db) =>
    (await eventsToldTo(db, constellation, agents, since)).flatMap((notice) => {
      const now = unheard(notice, conversationOf(notice.agent));
      return now === notice ? [] : [now];
    });
  if (agents.length === 0 || (await anew(store.db)).length === 0) return;
  await store.write(async (tx) => {
    const notices = (await anew(tx.db)).map((notice) => settled({ ...notice, ended_ms: null }, tx.nowMs, ""));
    await putNotices(tx, notices, () => false);
  });
}
