// All that constel can be asked: every operation that the files beside this one declare, by its name. The daemon's table of
// answers does not compile until each of them is answered.

import type { z } from "zod";
import type { Operation } from "../operation.ts";
import * as a2a from "./a2a.ts";
import * as agents from "./agents.ts";
import * as artefacts from "./artefacts.ts";
import * as chat from "./chat.ts";
import * as approvals from "./approvals.ts";
import * as attention from "./attention.ts";
import * as claim from "./claim.ts";
import * as daemon from "./daemon.ts";
import * as dashboard from "./dashboard.ts";
import * as decisions from "./decisions.ts";
import * as events from "./events.ts";
import * as finding from "./finding.ts";
import * as handover from "./handover.ts";
import * as issues from "./issues.ts";
import * as join from "./join.ts";
import * as memory from "./memory.ts";
import * as mesh from "./mesh.ts";
import * as messages from "./messages.ts";
import * as morning from "./morning.ts";
import * as notices from "./notices.ts";
import * as pulls from "./pulls.ts";
import * as query from "./query.ts";
import * as schedules from "./schedules.ts";
import * as services from "./services.ts";
import * as reviews from "./reviews.ts";
import * as taskDiff from "./task-diff.ts";
import * as tasks from "./tasks.ts";
import * as timeline from "./timeline.ts";
import * as trust from "./trust.ts";
import * as workers from "./workers.ts";
import * as workspaces from "./workspaces.ts";
import * as worktree from "./worktree.ts";

const declared = {
  ...timeline,
  ...worktree,
  ...finding,
  ...notices,
  ...claim,
  ...agents,
  ...daemon,
  ...tasks,
  ...pulls,
  ...issues,
  ...artefacts,
  ...handover,
  ...workers,
  ...workspaces,
  ...events,
  ...decisions,
  ...memory,
  ...chat,
  ...messages,
  ...join,
  ...approvals,
  ...schedules,
  ...trust,
  ...services,
  ...dashboard,
  ...attention,
  ...morning,
  ...query,
  ...taskDiff,
  ...reviews,
  ...a2a,
  ...mesh,
};

type Declared = (typeof declared)[keyof typeof declared];
type Named<Declaration> =
  Declaration extends Operation<infer Name extends string, z.ZodType, z.ZodType> ? Record<Name, Declaration> : never;
type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export const operations = Object.fromEntries(
  Object.values(declared)
    .filter(isOperation)
    .map((operation) => [operation.name, operation]),
) as AllOf<Named<Declared>>;

/** The files also export shapes that several operations share. */
function isOperation(declaration: Declared): declaration is Extract<Declared, Operation> {
  return "needsDaemon" in declaration;
}
