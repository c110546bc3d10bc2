// Holds the parts that the steps of a harvest share: git, the landing repository's own directory, and the place where the work is to land.

import type { GroundWish } from "../../ports/harvest.ts";
import type { WorkGit } from "../workspace/work-git.ts";

export interface GroundParts {
  readonly git: WorkGit;
  /** The landing repository: a bare clone of ours. */
  readonly directory: string;
  readonly wish: GroundWish;
  /** The target as last fetched. */
  readonly targetRef: string;
  readonly isSha256: boolean;
  /** The directory for disposable clones while one of the repository's commands runs. */
  readonly gates: string;
}
