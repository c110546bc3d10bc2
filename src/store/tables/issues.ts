// Issues of a forge that become tasks.

/** A label of a repository whose issues become tasks. */
export interface IssueFollowsTable {
  id: string;
  constellation: string;
  /** The repository's address, as git knows it. */
  origin: string;
  label: string;
  /** The root, and the repository in it, of the tasks that are made. */
  root: string;
  repository: string | null;
  /** So many issues wait until there is room for their tasks. */
  waiting: number;
  outages: number;
  retry_ms: number | null;
  waits_for: string | null;
  /** The forge was last heard then. */
  looked_ms: number | null;
  created_by: string;
  created_ms: number;
  ended_ms: number | null;
}

/** One issue and its task. */
export interface IssueTasksTable {
  constellation: string;
  follow: string;
  issue: number;
  task: number;
  url: string;
  author: string;
  /** open; closing: closed there, and the task is on its way to landing; closed; gone: not followed any more. */
  state: string;
  /** A digest of the comment as it was last written. Null: none was. */
  told: string | null;
  /** The task's `updated_ms` when it was last compared with the comment. */
  seen_ms: number;
  outages: number;
  retry_ms: number | null;
  /** The reason why the comment could not be written. */
  problem: string | null;
  created_ms: number;
}
