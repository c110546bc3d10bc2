// The timeline of what happened, and the end of its chain.

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

/** Where each constellation's chain stands. Rows up to `pruned_seq` may be deleted; the chain then starts at `pruned_hash`. */
export interface ChainHeadsTable {
  constellation: string;
  seq: number;
  hash: string;
  pruned_seq: number;
  pruned_hash: string;
}
