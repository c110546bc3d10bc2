// Looking at published events.

import type { listPublished } from "../../protocol/operations/events.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { ReadContext } from "../context.ts";
import { newestPublished } from "./events.sql.ts";

export async function listEvents(
  { store }: ReadContext,
  input: ParsedInputOf<typeof listPublished>,
): Promise<OutputOf<typeof listPublished>> {
  const { type, to, limit } = input;
  // One more than is shown tells whether there are more.
  const rows = await newestPublished(store.db, store.constellation, { type, to, limit: limit + 1 });
  return {
    events: rows.slice(0, limit).map((row) => ({
      id: row.id,
      at_ms: row.at_ms,
      type: row.type,
      severity: row.severity,
      by: row.actor,
      text: row.text,
      fields: JSON.parse(row.fields) as Record<string, string>,
      task: row.task,
      paths: JSON.parse(row.paths) as string[],
      topics: JSON.parse(row.topics) as string[],
      services: JSON.parse(row.services) as string[],
      capability: row.capability,
      held: row.held === null ? null : row.held === "refused" || row.held === "denied" ? "refused" : "waiting",
      recipients: row.recipients,
      waiting: row.waiting,
    })),
    more: rows.length > limit,
  };
}
