// Artefacts in the database: a row for each name, and each content once, by its hash.

import type { Kysely } from "kysely";
import type { Tx } from "../../../store/group-commit.ts";
import type { Tables } from "../../../store/tables.ts";
import type { ArtefactsTable } from "../../../store/tables/tasks.ts";

type Db = Kysely<Tables>;

export async function artefactsOf(db: Db, constellation: string, task: number): Promise<ArtefactsTable[]> {
  return await db
    .selectFrom("artefacts")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("name")
    .execute();
}

/** Base64; undefined when it is not there. */
export async function contentOf(db: Db, constellation: string, sha256: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("artefact_contents")
    .select("content")
    .where("constellation", "=", constellation)
    .where("sha256", "=", sha256)
    .executeTakeFirst();
  return row?.content;
}

/** Inside a job: the same name again takes the place of what was there. */
export async function putArtefact(tx: Tx, row: ArtefactsTable, content: string): Promise<void> {
  const { constellation, task, name, sha256 } = row;
  await tx.db
    .deleteFrom("artefacts")
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .where("name", "=", name)
    .execute();
  await tx.insert("artefacts", row);
  if ((await contentOf(tx.db, constellation, sha256)) === undefined)
    await tx.insert("artefact_contents", { constellation, sha256, content });
  await dropUnnamedContents(tx.db, constellation);
}

async function dropUnnamedContents(db: Db, constellation: string): Promise<void> {
  await db
    .deleteFrom("artefact_contents")
    .where("constellation", "=", constellation)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("artefacts")
            .select("name")
            .whereRef("artefacts.constellation", "=", "artefact_contents.constellation")
            .whereRef("artefacts.sha256", "=", "artefact_contents.sha256"),
        ),
      ),
    )
    .execute();
}

/** Those of tasks that ended before this, oldest first; answers how many went. */
export async function dropOldArtefacts(
  db: Db,
  {
    constellation,
    beforeMs,
    limit,
  }: { readonly constellation: string; readonly beforeMs: number; readonly limit: number },
): Promise<number> {
  const rows = await db
    .selectFrom("artefacts")
    .innerJoin("tasks", (join) =>
      join.onRef("tasks.constellation", "=", "artefacts.constellation").onRef("tasks.number", "=", "artefacts.task"),
    )
    .select(["artefacts.task", "artefacts.name"])
    .where("artefacts.constellation", "=", constellation)
    .where("tasks.state", "in", ["closed", "cancelled"])
    .where("tasks.updated_ms", "<", beforeMs)
    .where("artefacts.added_ms", "<", beforeMs)
    .orderBy("artefacts.added_ms")
    .limit(limit)
    .execute();
  for (const { task, name } of rows) {
    await db
      .deleteFrom("artefacts")
      .where("constellation", "=", constellation)
      .where("task", "=", task)
      .where("name", "=", name)
      .execute();
  }
  if (rows.length > 0) await dropUnnamedContents(db, constellation);
  return rows.length;
}
