// By rule (`limits.on_limit = "handover"`): a task whose agent stands at a usage limit goes to a free clone of another program, which has limits of
// its own. Where none is free it waits for the limit to lift, as it does without the rule.

import { messageOf } from "../../../protocol/errors.ts";
import { limitedPast } from "../../agents/free.ts";
import { openDispatches } from "../assigning/dispatches.sql.ts";
import { handOver } from "./hand-over.ts";
import { findFree } from "../assigning/lease-clone.ts";
import type { TaskContext } from "../task-context.ts";

/** A limit that lifts sooner is waited for: another program has to read itself into the work first. */
const worthWaitingMs = 10 * 60_000;

export async function handOverLimited(context: TaskContext, log: (line: string) => void): Promise<void> {
  const { store, constellation, clock, machine } = context;
  if (machine.onLimit !== "handover") return;
  const limited = await limitedPast(store.db, constellation, clock.nowMs() + worthWaitingMs);
  if (limited.size === 0) return;
  const open = await openDispatches(store.db, constellation);
  for (const { task, agent, state } of open) {
    const runtime = agent === null ? undefined : limited.get(agent);
    // One that never had it in its context has nothing to hand over; its brief is given out anew by itself.
    if (agent === null || runtime === undefined || state !== "delivered") continue;
    const to = await freeOfAnother(context, runtime);
    if (to === undefined) continue;
    try {
      await handOver(context, { task, to, because: `${agent} is at its usage limit` });
    } catch (cause) {
      // It stays where it is; the others must not wait for it.
      log(`handing task ${task} over to ${to}: ${messageOf(cause)}`);
    }
  }
}

async function freeOfAnother(context: TaskContext, runtime: string): Promise<string | undefined> {
  const { free } = await findFree(context, {});
  const same = new Set((await findFree(context, { runtime })).free);
  return free.find((agent) => !same.has(agent));
}
