// Handing a task over: the agent that has it gives it up, living, limited or dead, and another one, perhaps of another program, goes on in the same
// workspace and on the same branch, with a capsule of what is known. All it holds is saved under a ref before anything changes hands. In one
// transaction the old assignment ends and the new one begins: nobody else can have the task in between. The dispatcher delivers it as any
// assignment, and tells the one before, if it lives, to leave it alone.

import { messageOf, Refusal } from "../../../protocol/errors.ts";
import type { TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import { sessionOfAgent } from "../../agents/queries.ts";
import { list as listDecisions } from "../../decisions/decision.ts";
import { capsuleText } from "./capsule.ts";
import { endDispatches, openDispatches, takeFromQueue } from "../assigning/dispatches.sql.ts";
import { putHandover, unansweredOf } from "./handovers.sql.ts";
import { harvestsOfTask, refuseIfLanding } from "../landing/harvests.sql.ts";
import { leaseIn } from "../assigning/lease-clone.ts";
import { refuseStranger } from "../landing/ready.ts";
import type { TaskContext } from "../task-context.ts";
import { moveOf } from "../task.ts";
import { findTask, recordTask, updateTask } from "../tasks.sql.ts";
import { refuseUnableAgent } from "../assigning/who-can.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";

export interface HandOver {
  readonly task: number;
  readonly to: string;
  readonly because: string;
}

export interface HandedOver {
  readonly task: number;
  readonly from: string | null;
  readonly to: string;
  readonly dispatch: string;
  /** Where all that the workspaces held was saved. */
  readonly kept: string[];
  readonly capsule: string;
}

export async function handOver(context: TaskContext, { task: number, to, because }: HandOver): Promise<HandedOver> {
  const { store, constellation, actor } = context;
  const task = await findTask(store.db, constellation, number);
  await refuseStranger(context, store.db, task);
  const [open] = await openDispatches(store.db, constellation, number);
  const from = open?.agent ?? task.agent;
  if (from === to)
    throw new Refusal("task.leased", `task ${number} is with ${to} already`, { task: number, agent: to });
  moveOf(task, "release");
  await refuseIfLanding(store.db, constellation, number);
  await refuseUnableAgent(context, task, to);
  const { capsule, kept } = await capsuleOf(context, task, { from, because });
  const dispatch = await store.write(async (tx) => {
    const now = await findTask(tx.db, constellation, number);
    await refuseIfLanding(tx.db, constellation, number);
    const [still] = await openDispatches(tx.db, constellation, number);
    if (still?.id !== open?.id)
      throw new Refusal("task.lease-lost", `task ${number} changed hands meanwhile`, { task: number });
    const [busy] = (await openDispatches(tx.db, constellation)).filter(({ agent }) => agent === to);
    if (busy !== undefined)
      throw new Refusal("task.leased", `${to} has task ${busy.task} in hand`, { task: busy.task, agent: to });
    const problem = `handed over to ${to}${because === "" ? "" : `: ${because}`}`;
    await endDispatches(tx, constellation, number, { state: "released", problem });
    await takeFromQueue(tx, constellation, number);
    await updateTask(tx.db, now, { state: moveOf(now, "release"), agent: null, updated_ms: tx.nowMs });
    const row = await leaseIn(context, tx, number, to, { fetch: false, notes: [] });
    const facts = { from_agent: from, to_agent: to, because, capsule, kept: JSON.stringify(kept) };
    await putHandover(tx, {
      constellation,
      dispatch: row.id,
      task: number,
      ...facts,
      asked_by: actor,
      at_ms: tx.nowMs,
    });
    await recordTask(context, tx, number, "handed_over", { from, to, because, kept });
    return row.id;
  });
  return { task: number, from, to, dispatch, kept, capsule };
}

async function capsuleOf(
  context: TaskContext,
  task: TasksTable,
  { from, because }: { readonly from: string | null; readonly because: string },
): Promise<{ capsule: string; kept: string[] }> {
  const { store, constellation } = context;
  const standing = (await workspacesOf(store.db, constellation, { task: task.number })).filter(
    ({ state }) => state === "ready",
  );
  const looked = await Promise.all(standing.map((workspace) => lookAt(context, workspace)));
  const { decisions } = await listDecisions(context, { states: ["active"], limit: 200 });
  const rows = await harvestsOfTask(store.db, constellation, task.number);
  const session = from === null ? undefined : await sessionOfAgent(store.db, constellation, from);
  const capsule = capsuleText({
    task: task.number,
    from,
    because,
    workspaces: looked,
    decisions: decisions
      .filter(
        (one) =>
          one.task === task.number ||
          (one.task === null && (one.repository === null || one.repository === task.repository)),
      )
      .map(({ title, text }) => ({ title, text: text ?? "" })),
    failed: rows.flatMap(({ outcome, reason }) => (outcome === "landed" || reason === null ? [] : [reason])),
    questions: from === null ? [] : await unansweredOf(store.db, constellation, { agent: from, task: task.number }),
    session: session ?? null,
    transcript: from === null ? undefined : context.machine.transcriptOf?.(from),
  });
  return { capsule, kept: looked.flatMap(({ ref }) => ref ?? []) };
}

async function lookAt(
  { machine, clock }: TaskContext,
  { path, branch, base_sha: base, root, place, source, id, task }: WorkspacesTable,
) {
  const { head, ahead } = await machine.workspaces.look(path, base, branch);
  const uncommitted = await machine.workspaces.uncommitted(path, head);
  const about = { path, branch, commits: ahead, uncommitted };
  try {
    const ref = await machine.workspaces.saveNow({ root, place, source, name: `${task}-${id}`, nowMs: clock.nowMs() });
    return { ...about, ref, saved: `All of it is saved as ${ref} in ${source}.` };
  } catch (cause) {
    // It is handed over as it stands all the same: the workspace itself stays.
    return { ...about, ref: undefined, saved: `It could not be saved elsewhere: ${messageOf(cause)}.` };
  }
}
