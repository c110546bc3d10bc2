// Tasks, and what giving them out and landing them leaves behind.

export interface TasksTable {
  constellation: string;
  /** From 1, in each constellation. */
  number: number;
  title: string;
  /** The owner's request, in their words. */
  directive: string;
  state: string;
  priority: string;
  /** The brief's path below the root directory. */
  brief: string | null;
  agent: string | null;
  root: string;
  /** The repository where it is worked on; the first one of several. */
  repository: string | null;
  /** A JSON array of all of them when there are several; else empty. */
  repositories: string;
  target: string | null;
  branch: string | null;
  /** A JSON array of paths the task says it will touch. */
  scope: string;
  estimate_ms: number | null;
  actual_ms: number | null;
  landed_sha: string | null;
  /** The commit that was called ready, for a task without a workspace; else each workspace has its own. */
  ready_sha: string | null;
  /** The reason why it is where it is, when that needs saying. */
  reason: string | null;
  /** The source it was imported from; one task for each. */
  source_key: string | null;
  created_by: string;
  created_ms: number;
  updated_ms: number;
  started_ms: number | null;
  ready_ms: number | null;
  closed_ms: number | null;
  /** One line that whoever called it ready gave for it. */
  evidence: string | null;
  /** push or pull-request. Null: as the repository says. */
  land_by: string | null;
}

/** A file that a task hands over besides its branch. */
export interface ArtefactsTable {
  constellation: string;
  task: number;
  name: string;
  /** The hash of its content, which is kept once. */
  sha256: string;
  bytes: number;
  added_by: string;
  added_ms: number;
}

export interface ArtefactContentsTable {
  constellation: string;
  sha256: string;
  /** Base64: the same text in both databases. */
  content: string;
}

/** Something a task must show before it counts as done: see core/tasks/evidence/criteria.ts. */
export interface TaskCriteriaTable {
  constellation: string;
  task: number;
  /** From 1. */
  place: number;
  /** command, sentence. */
  kind: string;
  text: string;
  /** not-shown, passed, failed. */
  state: string;
  commit_sha: string | null;
  detail: string | null;
  judged_by: string | null;
  judged_ms: number | null;
  created_ms: number;
}

/** One reading of what a task had made ready, by somebody who did not do it: see core/reviews/review.ts. */
export interface ReviewsTable {
  id: string;
  constellation: string;
  task: number;
  /** Names the commits that were to be read. */
  head: string;
  /** JSON: each workspace with its commit. */
  works: string;
  reviewer: string;
  /** asked, approved, changes, withdrawn. */
  state: string;
  asked_by: string;
  asked_ms: number;
  note: string | null;
  /** The time when the reviewer's message was put into the inbox. */
  told_ms: number | null;
  /** Since when other commits are ready. */
  stale_ms: number | null;
  answered_ms: number | null;
  text: string | null;
  /** JSON: lines and what is to be changed there. */
  comments: string;
  /** Over the row as it stands (core/signed-row.ts); null where there was no key. */
  signature: string | null;
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
  /** The process that is at it now. Null in between. */
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
  /** The place where a removed one was saved: `ref:…` in the source, or `bundle:…`. */
  rescue: string | null;
  /** Since when what was called ready of it may be kept outside it. */
  kept_ms: number | null;
  /** The commit that was called ready last: that one lands, whatever is committed later. */
  ready_sha: string | null;
  problem: string | null;
  created_ms: number;
  removing_ms: number | null;
  removed_ms: number | null;
}

/** The work that was saved of a workspace when it was removed. */
export interface RescuesTable {
  id: string;
  constellation: string;
  task: number;
  workspace: string;
  /** The workspace's name. */
  name: string;
  source: string;
  /** `ref:…` in the source, or `bundle:…`. */
  kept_as: string;
  saved_ms: number;
  restored_ms: number | null;
  /** Since when it is said that it will go. */
  announced_ms: number | null;
  pruned_ms: number | null;
}

/** A task given to somebody. The fencing token tells an old assignment from the newest one. */
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
  /** The agent knows that it has ended, or need not. */
  told_ms: number | null;
  /** The agent's turn was over after it had ended: what it uses later is no cost of the task's. */
  left_ms: number | null;
  /** 1: the source is fetched before the workspace is made. */
  fetch: number;
  /** The things that whoever asked should know, as a JSON list of sentences. */
  notes: string;
  /** The brief as it was laid beside the workspace, below the root directory. */
  brief: string | null;
}

/** The things that a queued task asked for. The task's own state says whether it still is in the queue. */
export interface TaskQueueTable {
  constellation: string;
  task: number;
  agent: string | null;
  runtime: string | null;
  /** 1: not while its scope collides with work in flight. */
  hold: number;
  queued_ms: number;
}

/** One task's try to land; those of one train were tested together. `phase` is the journal: see core/tasks/landing/harvest.ts. */
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
  /** The commit that lands: the one that was ready when this was asked for. */
  ready_sha: string | null;
  /** The number of times the machine or the origin failed under it. */
  outages: number;
  /** Not to be tried again before; null when nothing failed. */
  retry_ms: number | null;
  fencing_token: number;
  asked_by: string;
  asked_ms: number;
  started_ms: number | null;
  ended_ms: number | null;
}

/** The record of which commit of a branch became which on the target: our own journal of it, written before the push. */
export interface LandedCommitsTable {
  constellation: string;
  origin: string;
  target: string;
  task: number;
  from_sha: string;
  to_sha: string;
  at_ms: number;
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

/** The lease that says who may harvest now. The token grows with each holder, so that a late writer is known. */
export interface TaskLeasesTable {
  name: string;
  holder: string;
  token: number;
  until_ms: number;
}

/** A task that went from one agent to another, with what the other was told. */
export interface HandoversTable {
  constellation: string;
  /** The assignment that it began. */
  dispatch: string;
  task: number;
  from_agent: string | null;
  to_agent: string;
  because: string;
  capsule: string;
  /** JSON: the refs under which all that the workspaces held was saved. */
  kept: string;
  asked_by: string;
  at_ms: number;
}
