// Which verb answers which operation. The type makes the table complete: an operation without an answer does not compile.

import type { OperationName } from "../client/caller.ts";
import type { Context } from "../core/context.ts";
import { listAgents, lookAtStatusNow, showAgent } from "../core/agents/look.ts";
import { announce } from "../core/timeline/announce.ts";
import { listEvents, verifyAudit } from "../core/timeline/look.ts";
import type { operations } from "../protocol/operations/all.ts";
import type { OutputOf, ParsedInputOf } from "../protocol/operation.ts";
import type { DaemonSelf } from "./self.ts";

type Operations = typeof operations;
export type Handlers = {
  readonly [Name in OperationName]: (
    context: Context,
    input: ParsedInputOf<Operations[Name]>,
  ) => Promise<OutputOf<Operations[Name]>>;
};

export function makeHandlers(self: DaemonSelf): Handlers {
  return {
    "timeline.announce": announce,
    "timeline.list": listEvents,
    "audit.verify": verifyAudit,
    "agents.list": listAgents,
    "agents.show": showAgent,
    "status.look": lookAtStatusNow,
    "daemon.status": async ({ store }) => self.status(store),
    "daemon.stop": async () => self.stop(),
  };
}
