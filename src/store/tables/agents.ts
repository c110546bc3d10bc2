// Agents as wanted and as seen, their sessions, and what they cost.

/** The state that is wanted of an agent, and what was last seen of it with the evidence for that. */
export interface AgentsTable {
  constellation: string;
  agent: string;
  role: string;
  runtime: string;
  wanted: string;
  seen: string;
  /** limited: when it lifts. */
  seen_until_ms: number | null;
  evidence_on: string;
  evidence_says: string;
  evidence_at_ms: number | null;
  /** Since when it is in this state. */
  since_ms: number;
  /** The time its session was launched. */
  launched_ms: number;
  session_id: string | null;
  /** The task of the last brief that reached it. */
  task: string | null;
  cwd: string;
  model: string | null;
  /** One of the owner's further accounts; null for the program's own. */
  account: string | null;
  /** The reason why its messages wait. */
  mail_held: string | null;
  /** A limit cut its work short: past this time it is told to go on, once. */
  resume_due_ms: number | null;
  updated_ms: number;
}

/** One launch of an agent. */
export interface SessionsTable {
  constellation: string;
  agent: string;
  started_ms: number;
  runtime: string;
  session_id: string | null;
  because: string;
  cwd: string;
  ended_ms: number | null;
  exit_status: number | null;
  exit_signal: number | null;
}

/** One answer of a model. `input` never includes what came from the cache. */
export interface TokenUsageTable {
  constellation: string;
  agent: string;
  id: string;
  session_id: string | null;
  model: string;
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
  /** Millionths of a US dollar; null when nobody knows the price. */
  cost_micros: number | null;
  at_ms: number;
  task: string | null;
  /** As in `agents`. */
  account: string | null;
}

/** An account that was seen at its usage limit. */
export interface AccountLimitsTable {
  constellation: string;
  runtime: string;
  /** `usual` for the program's own. */
  account: string;
  until_ms: number;
  /** The agent that met it. */
  agent: string;
  seen_ms: number;
}

/** A budget that was used up, once a day. */
export interface BudgetsReachedTable {
  constellation: string;
  agent: string;
  day: string;
  kind: string;
  used: number;
  allowed: number;
  at_ms: number;
}
