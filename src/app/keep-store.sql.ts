// The database's own state: its schema, and how far it has taken in the records of commands.

import type { Kysely } from "kysely";
import type { Tables } from "../store/tables.ts";
import type { IntakePositionsTable } from "../store/tables/records.ts";

type Db = Kysely<Tables>;

/** 0 before the first migration. */
export async function schemaVersion(db: Db): Promise<number> {
  const row = await db
    .selectFrom("schema_migrations")
    .select((eb) => eb.fn.max("version").as("version"))
    .executeTakeFirst();
  return row?.version ?? 0;
}

export async function intakePositions(
  db: Db,
  constellation: string,
): Promise<Pick<IntakePositionsTable, "file" | "offset_bytes">[]> {
  return await db
    .selectFrom("intake_positions")
    .select(["file", "offset_bytes"])
    .where("constellation", "=", constellation)
    .execute();
}
