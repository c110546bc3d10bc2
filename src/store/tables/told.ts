// Declares the tables for what agents and people tell each other for good: published events and their copies, decisions, memory; and the
// calls that agents made over MCP. Lists and fields are JSON.

/** One published event with its addressing. */
export interface PublishedTable {
  id: string;
  constellation: string;
  at_ms: number;
  /** Its place in the timeline. */
  seq: number;
  type: string;
  severity: string;
  actor: string;
  text: string;
  fields: string;
  repository: string | null;
  paths: string;
  topics: string;
  services: string;
  capability: string | null;
  task: number | null;
  recipients: number;
  /** The publisher's own: the same key is the same event. */
  key: string | null;
  /** Marked as blocking: `waiting` for the owner, `released` or `denied` until the publisher is told, then null or `refused`. */
  held: string | null;
}

/** The copy of an event for an agent that it names. */
export interface DeliveriesTable {
  constellation: string;
  event: string;
  recipient: string;
  /**
   * `held` until the owner lets a blocking event go; `waiting` until it is in the recipient's inbox, then `sent`; `failed` when the bus will
   * not carry it, or the owner did not allow it. `noticed`: it goes as the
   * notice that `notice` names.
   */
  state: string;
  message_id: string;
  sent_ms: number | null;
  problem: string | null;
  /** For whoever it was routed to by what it concerns. */
  notice: string | null;
}

export interface DecisionsTable {
  id: string;
  constellation: string;
  state: string;
  title: string;
  text: string;
  recorded_by: string;
  /** 1 when the owner recorded or accepted it. */
  owner_verified: number;
  files: string;
  repository: string | null;
  service: string | null;
  task: number | null;
  recorded_ms: number;
  changed_ms: number;
  changed_by: string;
  reason: string | null;
  supersedes: string | null;
  superseded_by: string | null;
  /** Over the row as it stands (core/signed-row.ts); null where there was no key. */
  signature: string | null;
}

export interface MemoriesTable {
  id: string;
  constellation: string;
  text: string;
  /** The text folded for searching: lower case, compatibility forms. */
  words: string;
  actor: string;
  /** `everybody`, or one agent (or `owner`). */
  audience: string;
  repository: string | null;
  task: number | null;
  pinned: number;
  remembered_ms: number;
  updated_ms: number;
  /** The file that it rests on: a worktree, the path in it, and the blob it had. Null when it rests on none. */
  valid_root: string | null;
  valid_path: string | null;
  valid_blob: string | null;
}

export interface McpToolCallsTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  agent: string | null;
  tool: string;
  action: string | null;
  /** ok, refused, outage or bug. */
  outcome: string;
  /** The refusal's code; null when it was none. */
  code: string | null;
  transport: string;
  client: string;
  input_bytes: number;
  output_bytes: number;
}
