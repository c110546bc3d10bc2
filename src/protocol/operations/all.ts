// All that constel can be asked. A new operation is declared in its subject's file and listed here; the daemon's handler
// table then does not compile until it is answered.

import { listAgents, lookAtStatus, showAgent } from "./agents.ts";
import { addClaim, dropClaim, listClaims } from "./claim.ts";
import { daemonStatus, daemonStop } from "./daemon.ts";
import { dismissFinding, listFindings, planLanding, showFinding } from "./finding.ts";
import * as tasks from "./tasks.ts";
import { announce, listEvents, verifyAudit } from "./timeline.ts";
import {
  addRepository,
  affectedTests,
  forgetRepository,
  listRepositories,
  observeWorktree,
  touchWorktree,
} from "./worktree.ts";

export const operations = {
  [announce.name]: announce,
  [listEvents.name]: listEvents,
  [verifyAudit.name]: verifyAudit,
  [addRepository.name]: addRepository,
  [listRepositories.name]: listRepositories,
  [forgetRepository.name]: forgetRepository,
  [observeWorktree.name]: observeWorktree,
  [touchWorktree.name]: touchWorktree,
  [affectedTests.name]: affectedTests,
  [listFindings.name]: listFindings,
  [showFinding.name]: showFinding,
  [dismissFinding.name]: dismissFinding,
  [planLanding.name]: planLanding,
  [addClaim.name]: addClaim,
  [listClaims.name]: listClaims,
  [dropClaim.name]: dropClaim,
  [listAgents.name]: listAgents,
  [showAgent.name]: showAgent,
  [lookAtStatus.name]: lookAtStatus,
  [daemonStatus.name]: daemonStatus,
  [daemonStop.name]: daemonStop,
  [tasks.createTask.name]: tasks.createTask,
  [tasks.importTasks.name]: tasks.importTasks,
  [tasks.listTasks.name]: tasks.listTasks,
  [tasks.nextTasks.name]: tasks.nextTasks,
  [tasks.queueOfTasks.name]: tasks.queueOfTasks,
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
  [tasks.listRescues.name]: tasks.listRescues,
  [tasks.branchWorkspace.name]: tasks.branchWorkspace,
  [tasks.removeWorkspace.name]: tasks.removeWorkspace,
  [tasks.restoreWorkspace.name]: tasks.restoreWorkspace,
} as const;
