// What the steps of a harvest share: git, the ground's own directory, and where the work is to land.

import type { GroundWish } from "../../ports/harvest.ts";
import type { WorkGit } from "../workspace/work-git.ts";

export interface GroundParts {
  readonly git: WorkGit;
  /** The ground: a bare clone of ours. */
  readonly directory: string;
  readonly wish: GroundWish;
  /** The target as last fetched. */
  readonly targetRef: string;
  /** Where the gate's worktree stands while it runs. */
  readonly scratch: string;
}
