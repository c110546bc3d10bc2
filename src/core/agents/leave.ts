// Leave: a guest, a session that a person started, has ended. Nobody wants it back, so its row goes; its sessions, messages and events
// stay. When the same session is taken up again it has the same name.

import type { Store } from "../../store/open.ts";
import { agentRow, agentRows, deleteAgent, openSessions, updateSession } from "./agents.sql.ts";

export const guestRole = "guest";

export function guestsLeave(store: Store, agents: readonly string[]): Promise<void> {
  const { constellation } = store;
  return store.write(async (tx) => {
    for (const agent of agents) {
      const row = await agentRow(tx.db, constellation, agent);
      if (row?.role !== guestRole) continue;
      for (const session of await openSessions(tx.db, constellation, agent))
        await updateSession(tx.db, session, { ended_ms: tx.nowMs });
      await deleteAgent(tx.db, row);
      const data = { from: row.seen, to: "dead", on: "process", says: "its session has ended" };
      await tx.record({ type: "agent.seen-changed", subject: `agent:${agent}`, actor: "daemon", data });
    }
  });
}

/** Guests that were there when somebody last looked. */
export async function knownGuests(store: Store): Promise<readonly string[]> {
  const rows = await agentRows(store.db, store.constellation);
  return rows.filter(({ role }) => role === guestRole).map(({ agent }) => agent);
}
