// What the audit, and the giving of keys to a home, keep in the database: that they once were there. What was noted here and is gone
// outside was taken away.

import type { Kysely } from "kysely";
import type { Store } from "../../store/open.ts";
import type { Tables } from "../../store/tables.ts";

type Mark = "anchored" | "keyed";

/** The first head was anchored: from now on a missing file of heads is a finding. */
export const noteAnchored = (store: Store, constellation: string): Promise<void> =>
  note(store, "anchored", constellation);

/** The home has its keys: from now on what is not signed is not constel's. */
export const noteKeyed = (store: Store, constellation: string): Promise<void> => note(store, "keyed", constellation);

export async function isNoted(db: Kysely<Tables>, mark: Mark, constellation: string): Promise<boolean> {
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", keyOf(mark, constellation))
    .executeTakeFirst();
  return row !== undefined;
}

async function note(store: Store, mark: Mark, constellation: string): Promise<void> {
  if (await isNoted(store.db, mark, constellation)) return;
  await store.write(async (tx) => {
    await tx.db
      .insertInto("meta")
      .values({ key: keyOf(mark, constellation), value: String(tx.nowMs) })
      .onConflict((conflict) => conflict.column("key").doNothing())
      .execute();
  });
}

const keyOf = (mark: Mark, constellation: string): string => `${mark}:${constellation}`;
