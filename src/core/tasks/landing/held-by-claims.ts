// Work that edits what another agent has claimed for itself does not land before the claim ends, whoever asks for the landing and
// however. Only the owner may say otherwise; that is recorded, for one train.

import { askerNamed, refuseUnlessAllowed } from "../../../protocol/authority.ts";
import type { Tx } from "../../../store/group-commit.ts";
import type { HarvestsTable, TasksTable, WorkspacesTable } from "../../../store/tables/tasks.ts";
import { exclusiveClaims, type Held, heldBy, heldText } from "../../claims/keeps-out.ts";
import type { TaskContext } from "../task-context.ts";
import { taskEventsOfType } from "../task-events.sql.ts";
import { recordTask } from "../tasks.sql.ts";

interface Work {
  readonly task: Pick<TasksTable, "agent" | "repository" | "root">;
  readonly workspace: Pick<WorkspacesTable, "state" | "path" | "source"> | undefined;
}

/** `changed` is asked only where something is claimed. */
export async function claimsInTheWay(
  context: TaskContext,
  { task, workspace }: Work,
  changed: () => Promise<string[]>,
): Promise<Held[]> {
  const places = [
    ...(workspace?.state === "ready" ? [workspace.path] : []),
    workspace?.source,
    task.repository,
    task.root,
  ];
  for (const place of places) {
    const repository = place == null ? undefined : await context.machine.identityOf(place).catch(() => undefined);
    if (repository === undefined) continue;
    const claims = await exclusiveClaims(context, repository);
    return claims.length === 0 ? [] : heldBy(claims, await changed(), task.agent ?? "owner");
  }
  return [];
}

/** For whoever calls a task ready: what will keep it from landing, or null. */
export async function heldAtReady(
  context: TaskContext,
  task: TasksTable,
  works: readonly { readonly workspace: WorkspacesTable; readonly commit: string }[],
): Promise<string | null> {
  const found: Held[] = [];
  for (const { workspace, commit } of works) {
    const changed = () => context.machine.workspaces.changed(workspace.path, workspace.base_sha, commit);
    found.push(...(await claimsInTheWay(context, { task, workspace }, changed)));
  }
  return found.length === 0 ? null : heldText(found);
}

export function refuseUnlessOwner({ actor }: TaskContext): void {
  const asked = { name: "task harvest --over-claim", may: "owner", effect: "writes" } as const;
  const refusal = refuseUnlessAllowed(askerNamed(actor), asked);
  if (refusal !== undefined) throw refusal;
}

const overClaims = "over_claim";

/** Inside a job. */
export async function noteOverClaims(context: TaskContext, tx: Tx, task: number, train: string): Promise<void> {
  await recordTask(context, tx, task, overClaims, { train });
}

export async function isOverClaims(
  { store }: TaskContext,
  { constellation, task, train }: Pick<HarvestsTable, "constellation" | "task" | "train">,
): Promise<boolean> {
  const rows = await taskEventsOfType(store.db, constellation, { task, type: overClaims });
  return rows.some(({ data }) => (JSON.parse(data) as { train?: unknown }).train === train);
}
