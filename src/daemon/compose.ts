// Gives every reaction of core/reactions.ts its round. Each subject brings its own; this file only names them.

import { agentLoops } from "./agents/agent-loops.ts";
import { auditLoop } from "./audit-loop.ts";
import { claimsLoop } from "./claims-loop.ts";
import { dispatchLoop } from "./dispatch-loop.ts";
import { harvestLoop } from "./harvest-loop.ts";
import { hookTouchesLoop } from "./hook-touches.ts";
import { intakeLoop } from "./intake.ts";
import type { LoopParts } from "./loop-parts.ts";
import type { Loop } from "./loops.ts";
import { mirrorLoop } from "./mirror-messages.ts";
import { pruneLoop } from "./prune-loop.ts";
import { startReactions } from "./react.ts";
import { tidyLoops } from "./tidy-loops.ts";
import { workspacesLoop } from "./workspaces-loop.ts";

export function composeLoops(parts: LoopParts): Loop[] {
  const rounds = {
    ...agentLoops(parts),
    ...tidyLoops(parts),
    audit: auditLoop(parts),
    claims: claimsLoop(parts),
    dispatch: dispatchLoop(parts),
    harvest: harvestLoop(parts),
    hooks: hookTouchesLoop(parts),
    intake: intakeLoop(parts),
    messages: mirrorLoop(parts),
    observe: parts.sensing.loop,
    prune: pruneLoop(parts),
    workspaces: workspacesLoop(parts),
  };
  return startReactions(rounds, parts);
}
