// A request as its sender is shown it.

import type { A2aArtefact, A2aChange, A2aMessage, A2aPart, A2aState, A2aTask } from "../../protocol/a2a.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aChangesTable, A2aMessagesTable, A2aRequestsTable } from "../../store/tables/a2a.ts";
import { artefactsOf, messagesOf } from "./a2a.sql.ts";

export async function shownAll(db: Tx["db"], rows: readonly A2aRequestsTable[]): Promise<A2aTask[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const ids = rows.map(({ id }) => id);
  const messages = Map.groupBy(await messagesOf(db, first.constellation, ids), ({ request }) => request);
  const artefacts = Map.groupBy(await artefactsOf(db, first.constellation, ids), ({ request }) => request);
  return rows.map((row) => ({
    id: row.id,
    context: row.context,
    state: row.state as A2aState,
    skill: row.skill,
    said: row.said === null ? null : (JSON.parse(row.said) as A2aMessage),
    at_ms: row.updated_ms,
    history: (messages.get(row.id) ?? []).map(shownMessage),
    artefacts: (artefacts.get(row.id) ?? []).map(({ id, name, parts }): A2aArtefact => ({
      id,
      name,
      parts: JSON.parse(parts) as A2aPart[],
    })),
    seq: row.seq,
  }));
}

export async function shown(db: Tx["db"], row: A2aRequestsTable): Promise<A2aTask> {
  const [task] = await shownAll(db, [row]);
  if (task === undefined) throw new Error("a request is shown as itself");
  return task;
}

const shownMessage = (row: A2aMessagesTable): A2aMessage => ({
  id: row.message_id,
  role: row.role as A2aMessage["role"],
  parts: JSON.parse(row.parts) as A2aPart[],
  at_ms: row.at_ms,
});

export const shownChange = ({ seq, data, at_ms }: A2aChangesTable): A2aChange => ({
  ...(JSON.parse(data) as Omit<A2aChange, "seq" | "at_ms">),
  seq,
  at_ms,
});
