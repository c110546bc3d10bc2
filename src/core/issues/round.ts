// One round over what is followed: looks at the labels whose time has come, and writes back where tasks stand. One process at a
// time, over every daemon that shares the database.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { IssueFollowsTable } from "../../store/tables/issues.ts";
import { whileHolding } from "../tasks/landing/harvest-lease.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { followsOf, updateFollow } from "./issues.sql.ts";
import { patience } from "./patience.ts";
import { lookAtFollow } from "./take-in.ts";
import { writeBack } from "./write-back.ts";

/** False when nothing is followed. */
export async function issuesRound(context: TaskContext, signal: AbortSignal): Promise<boolean> {
  const { store, constellation, clock } = context;
  const follows = await followsOf(store.db, constellation, false);
  if (follows.length === 0) return false;
  await whileHolding(context, `issues ${constellation}`, async () => {
    for (const follow of follows) {
      if (signal.aborted) return;
      if ((follow.retry_ms ?? 0) <= clock.nowMs()) await look(context, follow);
    }
    await writeBack(context, signal);
  });
  return true;
}

async function look(context: TaskContext, follow: IssueFollowsTable): Promise<void> {
  const { forges } = context.machine;
  try {
    const place = forges.placeOf(follow.origin);
    await lookAtFollow(context, follow, { place, forge: forges.open(place) });
  } catch (cause) {
    const isForges = cause instanceof Outage || (cause instanceof Refusal && cause.code.startsWith("forge."));
    if (!isForges) throw cause;
    const outages = follow.outages + 1;
    const waits_for = messageOf(cause).slice(0, 500);
    await context.store.write((tx) =>
      updateFollow(tx, follow.id, { outages, waits_for, retry_ms: tx.nowMs + patience(outages) }),
    );
  }
}
