// The version of constel that wrote to a database last. An older one leaves the database alone, also where it knows the schema: it would put its own views in
// the place of the newer ones', and could not know what else the newer one keeps there. The way back is `constel downgrade`, which names the older
// version here before that one starts.

import { sql } from "kysely";
import { Refusal } from "../protocol/errors.ts";
import { columnsOf, type Untyped } from "./migrations/migration.ts";
import type { Dialect } from "./tables.ts";

/** In the table `meta`. */
export const writtenByKey = "written-by";

/** Undefined where no version was written down: then any version may write. */
export async function writtenBy(db: Untyped, dialect: Dialect): Promise<string | undefined> {
  if (!(await columnsOf(db, dialect, "meta")).includes("value")) return undefined;
  const found = await sql<{ value: string }>`select value from meta where key = ${writtenByKey}`.execute(db);
  return found.rows[0]?.value;
}

/** Inside a transaction of the caller. */
export async function nameWriter(db: Untyped, version: string): Promise<void> {
  await sql`delete from meta where key = ${writtenByKey}`.execute(db);
  await sql`insert into meta (key, value) values (${writtenByKey}, ${version})`.execute(db);
}

/** A version that cannot be compared is newer than nothing. */
export const isNewerVersion = (one: string, than: string): boolean => {
  try {
    return Bun.semver.order(one, than) > 0;
  } catch {
    return false;
  }
};

export function refuseNewerWriter(database: string, last: string | undefined, own: string): void {
  if (last === undefined || !isNewerVersion(last, own)) return;
  throw new Refusal(
    "store.newer-version",
    `${database} was last written by constel ${last}; this is constel ${own}, which leaves it alone`,
    { database, newer: last, own },
  );
}
