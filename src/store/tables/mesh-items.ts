// Declares what is kept for other constellations, and what they said.

/** Both directions with one peer. An entry is one admission of a peer: whoever is let in again begins anew. */
export interface MeshStreamsTable {
  constellation: string;
  entry: string;
  peer: string;
  /** Our stream's name; another one after a restored backup. */
  stream: string;
  /** The number of the last item that was put in. */
  last_seq: number;
  /** Everything up to here the peer has taken. */
  taken_seq: number;
  /** The size of everything that is held for it. */
  held_bytes: number;
  /** The peer's stream, and how far we have taken it. */
  their_stream: string | null;
  their_seq: number;
  /** The last time a frame of the peer's was read. */
  heard_ms: number | null;
  /** What we know of it was how things were at this time. */
  known_ms: number | null;
  /** Its clock less ours, at the last greeting. */
  skew_ms: number | null;
}

/** Items that the peer has not said it has taken. */
export interface MeshOutboxTable {
  constellation: string;
  entry: string;
  seq: number;
  id: string;
  kind: string;
  body: string;
  bytes: number;
  at_ms: number;
}

/** Items that a peer sent. The id keeps the same item from being done twice. */
export interface MeshArrivalsTable {
  constellation: string;
  entry: string;
  peer: string;
  id: string;
  seq: number;
  kind: string;
  /** Emptied once it is done. */
  body: string;
  /** waiting, done or refused. */
  state: string;
  problem: string | null;
  tries: number;
  due_ms: number;
  heard_ms: number;
  done_ms: number | null;
}

/** One thing that a sibling says of itself: an agent, a task, a day's cost, or the sibling as a whole. */
export interface MeshRowsTable {
  constellation: string;
  peer: string;
  subject: string;
  key: string;
  /** A JSON object, its fields as protocol/mesh-rows.ts has them. */
  data: string;
  heard_ms: number;
}

/** The rows that a peer was told, by digest, so that only changes travel. */
export interface MeshToldTable {
  constellation: string;
  entry: string;
  subject: string;
  key: string;
  digest: string;
}
