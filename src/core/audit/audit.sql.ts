// What the audit asks of the database.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** The keys that the timeline says there are. */
export async function knownKeys(db: Kysely<Tables>, constellation: string): Promise<string[]> {
  const rows = await db
    .selectFrom("events")
    .select("subject")
    .where("constellation", "=", constellation)
    .where("subject", ">=", "key:")
    .where("subject", "<", "key;")
    .where("type", "=", "key.added")
    .orderBy("seq")
    .execute();
  return rows.flatMap(({ subject }) => (subject === null ? [] : [subject.slice("key:".length)]));
}
