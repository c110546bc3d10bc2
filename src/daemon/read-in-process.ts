// Answers a read operation in the caller's own process when no daemon runs, from a snapshot: looking starts and creates
// nothing.

import type { ReadContext } from "../core/context.ts";
import { exportTasks, listAll, nextTasks, showTask } from "../core/tasks/look.ts";
import { listWorkspaces } from "../core/tasks/workspace.ts";
import { listEvents, verifyAudit } from "../core/timeline/look.ts";
import { operations } from "../protocol/operations/all.ts";
import type { Settings } from "../settings/settings.ts";
import { openSnapshot } from "../store/snapshot.ts";
import { storeOptions } from "./store-options.ts";

type Read = (context: ReadContext, input: never) => Promise<unknown>;

const reads: Readonly<Record<string, Read>> = {
  "timeline.list": listEvents,
  "audit.verify": verifyAudit,
  "task.list": listAll,
  "task.next": nextTasks,
  "task.show": showTask,
  "task.export": exportTasks,
  "workspace.list": listWorkspaces,
};

export async function readInProcess(settings: Settings, name: string, input: unknown): Promise<unknown> {
  const read = reads[name];
  if (read === undefined) throw new Error(`${name} cannot be answered without the daemon`);
  const options = storeOptions(settings);
  const snapshot = await openSnapshot(options);
  try {
    const parsed = operations[name as keyof typeof operations].input.parse(input);
    return await read({ store: { db: snapshot.db, constellation: options.constellation } }, parsed as never);
  } finally {
    await snapshot.close();
  }
}
