// Every question about the owner's directives.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { SignedDirectivesTable } from "../../store/tables/trust.ts";

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
