import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** The number of the newest event; 0 before the first. */
export async function headSeq(db: Kysely<Tables>, constellation: string): Promise<number> {
  const head = await db
    .selectFrom("chain_heads")
    .select("seq")
    .where("constellation", "=", constellation)
    .executeTakeFirst();
  return head?.seq ?? 0;
}
