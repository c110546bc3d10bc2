// The shape of every table, one type each. Columns are snake_case; ids are TEXT, times are whole milliseconds (`*_ms`),
// JSON is TEXT: what both databases hold alike. A subject's tables are added here and in a migration of its own
// (see migrations/all.ts). Every row that can come from another machine carries its constellation.

export interface Tables {
  events: EventsTable;
  chain_heads: ChainHeadsTable;
  cli_invocations: CliInvocationsTable;
  source_errors: SourceErrorsTable;
  intake_positions: IntakePositionsTable;
  crashes: CrashesTable;
  ticks: TicksTable;
  messages: MessagesTable;
  repositories: RepositoriesTable;
  clones: ClonesTable;
  worktrees: WorktreesTable;
  findings: FindingsTable;
  dismissals: DismissalsTable;
  agents: AgentsTable;
  sessions: SessionsTable;
  token_usage: TokenUsageTable;
  budgets_reached: BudgetsReachedTable;
  tasks: TasksTable;
  task_after: TaskAfterTable;
  task_events: TaskEventsTable;
  workspaces: WorkspacesTable;
  dispatches: DispatchesTable;
  task_queue: TaskQueueTable;
  harvests: HarvestsTable;
  git_operations: GitOperationsTable;
  task_leases: TaskLeasesTable;
  meta: MetaTable;
  schema_migrations: SchemaMigrationsTable;
}

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

export interface CliInvocationsTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  /** A JSON array of the arguments, secrets masked. */
  argv: string;
  cwd: string;
  agent: string | null;
  exit_code: number;
  version: string;
}

/** A line of a floor file that could not be taken in. */
export interface SourceErrorsTable {
  id: string;
  constellation: string;
  at_ms: number;
  source: string;
  line: number | null;
  problem: string;
}

/** How far each floor file has been taken in. Local to this machine. (`offset` alone is a reserved word in Postgres.) */
export interface IntakePositionsTable {
  file: string;
  inode: number;
  offset_bytes: number;
  updated_ms: number;
}

export interface CrashesTable {
  id: string;
  constellation: string;
  at_ms: number;
  agent: string | null;
  what: string;
  detail: string;
}

export interface TicksTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  outcome: string;
  data: string;
}

export interface MetaTable {
  key: string;
  value: string;
}

/** One receiver's copy of an envelope. The bus's files are the truth; this is their account. */
export interface MessagesTable {
  /** The file's name on the bus. */
  name: string;
  receiver: string;
  constellation: string;
  message_id: string | null;
  sender: string;
  kind: string | null;
  thread: string | null;
  in_reply_to: string | null;
  task: string | null;
  /** Long bodies are cut; null when the account has only the file's name. */
  text: string | null;
  text_bytes: number | null;
  state: string;
  /** What proved the state, or why it was poisoned. */
  because: string | null;
  sent_ms: number | null;
  delivered_ms: number | null;
  acked_ms: number | null;
  unknown_ms: number | null;
  poisoned_ms: number | null;
}

/** One repository, whatever clones it is seen through. */
export interface RepositoriesTable {
  constellation: string;
  identity: string;
  /** For people: `example.org/team/app`, else the directory's name. */
  name: string;
  /** `observed`, or `forgotten` when the owner said so: hooks do not bring it back, `repo add` does. */
  wanted: string;
  added_ms: number;
  added_by: string;
  /** Where work lands: `origin/main`; null when there is no such branch. */
  default_branch: string | null;
  /** Why it cannot be observed now; null when it can. */
  problem: string | null;
  last_observed_ms: number | null;
}

/** The paths through which a repository was found. */
export interface ClonesTable {
  constellation: string;
  repository: string;
  path: string;
  added_ms: number;
}

/** A worktree as it was last seen. Gone ones have no row. */
export interface WorktreesTable {
  constellation: string;
  path: string;
  repository: string;
  branch: string | null;
  head: string | null;
  snapshot_commit: string | null;
  snapshot_tree: string | null;
  /** merge, rebase… when git is in the middle of one. */
  operation: string | null;
  /** Why it cannot be looked at now; null when it can. */
  skipped: string | null;
  detail: string | null;
  /** Commits it has and lacks, compared with the default branch; null when that is not known. */
  ahead: number | null;
  behind: number | null;
  /** 1 when there is work that is not committed. */
  uncommitted: number;
  agent: string | null;
  first_seen_ms: number;
  last_observed_ms: number;
}

/** A finding and its life. `files`, `symbols` and `evidence` are JSON. */
export interface FindingsTable {
  id: string;
  constellation: string;
  fingerprint: string;
  kind: string;
  severity: string;
  repository: string;
  /** The two sides' identities, in one order. */
  pair: string;
  ours_label: string;
  ours_worktree: string | null;
  ours_branch: string | null;
  theirs_label: string;
  theirs_worktree: string | null;
  theirs_branch: string | null;
  title: string;
  action: string;
  files: string;
  symbols: string;
  evidence: string;
  evidence_hash: string;
  evidence_kind: string;
  /** open, closed or dismissed. */
  state: string;
  opened_ms: number;
  updated_ms: number;
  closed_ms: number | null;
  closed_because: string | null;
  times_opened: number;
  dismissed_ms: number | null;
  dismissed_by: string | null;
  dismissed_reason: string | null;
  dismissed_scope: string | null;
  /** The dismissal that covers it. */
  dismissal: string | null;
}

