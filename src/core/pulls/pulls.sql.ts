// Every question about pull requests.

import type { Kysely } from "kysely";
import type { Tx } from "../../store/group-commit.ts";
import type { Tables } from "../../store/tables.ts";
import type { PullRequestsTable } from "../../store/tables/pulls.ts";

type Db = Kysely<Tables>;

/** Those to look at now: their time has come, or their task changed since they were looked at. The oldest first. */
export async function duePulls(
  db: Db,
  constellation: string,
  nowMs: number,
): Promise<Pick<PullRequestsTable, "id" | "origin">[]> {
  return await openWithTask(db, constellation)
    .select(["pull_requests.id", "pull_requests.origin"])
    .where((eb) =>
      eb.or([
        eb("pull_requests.retry_ms", "is", null),
        eb("pull_requests.retry_ms", "<=", nowMs),
        eb("tasks.updated_ms", ">", eb.ref("pull_requests.updated_ms")),
      ]),
    )
    .orderBy("pull_requests.created_ms")
    .orderBy("pull_requests.task")
    .execute();
}

/** Of ready tasks: those that go on only when a person does something. */
export async function pullsThatAsk(db: Db, constellation: string) {
  return await openWithTask(db, constellation)
    .select(["pull_requests.id", "tasks.number", "tasks.agent", "pull_requests.waits_for", "pull_requests.url"])
    .select("pull_requests.asks_ms as since_ms")
    .where("pull_requests.asks_ms", "is not", null)
    .where("tasks.state", "=", "ready")
    .orderBy("tasks.number")
    .limit(200)
    .execute();
}

const openWithTask = (db: Db, constellation: string) =>
  db
    .selectFrom("pull_requests")
    .innerJoin("tasks", (join) =>
      join
        .onRef("tasks.number", "=", "pull_requests.task")
        .onRef("tasks.constellation", "=", "pull_requests.constellation"),
    )
    .where("pull_requests.constellation", "=", constellation)
    .where("pull_requests.ended_ms", "is", null);

export async function tasksWithOpenPull(db: Db, constellation: string): Promise<number[]> {
  const rows = await db
    .selectFrom("pull_requests")
    .select("task")
    .distinct()
    .where("constellation", "=", constellation)
    .where("ended_ms", "is", null)
    .execute();
  return rows.map(({ task }) => task);
}

export function pullsOfTask(db: Db, constellation: string, task: number): Promise<PullRequestsTable[]> {
  return db
    .selectFrom("pull_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("task", "=", task)
    .orderBy("created_ms")
    .orderBy("id")
    .execute();
}

/** Landed since then, the oldest first. */
export function landedPulls(db: Db, constellation: string, sinceMs: number): Promise<PullRequestsTable[]> {
  return db
    .selectFrom("pull_requests")
    .selectAll()
    .where("constellation", "=", constellation)
    .where("outcome", "=", "landed")
    .where("ended_ms", ">", sinceMs)
    .orderBy("ended_ms")
    .execute();
}

export function findPull(db: Db, id: string): Promise<PullRequestsTable | undefined> {
  return db.selectFrom("pull_requests").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The newest first. */
export function listPullRows(db: Db, constellation: string, all: boolean, limit: number): Promise<PullRequestsTable[]> {
  let select = db.selectFrom("pull_requests").selectAll().where("constellation", "=", constellation);
  if (!all) select = select.where("ended_ms", "is", null);
  return select.orderBy("created_ms", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function countPulls(db: Db, constellation: string, all: boolean): Promise<number> {
  let select = db
    .selectFrom("pull_requests")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("constellation", "=", constellation);
  if (!all) select = select.where("ended_ms", "is", null);
  return Number((await select.executeTakeFirstOrThrow()).count);
}

export async function updatePull(tx: Tx, id: string, change: Partial<PullRequestsTable>): Promise<void> {
  await tx.db
    .updateTable("pull_requests")
    .set({ ...change, updated_ms: tx.nowMs })
    .where("id", "=", id)
    .execute();
}

/** Those that wait for another's landing lie on the target from now on. */
export async function moveToTarget(tx: Tx, constellation: string, parent: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom("pull_requests")
    .select(["id", "task", "target"])
    .where("constellation", "=", constellation)
    .where("on_task", "=", parent)
    .where("ended_ms", "is", null)
    .execute();
  for (const { id, target } of rows)
    await updatePull(tx, id, { base: target, on_task: null, rebase: 1, retry_ms: null });
  return rows.map(({ task }) => task);
}
