// Keeps work that was called ready outside its workspace until it has landed, so that deleting a workspace loses nothing that was promised.
// `kept_ms` is written before anything is kept: it says where something may be, and a look there finds it, or nothing.

import { Outage } from "../../../protocol/errors.ts";
import type { KeptPlace } from "../../../ports/workspace.ts";
import type { WorkspacesTable } from "../../../store/tables/tasks.ts";
import type { TaskContext } from "../task-context.ts";
import { keptWithoutNeed, updateWorkspace } from "../workspaces/workspaces.sql.ts";

export interface ReadyWork {
  readonly workspace: WorkspacesTable;
  readonly commit: string;
}

/** Answers where each is. */
export async function keepReady(context: TaskContext, works: readonly ReadyWork[]): Promise<string[]> {
  const { store, machine } = context;
  await store.write(async (tx) => {
    for (const { workspace } of works) await updateWorkspace(tx.db, workspace.id, { kept_ms: tx.nowMs });
  });
  machine.step("ready.noted");
  const kept: string[] = [];
  for (const { workspace, commit } of works) {
    const place = placeOf(context, workspace);
    kept.push(await machine.workspaces.keep({ ...place, path: workspace.path, commit }));
    machine.step("ready.kept");
  }
  return kept;
}

/** Returns where to look for the work of a workspace that is gone. Work that `workspace rm` saved is whole, and newer: that is restored. */
export function keptOf(context: TaskContext, workspace: WorkspacesTable | undefined): KeptPlace | undefined {
  if (workspace === undefined || workspace.kept_ms === null) return undefined;
  return workspace.state === "ready" || workspace.rescue === null ? placeOf(context, workspace) : undefined;
}

/** Of those whose work has landed, or was saved whole. */
export async function letGoOfKept(context: TaskContext): Promise<void> {
  const { store, constellation, machine } = context;
  for (const workspace of await keptWithoutNeed(store.db, constellation)) {
    try {
      await machine.workspaces.letGo(placeOf(context, workspace));
    } catch (cause) {
      if (cause instanceof Outage) continue; // it costs little where it is, and is tried again
      throw cause;
    }
    machine.step("ready.let-go");
    await store.write((tx) => updateWorkspace(tx.db, workspace.id, { kept_ms: null }));
  }
}

function placeOf({ machine }: TaskContext, { id, task, name, source }: WorkspacesTable): KeptPlace {
  return { source, name: `${task}-${name}-${id}`, bundles: machine.bundles };
}
