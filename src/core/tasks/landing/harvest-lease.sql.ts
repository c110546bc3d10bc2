// The row of the harvesters' lease. Each change names the token, so that it changes nothing once another has taken the lease.

import type { Kysely } from "kysely";
import type { Tables } from "../../../store/tables.ts";

type Db = Kysely<Tables>;
type LeaseRow = Tables["task_leases"];

export function findLease(db: Db, name: string): Promise<LeaseRow | undefined> {
  return db.selectFrom("task_leases").selectAll().where("name", "=", name).executeTakeFirst();
}

/** False when another has taken it since. */
export async function updateLease(
  db: Db,
  { name, token }: Pick<LeaseRow, "name" | "token">,
  change: Partial<LeaseRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("task_leases")
    .set(change)
    .where("name", "=", name)
    .where("token", "=", token)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
