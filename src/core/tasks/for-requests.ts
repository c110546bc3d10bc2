// What requests of outside agents ask of tasks: how one stands, and what one made from a request must show.

import type { Tx } from "../../store/group-commit.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { setCriteria } from "./evidence/criteria.sql.ts";
import { readCriterion } from "./evidence/criteria.ts";
import { findTask } from "./tasks.sql.ts";

export const taskOfRequest = (db: Tx["db"], constellation: string, task: number): Promise<TasksTable> =>
  findTask(db, constellation, task);

/** Inside a job. */
export async function mustShow(
  tx: Tx,
  about: { readonly constellation: string; readonly task: number },
  criteria: readonly string[],
): Promise<void> {
  if (criteria.length > 0) await setCriteria(tx, about, criteria.map(readCriterion));
}
