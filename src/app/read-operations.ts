// The operations that a snapshot of the database can answer: the daemon answers them so, and a command in its own process when
// no daemon runs. The type makes the table complete: an operation that does not need the daemon and is not here does not compile.

import { listApprovals } from "../core/approvals/approve.ts";
import { listAttention } from "../core/attention/attention.ts";
import { claimsHeld, listClaims } from "../core/claims/claim.ts";
import type { ReadContext } from "../core/context.ts";
import { listAgents, lookAtStatusNow, showAgent } from "../core/agents/queries.ts";
import { list as listDecisions, show as showDecision } from "../core/decisions/decision.ts";
import { listEvents as listPublished } from "../core/events/queries.ts";
import { showFinding } from "../core/findings/queries.ts";
import { listMessages } from "../core/messages/list.ts";
import { listNotices, whyNotice } from "../core/notices/queries.ts";
import { listSubscriptions } from "../core/notices/subscribe.ts";
import { reviewList } from "../core/reviews/list.ts";
import { listPeers } from "../core/peers/list.ts";
import { lookAtMorning } from "../core/morning/look.ts";
import { lookAtCost, lookAtTime } from "../core/costs/look.ts";
import { listSchedules, showSchedule } from "../core/schedules/queries.ts";
import { getArtefact, listArtefacts } from "../core/tasks/evidence/artefacts.ts";
import { exportTasks, listAll, nextTasks, showTask } from "../core/tasks/queries.ts";
import { listQueue } from "../core/tasks/assigning/queue.ts";
import { listRequests } from "../core/a2a/list.ts";
import { listFollows } from "../core/issues/follows.ts";
import { listPulls } from "../core/pulls/queries.ts";
import { listRescues } from "../core/tasks/workspaces/rescues.ts";
import { listWorkspaces } from "../core/tasks/workspaces/workspace.ts";
import { verifyAudit } from "../core/audit/verify.ts";
import { listDirectives } from "../core/directives/directives.ts";
import { listEvents } from "../core/timeline/queries.ts";
import { list as listWorkers, show as showWorker } from "../core/workers/worker.ts";
import { findingsOf } from "../core/worktrees/findings-of.ts";
import { listShared } from "../core/sharing/share.ts";
import { listRepositories } from "../core/worktrees/list.ts";
import { planFor } from "../core/worktrees/plan.ts";
import type { OutputOf, ParsedInputOf } from "../protocol/operation.ts";
import type { operations } from "../protocol/operations/all.ts";

type Operations = typeof operations;
type ReadName = {
  [Name in keyof Operations]: Operations[Name]["needsDaemon"] extends false ? Name : never;
}[keyof Operations];

type ReadOperations = {
  readonly [Name in ReadName]: (
    context: ReadContext,
    input: ParsedInputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

export const readOperations: ReadOperations = {
  "mesh.peers": (context, input) => listPeers(context, input),
  "timeline.list": listEvents,
  "audit.verify": verifyAudit,
  "directive.list": listDirectives,
  "repository.list": listRepositories,
  "repository.shared": listShared,
  "finding.list": findingsOf,
  "finding.show": showFinding,
  "message.list": listMessages,
  "notice.list": listNotices,
  "notice.subscriptions": listSubscriptions,
  "notice.why": whyNotice,
  "plan.landing": planFor,
  "claim.list": listClaims,
  "claim.held": claimsHeld,
  "decision.list": listDecisions,
  "decision.show": showDecision,
  "event.list": listPublished,
  "approval.list": listApprovals,
  "attention.list": listAttention,
  "morning.look": (context, input) => lookAtMorning(context, input),
  "agents.list": listAgents,
  "agents.show": showAgent,
  "status.look": lookAtStatusNow,
  "cost.look": lookAtCost,
  "cost.time": lookAtTime,
  "schedule.list": listSchedules,
  "schedule.show": showSchedule,
  "review.list": reviewList,
  "task.list": listAll,
  "task.next": nextTasks,
  "task.queue": listQueue,
  "pull.list": listPulls,
  "issue.list": listFollows,
  "a2a.requests": listRequests,
  "task.show": showTask,
  "task.export": exportTasks,
  "artefact.list": listArtefacts,
  "artefact.get": getArtefact,
  "worker.list": listWorkers,
  "worker.show": showWorker,
  "workspace.list": listWorkspaces,
  "workspace.rescues": listRescues,
};
