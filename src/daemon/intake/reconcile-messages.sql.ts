import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";

/** What the account has of these messages to an agent. `isRead`: it has their text. */
export async function accountedMessages(
  db: Kysely<Tables>,
  constellation: string,
  { receiver, names }: { readonly receiver: string; readonly names: readonly string[] },
) {
  return await db
    .selectFrom("messages")
    .select(["name", "state", (eb) => eb("text", "is not", null).as("isRead")])
    .where("constellation", "=", constellation)
    .where("receiver", "=", receiver)
    .where("name", "in", [...names])
    .execute();
}
