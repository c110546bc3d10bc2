// Where a task stands, written to its issue as one comment that is changed. Asked again after a crash, the forge shows the comment
// that was written, and it is changed instead of written twice.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import { pullsOf } from "../pulls/queries.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { issueMarker, mostAtOnce } from "./issue.ts";
import { dueComments, updateIssueTask } from "./issues.sql.ts";
import { patience } from "./patience.ts";
import { commentText, digestOf } from "./text.ts";

export async function writeBack(context: TaskContext, signal: AbortSignal): Promise<void> {
  const { store, constellation, clock } = context;
  for (const row of await dueComments(store.db, constellation, clock.nowMs(), mostAtOnce)) {
    if (signal.aborted) return;
    try {
      await tell(context, row);
    } catch (cause) {
      const isForges = cause instanceof Outage || (cause instanceof Refusal && cause.code.startsWith("forge."));
      if (!isForges) throw cause;
      const outages = row.outages + 1;
      const problem = messageOf(cause).slice(0, 500);
      await store.write((tx) => updateIssueTask(tx, row, { outages, problem, retry_ms: tx.nowMs + patience(outages) }));
    }
  }
}

async function tell(context: TaskContext, row: Awaited<ReturnType<typeof dueComments>>[number]): Promise<void> {
  const { store, machine } = context;
  const pull = (await pullsOf(context, row.task)).findLast(({ url }) => url !== null)?.url ?? null;
  const text = commentText({ task: row.task, state: row.task_state, pull, landedSha: row.landed_sha });
  const told = digestOf(text);
  if (told !== row.told) {
    const forge = machine.forges.open(machine.forges.placeOf(row.origin));
    machine.step("issue.telling");
    await forge.putComment("issue", row.issue, { marker: issueMarker(row.follow), text });
    machine.step("issue.told");
  }
  await store.write((tx) =>
    updateIssueTask(tx, row, { told, seen_ms: row.task_updated_ms, outages: 0, retry_ms: null, problem: null }),
  );
}
