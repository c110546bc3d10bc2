// An outside agent stops its request: its task is cancelled with it, unless it is landing at this moment.

import { Refusal } from "../../protocol/errors.ts";
import type { A2aTask } from "../../protocol/a2a.ts";
import type { Context } from "../context.ts";
import { taskOfRequest } from "../tasks/for-requests.ts";
import { cancelTask } from "../tasks/update.ts";
import { moveTo } from "./change.ts";
import { ownRequest, refuseIfOver } from "./request.ts";
import { shown } from "./shown.ts";

export async function stop(context: Context, { id }: { readonly id: string }): Promise<A2aTask> {
  const { store, constellation } = context;
  const row = await ownRequest(store.db, context, id);
  refuseIfOver(row);
  if (row.task !== null) await cancel(context, row.task);
  return store.write(async (tx) => {
    const now = await ownRequest(tx.db, context, id);
    const { state } = now.task === null ? { state: "cancelled" } : await taskOfRequest(tx.db, constellation, now.task);
    if (state !== "cancelled") refuseIfOver({ ...now, ended_ms: tx.nowMs, state: "completed" });
    return await shown(
      tx.db,
      await moveTo(context, tx, now, { state: "canceled", text: "It was stopped, as you asked." }),
    );
  });
}

async function cancel(context: Context, task: number): Promise<void> {
  try {
    await cancelTask(context, { task, reason: "the outside agent that asked for it stopped it" });
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    if (cause.code === "task.landing")
      throw new Refusal("a2a.landing", "its work is being landed at this moment", { task });
    // It was cancelled or has landed before: what it is now says which.
    if (cause.code !== "task.not-allowed") throw cause;
  }
}
