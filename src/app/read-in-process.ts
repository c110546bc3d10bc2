// Answers a read operation in the caller's own process when no daemon runs, from a snapshot: looking starts and creates
// nothing.

import type { ReadContext } from "../core/context.ts";
import { listClaims } from "../core/claims/claim.ts";
import { showFinding } from "../core/findings/queries.ts";
import { listAgents, lookAtStatusNow, showAgent } from "../core/agents/queries.ts";
import { exportTasks, listAll, nextTasks, showTask } from "../core/tasks/queries.ts";
import { listQueue } from "../core/tasks/queue.ts";
import { listRescues } from "../core/tasks/rescues.ts";
import { listWorkspaces } from "../core/tasks/workspace.ts";
import { listEvents, verifyAudit } from "../core/timeline/queries.ts";
import { findingsOf } from "../core/worktrees/findings-of.ts";
import { listRepositories } from "../core/worktrees/list.ts";
import { planFor } from "../core/worktrees/plan.ts";
import { operations } from "../protocol/operations/all.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { storeOptions } from "./store-options.ts";

type Read = (context: ReadContext, input: never) => Promise<unknown>;

const reads: Readonly<Record<string, Read>> = {
  "timeline.list": listEvents,
  "audit.verify": verifyAudit,
  "repository.list": listRepositories,
  "finding.list": findingsOf,
  "finding.show": showFinding,
  "plan.landing": planFor,
  "claim.list": listClaims,
  "agents.list": listAgents,
  "agents.show": showAgent,
  "status.look": lookAtStatusNow,
  "task.list": listAll,
  "task.next": nextTasks,
  "task.queue": listQueue,
  "task.show": showTask,
  "task.export": exportTasks,
  "workspace.list": listWorkspaces,
  "workspace.rescues": listRescues,
};

export async function readInProcess(settings: Settings, name: string, input: unknown): Promise<unknown> {
  const read = reads[name];
  if (read === undefined) throw new Error(`${name} cannot be answered without the daemon`);
  const options = storeOptions(settings);
  const snapshot = await openSnapshot(options);
  try {
    const context = {
      store: { db: snapshot.db, constellation: options.constellation },
      clock: options.clock,
    };
    const parsed = operations[name as keyof typeof operations].input.parse(input);
    return await read(context, parsed as never);
  } finally {
    await snapshot.close();
  }
}
