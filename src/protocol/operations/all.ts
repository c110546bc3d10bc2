// All that constel can be asked. A new operation is declared in its subject's file and listed here; the daemon's handler
// table then does not compile until it is answered.

import { daemonStatus, daemonStop } from "./daemon.ts";
import { dismissFinding, listFindings, planLanding, showFinding } from "./finding.ts";
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
  [daemonStatus.name]: daemonStatus,
  [daemonStop.name]: daemonStop,
} as const;
