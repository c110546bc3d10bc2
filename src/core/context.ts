// What every verb is given first: the store, the clock and chance, and on whose behalf it acts.

import type { AuditEvidence } from "../ports/audit.ts";
import type { Clock, Random } from "../ports/machine.ts";
import type { Store } from "../store/open.ts";

export interface Context {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly constellation: string;
  /** `owner`, or the agent that asks. */
  readonly actor: string;
  /** A signal that is aborted when whoever asked has left, or the daemon stops: what waits need wait no longer. Made when it is asked for. */
  readonly untilGone?: () => AbortSignal;
  /** How it is known who asks: what the kernel said of the process, or a token. */
  readonly known?: string | undefined;
  /** Signs with the owner's own key; undefined where it is guarded or there is none. */
  readonly signAsOwner?: (bytes: Uint8Array) => string | undefined;
  /** Heads and keys outside the database. */
  readonly audit?: AuditEvidence;
}

/** What a verb that only reads needs: it can be answered from a snapshot, with no daemon. */
export interface ReadContext {
  readonly store: Pick<Store, "db" | "constellation" | "dialect">;
  readonly clock: Clock;
  /** Heads and keys outside the database; without them the audit has the chain alone. */
  readonly audit?: AuditEvidence;
  /**
   * How many pairs of a repository are still to be looked at; undefined when nobody has looked at it since the daemon began. Where nobody
   * looks at all it is not known, and what is told is what was last seen.
   */
  readonly pairsLeft?: (repository: string) => number | undefined;
}
