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
  tasks: TasksTable;
  task_after: TaskAfterTable;
  task_events: TaskEventsTable;
  workspaces: WorkspacesTable;
  dispatches: DispatchesTable;
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
