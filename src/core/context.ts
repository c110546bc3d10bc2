// Holds what every verb is given first: the store, the clock and chance, and on whose behalf it acts.

import type { AuditEvidence } from "../ports/audit.ts";
import type { BlobOf } from "../ports/blob-of.ts";
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
  /** The way we know who asks: what the kernel said of the process, or a token. */
  readonly known?: string | undefined;
  /** Signs with the owner's own key; undefined where it is guarded or there is none. */
  readonly signAsOwner?: (bytes: Uint8Array) => string | undefined;
  /** Heads and keys outside the database. */
  readonly audit?: AuditEvidence;
  /** What memories that rest on a file are held against. */
  readonly blobOf?: BlobOf;
}

/** The things that a verb that only reads needs. It can be answered from a snapshot, with no daemon. */
export interface ReadContext {
  readonly store: Pick<Store, "db" | "constellation" | "dialect">;
  readonly clock: Clock;
  /** Heads and keys outside the database; without them the audit has the chain alone. */
  readonly audit?: AuditEvidence;
  /**
   * Returns the number of pairs of a repository that are still to be looked at. Undefined if nobody has looked at it since the daemon
   * began. If nobody looks at all, the number is not known, and what is told is what was last seen.
   */
  readonly pairsLeft?: (repository: string) => number | undefined;
  /** What memories that rest on a file are held against. Without it those are not told. */
  readonly blobOf?: BlobOf;
}
