// Keeps what was saved of removed workspaces for a while. Nothing goes unannounced: what was never restored is first said to be
// going, and goes a week later at the earliest. What was restored goes once it is old enough.

import { messageOf } from "../../../protocol/errors.ts";
import { makeId } from "../../../protocol/ids.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { RescuesTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import type { ReadContext } from "../../context.ts";
import { findRescues, forgetRescue, rescuesSavedUntil, setRestored, updateRescue } from "./rescues.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { recordGit, recordTask } from "../tasks.sql.ts";

/** Between the announcement and the end: a person who looks once a week can still act. */
export const graceMs = 7 * 86_400_000;

/** Inside a job. */
export async function keepRescue(
  { random, constellation }: TaskContext,
  tx: Tx,
  { id: workspace, task, name, source }: WorkspacesTable,
  keptAs: string,
): Promise<void> {
  await tx.insert("rescues", {
    id: makeId("rsc", tx.nowMs, random.bytes(10)),
    constellation,
    task,
    workspace,
    name,
    source,
    kept_as: keptAs,
    saved_ms: tx.nowMs,
    restored_ms: null,
    announced_ms: null,
    pruned_ms: null,
  });
}

/** Inside a job. */
export async function noteRestored(tx: Tx, workspace: WorkspacesTable): Promise<void> {
  await setRestored(tx.db, workspace, tx.nowMs);
}

export interface RescueRow extends RescuesTable {
  /** The time when it goes, once that was announced. */
  goes_ms: number | null;
}

export async function listRescues(
  { store }: ReadContext,
  input: { task?: number | undefined; all: boolean },
): Promise<{ rescues: RescueRow[] }> {
  const rows = await findRescues(store.db, store.constellation, { task: input.task, withPruned: input.all });
  return {
    rescues: rows.map((row) => ({ ...row, goes_ms: row.announced_ms === null ? null : row.announced_ms + graceMs })),
  };
}

/** `keepMs` 0: everything is kept. */
export async function pruneRescues(
  context: TaskContext,
  options: { readonly keepMs: number; readonly log: (line: string) => void },
): Promise<void> {
  if (options.keepMs === 0) return;
  const { store, constellation, clock } = context;
  const old = await rescuesSavedUntil(store.db, constellation, clock.settledMs() - options.keepMs);
  for (const row of old) {
    const isGoing = row.restored_ms !== null || isPast(row.announced_ms, clock);
    if (row.state === "restoring" || row.state === "removing") continue;
    if (isGoing) await prune(context, row, options);
    else if (row.announced_ms === null) await announce(context, row);
  }
}

const isPast = (announcedMs: number | null, clock: TaskContext["clock"]): boolean =>
  announcedMs !== null && announcedMs <= clock.settledMs(announcedMs) - graceMs;

async function announce(context: TaskContext, row: RescuesTable & { path: string }): Promise<void> {
  await context.store.write(async (tx) => {
    await updateRescue(tx.db, row.id, { announced_ms: tx.nowMs });
    await recordTask(context, tx, row.task, "rescue_expiring", {
      path: row.path,
      kept_as: row.kept_as,
      goes: new Date(tx.nowMs + graceMs).toISOString(),
    });
  });
}

async function prune(
  context: TaskContext,
  row: RescuesTable & { path: string },
  { log }: { readonly log: (line: string) => void },
): Promise<void> {
  const { store, machine } = context;
  const started = context.clock.monotonicMs();
  let commit: string | undefined;
  try {
    commit = await machine.workspaces.forget({
      source: row.source,
      where: row.kept_as,
      bundles: machine.bundles,
    });
  } catch (cause) {
    // One repository that cannot be written must not keep the others' from going.
    return log(`removing what was saved of ${row.path}: ${messageOf(cause)}`);
  }
  machine.step("rescue.forgotten");
  await store.write(async (tx) => {
    await updateRescue(tx.db, row.id, { pruned_ms: tx.nowMs });
    await forgetRescue(tx.db, row);
    const commitOf = commit === undefined ? {} : { commit };
    await recordTask(context, tx, row.task, "rescue_pruned", { path: row.path, kept_as: row.kept_as, ...commitOf });
    await recordGit(context, tx, {
      duration_ms: Math.round(context.clock.monotonicMs() - started),
      operation: "prune",
      repository: row.source,
      task: row.task,
      outcome: "done",
      detail: row.kept_as,
    });
  });
}
