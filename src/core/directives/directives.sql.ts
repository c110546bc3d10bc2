// Every question about the owner's directives.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { OwnerDirectivesTable } from "../../store/tables/trust.ts";

export function newestDirectives(
  db: Kysely<Tables>,
  constellation: string,
  limit: number,
): Promise<OwnerDirectivesTable[]> {
  return db
    .selectFrom("owner_directives")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("at_ms", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}
