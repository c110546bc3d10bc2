// Resuming after a limit: who is due to be told to go on, and that it was done. The telling itself is a message on the bus
// with a key of its own, so doing it twice is one message.

import type { Store } from "../../store/open.ts";
import { agentRow, agentRows, updateAgent } from "./agents.sql.ts";

export interface Due {
  readonly agent: string;
  readonly dueMs: number;
}

/** Agents whose limit has lifted and that stand idle with their work cut short. */
export async function dueToResume(store: Pick<Store, "db" | "constellation">, nowMs: number): Promise<Due[]> {
  const rows = await agentRows(store.db, store.constellation);
  return rows.flatMap(({ agent, seen, wanted, resume_due_ms: dueMs }) =>
    dueMs !== null && dueMs <= nowMs && seen === "idle" && wanted === "up" ? [{ agent, dueMs }] : [],
  );
}

/** The same while nobody looks at agents: whoever was last seen limited, or idle after it, and whose time has come. */
export async function dueToGoOn(store: Pick<Store, "db" | "constellation">, nowMs: number): Promise<Due[]> {
  const rows = await agentRows(store.db, store.constellation);
  return rows.flatMap(({ agent, seen, wanted, resume_due_ms: dueMs }) =>
    dueMs !== null && dueMs <= nowMs && (seen === "limited" || seen === "idle") && wanted === "up"
      ? [{ agent, dueMs }]
      : [],
  );
}

export function resumed(store: Store, { agent, dueMs }: Due): Promise<void> {
  const { constellation } = store;
  return store.write(async (tx) => {
    const row = await agentRow(tx.db, constellation, agent);
    if (row?.resume_due_ms === dueMs) await updateAgent(tx.db, { constellation, agent }, { resume_due_ms: null });
  });
}
