// Which verb answers which operation. The type makes the table complete: an operation without an answer does not compile.

import { readOperations } from "../app/read-operations.ts";
import type { OperationName } from "../client/caller.ts";
import type { Context } from "../core/context.ts";
import { dropClaim } from "../core/claims/claim.ts";
import { addDirective } from "../core/directives/directives.ts";
import { dismissFinding } from "../core/findings/dismiss.ts";
import { createTask, importTasks } from "../core/tasks/create.ts";
import { dispatchTask, showAssignment } from "../core/tasks/dispatch.ts";
import { askHarvest, harvestRows } from "../core/tasks/harvest.ts";
import { readyTask } from "../core/tasks/ready.ts";
import type { TaskContext, TaskMachine } from "../core/tasks/task-context.ts";
import { cancelTask, changeTask } from "../core/tasks/update.ts";
import { branchWorkspace, cloneWorkspace, removeWorkspace, restoreWorkspace } from "../core/tasks/workspace.ts";
import { createToken, listTokens, revokeToken } from "../core/tokens/tokens.ts";
import { announce } from "../core/timeline/announce.ts";
import { askerNamed } from "../protocol/authority.ts";
import type { operations } from "../protocol/operations/all.ts";
import type { OutputOf, ParsedInputOf } from "../protocol/operation.ts";
import { makeClaim } from "./make-claim.ts";
import type { DaemonSelf } from "./daemon-status.ts";
import type { SensingClient } from "./sensing-client.ts";

type Operations = typeof operations;
export type Handlers = {
  readonly [Name in OperationName]: (
    context: Context,
    input: ParsedInputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

export interface HandlerParts {
  readonly self: DaemonSelf;
  readonly sensing: SensingClient;
  readonly taskMachine: TaskMachine;
}

export function makeHandlers({ self, sensing, taskMachine }: HandlerParts): Handlers {
  const onMachine =
    <Input, Output>(verb: (context: TaskContext, input: Input) => Promise<Output>) =>
    (context: Context, input: Input): Promise<Output> =>
      verb({ ...context, machine: taskMachine }, input);
  return {
    ...readOperations,
    "timeline.announce": announce,
    "directive.add": addDirective,
    "token.create": createToken,
    "token.list": listTokens,
    "token.revoke": revokeToken,
    "repository.add": (context, { path }) =>
      sensing.add(context, { path, isOwnersWord: askerNamed(context.actor).role !== "clone" }),
    "repository.forget": (context, input) => sensing.forget(context, input),
    "worktree.observe": (context, input) => sensing.add(context, { ...input, isOwnersWord: false }),
    "worktree.touch": (_, input) => sensing.touch(input),
    "worktree.tests": (_, input) => sensing.tests(input),
    "finding.dismiss": dismissFinding,
    "claim.add": (context, input) => makeClaim(sensing, context, input),
    "claim.drop": dropClaim,
    "task.create": onMachine(createTask),
    "task.import": importTasks,
    "task.update": onMachine(changeTask),
    "task.cancel": cancelTask,
    "task.ready": onMachine(readyTask),
    "task.dispatch": onMachine(dispatchTask),
    "task.assignment": showAssignment,
    "task.harvest": onMachine(askHarvest),
    "task.harvests": harvestRows,
    "workspace.clone": onMachine(cloneWorkspace),
    "workspace.branch": onMachine(branchWorkspace),
    "workspace.remove": onMachine(removeWorkspace),
    "workspace.restore": onMachine(restoreWorkspace),
    "daemon.status": async ({ store }) => self.status(store),
    "daemon.stop": async () => self.stop(),
  };
}
