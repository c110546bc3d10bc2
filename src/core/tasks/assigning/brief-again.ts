// A brief that reached an agent reached one conversation of it. When the agent was started again in another one, the successor has the
// task and has never heard of it: the assignment is made once more, and carried out and proven like the first. The old one ends without
// a word: nobody is left to whom it could be said. Whoever came back after a crash or a hang has a handoff that names the task.

import type { DispatchesTable } from "../../../store/tables/tasks.ts";
import { launchAt, launchesNow } from "./brief-again.sql.ts";
import { insertDispatch, openDispatches, updateDispatch } from "./dispatches.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { recordTask } from "../tasks.sql.ts";

type Db = TaskContext["store"]["db"];

export async function leaseAgain(context: TaskContext): Promise<void> {
  const { store } = context;
  for (const { id, task } of await unheard(context, store.db)) {
    await store.write(async (tx) => {
      const row = (await unheard(context, tx.db, task)).find((one) => one.id === id);
      if (row === undefined) return;
      const { agent, about, fetch } = row;
      const problem = `${agent} was started again in another conversation`;
      await updateDispatch(tx.db, id, { state: "replaced", problem, ended_ms: tx.nowMs, told_ms: tx.nowMs });
      const notes = JSON.stringify([...(JSON.parse(row.notes) as string[]), problem]);
      const next = await insertDispatch(context, tx, { task, agent, about, fetch, notes });
      await recordTask(context, tx, task, "brief_given_again", { agent, dispatch: next.id, because: problem });
    });
  }
}

/** Open assignments that a conversation heard which is not their agent's any more. */
async function unheard({ constellation }: TaskContext, db: Db, task?: number): Promise<DispatchesTable[]> {
  const open = (await openDispatches(db, constellation, task)).filter(
    ({ agent, delivered_ms: deliveredMs, said_ready_ms: readyMs }) =>
      agent !== null && deliveredMs !== null && readyMs === null,
  );
  if (open.length === 0) return [];
  const launches = await launchesNow(db, constellation);
  const found: DispatchesTable[] = [];
  for (const row of open) {
    const { agent, delivered_ms: deliveredMs } = row;
    const now = launches.get(agent ?? "");
    if (agent === null || deliveredMs === null || now === undefined || now.started_ms <= deliveredMs) continue;
    const then = await launchAt(db, constellation, agent, deliveredMs);
    const isSame = then === undefined || (now.session_id !== null && now.session_id === then.session_id);
    if (!isSame) found.push(row);
  }
  return found;
}
