// Which verb answers which operation. The type makes the table complete: an operation without an answer does not compile.

import type { OperationName } from "../client/caller.ts";
import type { Context } from "../core/context.ts";
import { dismissFinding } from "../core/conflicts/dismiss.ts";
import { showFinding } from "../core/conflicts/look.ts";
import { announce } from "../core/timeline/announce.ts";
import { listEvents, verifyAudit } from "../core/timeline/look.ts";
import { findingsOf } from "../core/worktrees/findings-of.ts";
import { listRepositories } from "../core/worktrees/list.ts";
import { planFor } from "../core/worktrees/plan.ts";
import type { operations } from "../protocol/operations/all.ts";
import type { OutputOf, ParsedInputOf } from "../protocol/operation.ts";
import type { DaemonSelf } from "./self.ts";
import type { Sensing } from "./sense/sensing.ts";

type Operations = typeof operations;
export type Handlers = {
  readonly [Name in OperationName]: (
    context: Context,
    input: ParsedInputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

export function makeHandlers(self: DaemonSelf, sensing: Sensing): Handlers {
  return {
    "timeline.announce": announce,
    "timeline.list": listEvents,
    "audit.verify": verifyAudit,
    "repository.add": (context, { path }) => sensing.add(context, { path, isOwnersWord: true }),
    "repository.list": listRepositories,
    "repository.forget": (context, input) => sensing.forget(context, input),
    "worktree.observe": (context, input) => sensing.add(context, { ...input, isOwnersWord: false }),
    "worktree.touch": (_, input) => sensing.touch(input),
    "worktree.tests": (_, input) => sensing.tests(input),
    "finding.list": findingsOf,
    "finding.show": showFinding,
    "finding.dismiss": dismissFinding,
    "plan.landing": planFor,
    "daemon.status": async ({ store }) => self.status(store),
    "daemon.stop": async () => self.stop(),
  };
}
