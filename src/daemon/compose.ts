// Lists what the daemon does by itself. Each subject brings its own loop; this file only names them.

import { agentLoops } from "./agents/agent-loops.ts";
import { dispatchLoop } from "./dispatch-loop.ts";
import { hookTouchesLoop } from "./hook-touches.ts";
import { harvestLoop } from "./harvest-loop.ts";
import { intakeLoop } from "./intake.ts";
import type { LoopParts } from "./loop-parts.ts";
import { type Loop, startLoop } from "./loops.ts";
import { claimsLoop } from "./claims-loop.ts";
import { pruneLoop } from "./prune-loop.ts";
import { mirrorLoop } from "./mirror-messages.ts";
import { tidyLoops } from "./tidy-loops.ts";
import { workspacesLoop } from "./workspaces-loop.ts";

export function composeLoops(parts: LoopParts): Loop[] {
  const declarations = [
    intakeLoop(parts),
    mirrorLoop(parts),
    parts.sensing.loop,
    claimsLoop(parts),
    pruneLoop(parts),
    hookTouchesLoop(parts),
    harvestLoop(parts),
    dispatchLoop(parts),
    workspacesLoop(parts),
    ...tidyLoops(parts),
    ...agentLoops(parts),
  ];
  return declarations.map((declaration) => startLoop(declaration, parts.clock, parts.log));
}
