// The timeline of what happened, and the end of its chain.

import type { Generated } from "kysely";

/** The timeline: append-only, hash-chained per constellation. timeline.ts says how the hash is made. */
export interface EventsTable {
  seq: number;
  id: string;
  constellation: string;
  at_ms: number;
  type: string;
  subject: string | null;
  actor: string;
  data: string;
  prev_hash: string;
  hash: string;
}

/** The position of each constellation's chain. Rows up to `pruned_seq` may be deleted; the chain then starts at `pruned_hash`. */
export interface ChainHeadsTable {
  constellation: string;
  seq: number;
  hash: string;
  pruned_seq: number;
  pruned_hash: string;
  /** The first event that was signed when it was appended; null while none was. */
  signed_since: number | null;
  /** Counted up by each daemon that takes the constellation. Whoever writes with an earlier one is refused. */
  epoch: Generated<number>;
  holder: string | null;
  /** By the database's clock. */
  held_until_ms: Generated<number>;
}

/** One signature for the events of one commit (event-signatures.ts). */
export interface EventSignaturesTable {
  constellation: string;
  first_seq: number;
  last_seq: number;
  /** The chain's `signed_since`, under the signature too: an earlier signature that is gone is missed. */
  since_seq: number;
  at_ms: number;
  sig: string;
}
