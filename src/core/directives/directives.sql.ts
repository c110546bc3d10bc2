// Every question about the owner's directives.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { SignedDirectivesTable } from "../../store/tables/trust.ts";

export async function isDirectiveThere(db: Kysely<Tables>, constellation: string, id: string): Promise<boolean> {
  const found = await db
    .selectFrom("signed_directives")
    .select("id")
    .where("constellation", "=", constellation)
    .where("id", "=", id)
    .executeTakeFirst();
  return found !== undefined;
}

export function newestDirectives(
  db: Kysely<Tables>,
  constellation: string,
  limit: number,
): Promise<SignedDirectivesTable[]> {
  return db
    .selectFrom("signed_directives")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
