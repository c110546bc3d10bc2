// A part of the repository that an agent has asked others to leave alone for a while. It ends by itself.

import type { Severity } from "./findings.ts";

export interface LiveClaim {
  readonly id: string;
  /** The agent that holds it, or `owner`. */
  readonly holder: string;
  /** As .gitignore writes them: `/src/store`, `*.sql`. A directory stands for all that is in it. */
  readonly patterns: readonly string[];
  readonly severity: Severity;
  readonly reason: string;
}

/** The claims of a repository, as far as a look without the daemon knows them. */
export interface KnownClaims {
  readonly held: readonly HeldClaim[];
  /** The reason why there may be others. */
  readonly unknown?: string;
}

/** A live claim and where its holder works. */
export interface HeldClaim extends LiveClaim {
  /** The side of a pair that speaks for the holder. */
  readonly worktree: string;
  /** Every worktree of the holder: an edit there is no trespass. */
  readonly own: readonly string[];
}
