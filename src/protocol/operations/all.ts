// All that constel can be asked. A new operation is declared in its subject's file and listed here; the daemon's handler
// table then does not compile until it is answered.

import { daemonStatus, daemonStop } from "./daemon.ts";
import * as tasks from "./tasks.ts";
import { announce, listEvents, verifyAudit } from "./timeline.ts";

export const operations = {
  [announce.name]: announce,
  [listEvents.name]: listEvents,
  [verifyAudit.name]: verifyAudit,
  [daemonStatus.name]: daemonStatus,
  [daemonStop.name]: daemonStop,
  [tasks.createTask.name]: tasks.createTask,
  [tasks.importTasks.name]: tasks.importTasks,
  [tasks.listTasks.name]: tasks.listTasks,
  [tasks.nextTasks.name]: tasks.nextTasks,
  [tasks.showTask.name]: tasks.showTask,
  [tasks.exportTasks.name]: tasks.exportTasks,
  [tasks.updateTask.name]: tasks.updateTask,
  [tasks.cancelTask.name]: tasks.cancelTask,
  [tasks.readyTask.name]: tasks.readyTask,
  [tasks.dispatchTask.name]: tasks.dispatchTask,
  [tasks.harvestTasks.name]: tasks.harvestTasks,
  [tasks.harvestsOf.name]: tasks.harvestsOf,
  [tasks.cloneWorkspace.name]: tasks.cloneWorkspace,
  [tasks.listWorkspaces.name]: tasks.listWorkspaces,
  [tasks.branchWorkspace.name]: tasks.branchWorkspace,
  [tasks.removeWorkspace.name]: tasks.removeWorkspace,
  [tasks.restoreWorkspace.name]: tasks.restoreWorkspace,
} as const;
