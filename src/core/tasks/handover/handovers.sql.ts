// Every question hand-overs ask of the database.

import type { Kysely } from "kysely";
import type { Tx } from "../../../store/group-commit.ts";
import type { Tables } from "../../../store/tables.ts";
import type { HandoversTable } from "../../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export const putHandover = (tx: Tx, row: HandoversTable): Promise<void> => tx.insert("handovers", row);

/** What the agent of this assignment was left by the one before; undefined when the task was not handed over to it. */
export async function capsuleFor(db: Db, constellation: string, dispatch: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("handovers")
    .select("capsule")
    .where("constellation", "=", constellation)
    .where("dispatch", "=", dispatch)
    .executeTakeFirst();
  return row?.capsule;
}

/** The newest messages of an agent about its task that nobody answered. */
export async function unansweredOf(
  db: Db,
  constellation: string,
  { agent, task }: { readonly agent: string; readonly task: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("messages")
    .select(["receiver", "text"])
    .where("constellation", "=", constellation)
    .where("sender", "=", agent)
    .where("task", "=", String(task))
    .where("text", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("messages as answers")
            .select("answers.name")
            .whereRef("answers.constellation", "=", "messages.constellation")
            .whereRef("answers.receiver", "=", "messages.sender")
            .whereRef("answers.in_reply_to", "=", "messages.message_id"),
        ),
      ),
    )
    .orderBy("sent_ms", "desc")
    .limit(5)
    .execute();
  return rows.map(({ receiver, text }) => `to ${receiver}: ${text ?? ""}`);
}
