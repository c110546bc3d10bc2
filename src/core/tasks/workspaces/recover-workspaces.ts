// Workspaces between two states, and the way back. While one is made, removed or brought back its row names who does it. When that
// process has ended, or is this one and has given up (a full disk keeps it from noting even that), nobody is at it any more: it is
// brought to a state that ends, by what stands on the disk.
//
//   making     ──► ready when the clone is whole, else the row goes and whoever wants the workspace makes it again
//   removing   ──► ready when it was not saved yet, else removed
//   restoring  ──► ready when it is whole, else removed, with its rescue as before

import { messageOf } from "../../../protocol/errors.ts";
import type { WorkspacesTable } from "../../../store/tables/tasks.ts";
import { keepRescue, noteRestored } from "./rescues.ts";
import type { TaskContext } from "../task-context.ts";
import { recordTask } from "../tasks.sql.ts";
import { deleteWorkspace, updateWorkspace, workspaceRoots, workspacesInStates } from "./workspaces.sql.ts";

const between = ["making", "removing", "restoring"];

/** Nobody is at it. `asking`: who asks holds it already. */
export function isAbandoned(
  { machine }: TaskContext,
  { id, holder }: Pick<WorkspacesTable, "id" | "holder">,
  options: { readonly asking?: boolean } = {},
): boolean {
  if (holder === null) return true;
  if (holder === machine.holder) return options.asking === true || !machine.inHand.has(id);
  return machine.isGone(holder);
}

/**
 * The time for which a workspace that nobody works on is left alone: a caller that was cut off usually asks again, and then goes on by
 * itself. `since` keeps when each was first seen so.
 */
export interface Patience {
  readonly ms: number;
  readonly since: Map<string, number>;
}

export async function recoverWorkspaces(
  context: TaskContext,
  log: (line: string) => void,
  patience: Patience = { ms: 0, since: new Map() },
): Promise<void> {
  const { store, constellation, machine } = context;
  const rows = await workspacesInStates(store.db, constellation, between);
  for (const row of rows) {
    if (machine.inHand.has(row.id) || !isAbandoned(context, row)) {
      patience.since.delete(row.id);
      continue;
    }
    const nowMs = context.clock.monotonicMs();
    const sinceMs = patience.since.get(row.id) ?? nowMs;
    patience.since.set(row.id, sinceMs);
    if (nowMs - sinceMs < patience.ms) continue;
    machine.inHand.add(row.id);
    try {
      const state = await settle(context, row);
      log(`workspace ${row.path} was left ${row.state}; it is ${state} now`);
    } catch (cause) {
      // Tried again in the next round; the others must not wait for it.
      log(`workspace ${row.path} is still ${row.state}: ${messageOf(cause)}`);
    } finally {
      machine.inHand.delete(row.id);
    }
  }
}

async function settle(context: TaskContext, row: WorkspacesTable): Promise<string> {
  const { store, machine } = context;
  const stands = await machine.workspaces.settle({ root: row.root, place: row.place });
  if (row.state === "removing" && !stands) return await endRemoval(context, row);
  const facts = stands ? await machine.workspaces.look(row.path, "HEAD", row.branch) : undefined;
  const isWhole = facts?.exists === true && (row.state !== "making" || facts.branch === row.branch);
  const state = isWhole ? "ready" : row.state === "making" ? "gone" : "removed";
  await store.write(async (tx) => {
    if (state === "gone") await deleteWorkspace(tx.db, row.id);
    else if (state === "removed") await updateWorkspace(tx.db, row.id, { state, holder: null });
    else {
      const base = row.state === "making" ? { base_sha: facts?.head ?? row.base_sha } : {};
      await updateWorkspace(tx.db, row.id, { state, holder: null, removing_ms: null, removed_ms: null, ...base });
    }
    if (state === "ready" && row.state === "restoring") await noteRestored(tx, row);
    await recordTask(context, tx, row.task, "workspace_settled", { path: row.path, was: row.state, is: state });
  });
  return state;
}

/** It was saved and is gone: what it was saved as is found by the time the removal began. */
async function endRemoval(context: TaskContext, row: WorkspacesTable): Promise<string> {
  const { store, machine } = context;
  const rescue = await machine.workspaces.remove({
    root: row.root,
    place: row.place,
    source: row.source,
    name: `${row.task}-${row.name}`,
    nowMs: row.removing_ms ?? row.created_ms,
    bundles: machine.bundles,
    withIgnored: false,
  });
  const where = rescue?.where ?? null;
  await store.write(async (tx) => {
    await updateWorkspace(tx.db, row.id, { state: "removed", holder: null, removed_ms: tx.nowMs, rescue: where });
    if (where !== null) await keepRescue(context, tx, row, where);
    await recordTask(context, tx, row.task, "workspace_removed", { path: row.path, rescue: where });
  });
  return "removed";
}

/** Clones that were never finished and removals that were cut off, which no row knows of any more. */
export async function sweepWorkspaces(context: TaskContext, log: (line: string) => void): Promise<void> {
  const { store, constellation, machine } = context;
  for (const root of await workspaceRoots(store.db, constellation))
    for (const path of await machine.workspaces.sweep(root)) log(`removed ${path}, which nobody was at any more`);
}