/** What was dismissed, for findings that are there and those that come. */
export interface DismissalsTable {
  id: string;
  constellation: string;
  repository: string;
  /** finding, files, pair or kind. */
  scope: string;
  fingerprint: string | null;
  pair: string | null;
  /** The sides' branches when it was said: other branches in the same worktrees are other work. JSON. */
  branches: string | null;
  files: string | null;
  kind: string | null;
  /** The rules the evidence rested on. JSON. */
  rules: string;
  severity: string;
  reason: string;
  dismissed_by: string;
  at_ms: number;
}

/** What is wanted of an agent, and what was last seen of it with the evidence for that. */
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
  /** When its session was launched. */
  launched_ms: number;
  session_id: string | null;
  /** The task of the last brief that reached it. */
  task: string | null;
  cwd: string;
  model: string | null;
  /** Why its messages wait. */
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

export interface TasksTable {
  constellation: string;
  /** From 1, in each constellation. */
  number: number;
  title: string;
  /** What the owner asked for, in their words. */
  directive: string;
  state: string;
  priority: string;
  /** The brief's path below the root directory. */
  brief: string | null;
  agent: string | null;
  root: string;
  repository: string | null;
  target: string | null;
  branch: string | null;
  /** A JSON array of paths the task says it will touch. */
  scope: string;
  estimate_ms: number | null;
  actual_ms: number | null;
  landed_sha: string | null;
  /** Why it is where it is, when that needs saying. */
  reason: string | null;
  /** Where it was imported from; one task for each. */
  source_key: string | null;
  created_by: string;
  created_ms: number;
  updated_ms: number;
  started_ms: number | null;
  ready_ms: number | null;
  closed_ms: number | null;
}

/** `task` waits for `after`. */
export interface TaskAfterTable {
  constellation: string;
  task: number;
  after: number;
}

export interface TaskEventsTable {
  id: string;
  constellation: string;
  task: number;
  /** Its place on the timeline. */
  seq: number;
  at_ms: number;
  type: string;
  actor: string;
  data: string;
}

export interface WorkspacesTable {
  id: string;
  constellation: string;
  task: number;
  name: string;
  /** making, ready, removing, removed, restoring. */
  state: string;
  /** Who is at it now; null between. */
  holder: string | null;
  root: string;
  /** Below the root: workspaces/12/repo. */
  place: string;
  path: string;
  source: string;
  origin: string;
  target: string;
  branch: string;
  base_sha: string;
  port_first: number;
  port_count: number;
  /** Where a removed one was saved: `ref:…` in the source, or `bundle:…`. */
  rescue: string | null;
  problem: string | null;
  created_ms: number;
  removing_ms: number | null;
  removed_ms: number | null;
}

/** A task given to somebody. The fencing token tells an old giving from the newest one. */
export interface DispatchesTable {
  id: string;
  constellation: string;
  task: number;
  agent: string | null;
  workspace: string | null;
  state: string;
  fencing_token: number;
  asked_ms: number;
  delivered_ms: number | null;
  ended_ms: number | null;
  problem: string | null;
  /** Null for the brief; else the train that sent the work back. */
  about: string | null;
  /** The agent said on the bus that it is done, and nobody has looked yet. */
  said_ready_ms: number | null;
}

/** What a queued task asked for. The task's own state says whether it still is in the queue. */
export interface TaskQueueTable {
  constellation: string;
  task: number;
  agent: string | null;
  runtime: string | null;
  /** 1: not while its scope collides with work in flight. */
  hold: number;
  queued_ms: number;
}

/** One task's try to land; those of one train were tested together. `phase` is the journal: see core/tasks/harvest.ts. */
export interface HarvestsTable {
  id: string;
  constellation: string;
  train: string;
  task: number;
  place_in_train: number;
  workspace: string | null;
  origin: string;
  phase: string;
  outcome: string | null;
  reason: string | null;
  report: string;
  target: string | null;
  expected_old: string | null;
  new_tip: string | null;
  landed_sha: string | null;
  gate_commit: string | null;
  gate_outcome: string | null;
  gate_tail: string | null;
  gate_ms: number | null;
  attempts: number;
  fencing_token: number;
  asked_by: string;
  asked_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
}

export interface GitOperationsTable {
  id: string;
  constellation: string;
  at_ms: number;
  duration_ms: number;
  operation: string;
  repository: string;
  task: number | null;
  outcome: string;
  detail: string;
}

/** Who may harvest now. The token grows with each holder, so that a late writer is known. */
export interface TaskLeasesTable {
  name: string;
  holder: string;
  token: number;
  until_ms: number;
}

export interface SchemaMigrationsTable {
  version: number;
  name: string;
  applied_ms: number;
}

export type TableName = keyof Tables;
export type Dialect = "sqlite" | "postgres";
