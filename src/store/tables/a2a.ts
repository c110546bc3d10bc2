// Declares the tables for requests of outside agents over A2A.

/** One task of A2A. `decision` is the owner's (core/a2a/request.ts). */
export interface A2aRequestsTable {
  id: string;
  constellation: string;
  /** `outside:NAME`, as its token says. */
  sender: string;
  context: string;
  skill: string;
  title: string;
  /** held, accepted or refused. */
  decision: string;
  decided_by: string | null;
  decided_ms: number | null;
  /** The task that it became. */
  task: number | null;
  /** For this agent alone. */
  agent: string | null;
  /** As A2A has it (protocol/a2a.ts). */
  state: string;
  /** The number of its last change. */
  seq: number;
  /** A JSON message: what we last said of it. */
  said: string | null;
  /** The state of its task that was told last. */
  told: string | null;
  /** When its task was given out. */
  given_ms: number | null;
  created_ms: number;
  updated_ms: number;
  ended_ms: number | null;
  /** Over the row as it was decided (core/signed-row.ts). */
  signature: string | null;
}

export interface A2aMessagesTable {
  id: string;
  constellation: string;
  request: string;
  sender: string;
  /** As its sender made it; ours are the same as `id`. */
  message_id: string;
  /** user or agent. */
  role: string;
  parts: string;
  digest: string;
  /** held, passed (the owner agreed), told (its reader has it), refused. */
  state: string;
  at_ms: number;
}

export interface A2aArtefactsTable {
  constellation: string;
  request: string;
  id: string;
  name: string;
  parts: string;
  at_ms: number;
}

/** What those who follow a request are told, numbered from 1 without a gap. */
export interface A2aChangesTable {
  constellation: string;
  request: string;
  seq: number;
  data: string;
  at_ms: number;
}

/** An address that is told of a request's changes. */
export interface A2aPushesTable {
  constellation: string;
  request: string;
  id: string;
  url: string;
  token: string | null;
  scheme: string | null;
  credentials: string | null;
  /** The last change that it took. */
  sent_seq: number;
  outages: number;
  retry_ms: number | null;
  problem: string | null;
  created_ms: number;
}
