// Gives every reaction of core/reactions.ts its round. Each subject brings its own; this file only names them.

import type { Need } from "../core/agents/needs.ts";
import { a2aLoop } from "./a2a/a2a-loop.ts";
import { agentLoops } from "./agents/agent-loops.ts";
import { approvalsLoop } from "./loops/approvals-loop.ts";
import { auditLoop, makeAnchoring } from "./loops/audit-loop.ts";
import { claimsLoop } from "./loops/claims-loop.ts";
import { contractsLoop } from "./loops/contracts-loop.ts";
import { dispatchLoop } from "./loops/dispatch-loop.ts";
import { guestsLoop } from "./guests/guests-loop.ts";
import { harvestLoop } from "./loops/harvest-loop.ts";
import { hookTouchesLoop } from "./intake/hook-touches.ts";
import { intakeLoop } from "./intake/intake.ts";
import { issuesLoop } from "./loops/issues-loop.ts";
import type { LoopParts } from "./loops/loop-parts.ts";
import type { Loop } from "./loops/loops.ts";
import { composeMesh } from "./mesh/compose-mesh.ts";
import { mirrorLoop } from "./intake/mirror-messages.ts";
import { noticesLoop } from "./notices/notices-loop.ts";
import { pruneLoop } from "./loops/prune-loop.ts";
import { publishLoop } from "./loops/publish-loop.ts";
import { pullsLoop } from "./loops/pulls-loop.ts";
import { ownerLoop } from "./owner/owner-loop.ts";
import { sharingLoop } from "./loops/sharing-loop.ts";
import { repliesLoop } from "./owner/replies-loop.ts";
import { reviewsLoop } from "./loops/reviews-loop.ts";
import type { SchedulesLoop } from "./schedules/schedules-loop.ts";
import { startReactions } from "./loops/react.ts";
import { standingStill } from "./loops/standing-still.ts";
import type { StallMeter } from "./stall-meter.ts";
import { tidyLoops } from "./loops/tidy-loops.ts";
import { workersLoop } from "./workers/workers-loop.ts";
import { workspacesLoop } from "./loops/workspaces-loop.ts";

export function composeLoops(
  parts: LoopParts & { readonly schedules: SchedulesLoop; readonly meter: StallMeter; readonly version: string },
): Loop[] {
  const anchoring = makeAnchoring(parts);
  const mesh = composeMesh(parts);
  const loops: Loop[] = [];
  const standstill = (): Need[] => standingStill(loops, parts.clock.nowMs());
  const rounds = {
    ...agentLoops(parts),
    ...tidyLoops(parts),
    a2a: a2aLoop(parts),
    approvals: approvalsLoop(parts),
    audit: auditLoop(parts, anchoring),
    claims: claimsLoop(parts),
    contracts: contractsLoop(parts),
    dispatch: dispatchLoop(parts),
    guests: guestsLoop(parts),
    harvest: harvestLoop(parts),
    hooks: hookTouchesLoop(parts),
    intake: intakeLoop(parts),
    issues: issuesLoop(parts),
    mesh: mesh.round,
    messages: mirrorLoop(parts),
    notices: noticesLoop(parts),
    observe: parts.sensing.loop,
    origins: parts.sensing.landedLoop,
    prune: pruneLoop(parts, anchoring),
    publish: publishLoop(parts),
    pulls: pullsLoop(parts),
    owner: ownerLoop({ ...parts, standstill, byRoot: mesh.byRoot }, () => parts.schedules.problems()),
    replies: repliesLoop(parts),
    reviews: reviewsLoop(parts),
    schedules: parts.schedules,
    sharing: sharingLoop(parts, mesh.sides),
    workers: workersLoop(parts),
    workspaces: workspacesLoop(parts),
  };
  loops.push(...startReactions(rounds, parts));
  return loops;
}
