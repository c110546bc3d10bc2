// A part of the repository that an agent has asked others to leave alone for a while. It ends by itself.

import type { Severity } from "./findings.ts";

export interface LiveClaim {
  readonly id: string;
  /** The agent that holds it. */
  readonly holder: string;
  /** As .gitignore writes them: `src/store/`, `*.sql`. */
  readonly patterns: readonly string[];
  readonly severity: Severity;
  readonly reason: string;
}
