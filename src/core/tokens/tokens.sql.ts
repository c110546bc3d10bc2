// Every question about tokens.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { TokensTable } from "../../store/tables/trust.ts";

export function tokenByHash(db: Kysely<Tables>, constellation: string, hash: string): Promise<TokensTable | undefined> {
  return db
    .selectFrom("tokens")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("hash", "=", hash)
    .executeTakeFirst();
}

export function allTokens(db: Kysely<Tables>, constellation: string): Promise<TokensTable[]> {
  return db
    .selectFrom("tokens")
    .selectAll()
    .where("constellation", "=", constellation)
    .orderBy("created_ms")
    .orderBy("id")
    .execute();
}

export async function updateToken(db: Kysely<Tables>, id: string, change: Partial<TokensTable>): Promise<void> {
  await db.updateTable("tokens").set(change).where("id", "=", id).execute();
}
