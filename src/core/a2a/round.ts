// One round of requests of outside agents: accepted ones are given out, words that were let through reach the agent that has the task, and
// what becomes of the task is told. Safe to run twice: each step reads what is so before it does anything.

import { messageOf, Outage, Refusal } from "../../protocol/errors.ts";
import type { A2aPart } from "../../protocol/a2a.ts";
import type { A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { dispatchTask } from "../tasks/assigning/dispatch.ts";
import type { TaskContext } from "../tasks/task-context.ts";
import { taskOfRequest } from "../tasks/for-requests.ts";
import { findRequest, messagesOf, noteTold, openRequests, updateRequest } from "./a2a.sql.ts";
import { handOverArtefact, moveTo } from "./change.ts";
import { changesOf, landedOf } from "./handed.ts";
import { isGenuine } from "./request.ts";
import { saysOfTask, stateOfTask } from "./rules.ts";
import { agentsWith } from "./skills.ts";
import { furtherText } from "./words.ts";

export async function a2aRound(context: TaskContext, log: (line: string) => void): Promise<void> {
  const { store, constellation } = context;
  const rows = (await openRequests(store.db, constellation)).filter(({ decision }) => decision === "accepted");
  for (const row of rows) {
    // A decision that somebody wrote past constel lets nothing through.
    if (row.task === null || !isGenuine(context.audit?.verify, row)) continue;
    try {
      await step(context, row, await taskOfRequest(store.db, constellation, row.task), log);
    } catch (cause) {
      if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
      log(`request ${row.id} of an outside agent: ${messageOf(cause)}`);
    }
  }
}

async function step(
  context: TaskContext,
  row: A2aRequestsTable,
  task: TasksTable,
  log: (line: string) => void,
): Promise<void> {
  if (row.given_ms === null) await giveOut(context, row, task, log);
  if (task.agent !== null && task.state === "in_progress") await passOn(context, row, task.agent);
  await tell(context, row, task, log);
}

/** Once: what the owner does with the task afterwards is theirs. */
async function giveOut(
  context: TaskContext,
  row: A2aRequestsTable,
  task: TasksTable,
  log: (line: string) => void,
): Promise<void> {
  const { store } = context;
  if (task.state === "open") {
    const able = await agentsWith(context, row.skill);
    const agent = row.agent ?? able?.[0];
    const wish = { task: task.number, to_workspace: false, fetch: true, dry_run: false };
    try {
      await dispatchTask(context, agent === undefined ? wish : { ...wish, agent });
    } catch (cause) {
      if (!(cause instanceof Refusal)) throw cause;
      log(`task ${task.number} of an outside agent is not given out: ${cause.message}`);
    }
  }
  await store.write((tx) => updateRequest(tx, row.id, { given_ms: tx.nowMs }));
}

async function passOn(context: TaskContext, row: A2aRequestsTable, agent: string): Promise<void> {
  const { store, constellation, machine } = context;
  const { deliver } = machine;
  const passed = (await messagesOf(store.db, constellation, [row.id])).filter(({ state }) => state === "passed");
  if (deliver === undefined || row.task === null) return;
  for (const message of passed) {
    const text = furtherText({ ...row, task: row.task }, JSON.parse(message.parts) as A2aPart[]);
    deliver.put({ id: message.id, to: agent, kind: "note", task: row.task, text });
    machine.step("a2a.put");
    await store.write((tx) => noteTold(tx, message.id));
  }
}

async function tell(
  context: TaskContext,
  { id }: A2aRequestsTable,
  task: TasksTable,
  log: (line: string) => void,
): Promise<void> {
  const { store, constellation } = context;
  const hasWork = task.ready_sha !== null || task.state === "ready" || task.state === "closed";
  const before = await findRequest(store.db, constellation, id);
  const text = saysOfTask(task.state);
  const state = stateOfTask(task.state);
  const told = `${task.state} ${task.ready_ms ?? ""}`;
  if (before === undefined || before.told === told) return;
  const changes = hasWork ? await changesOf(context, task, log) : undefined;
  await store.write(async (tx) => {
    let row = await findRequest(tx.db, constellation, id);
    if (row === undefined || row.ended_ms !== null) return;
    if (changes !== undefined) row = await handOverArtefact(context, tx, row, changes);
    if (task.state === "closed") row = await handOverArtefact(context, tx, row, landedOf(task));
    await moveTo(context, tx, row, { state, text });
    await updateRequest(tx, id, { told });
  });
}
