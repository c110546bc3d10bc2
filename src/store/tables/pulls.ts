// Pull requests of ours, what checks say of branches, and issues that became tasks.

/** One task's pull request in one repository. `phase` is the journal: see core/pulls/pull.ts. */
export interface PullRequestsTable {
  id: string;
  constellation: string;
  task: number;
  workspace: string | null;
  origin: string;
  /** A local repository from which the landing repository is made. */
  source: string;
  /** The branch on which it is to land in the end. */
  target: string;
  branch: string;
  /** The branch into which it is to be merged now: the target, or the branch of the task that it stands on. */
  base: string;
  on_task: number | null;
  phase: string;
  outcome: string | null;
  number: number | null;
  url: string | null;
  /** The commit that the branch at the origin is to have. */
  want_sha: string;
  /** The commit that it had when we last knew. Null: none. */
  head_sha: string | null;
  /** constel, or somebody: then their commits are never overwritten. */
  head_by: string | null;
  /** The commit that was called ready, or that somebody pushed: this is what was judged. */
  source_sha: string;
  /** The work was judged as the change from this commit to `judged_tip`; landed is when the target reads so. */
  onto_sha: string;
  judged_tip: string;
  /** The target's tip when it was judged. */
  target_sha: string;
  /** The harvest that judged it. */
  harvest: string;
  /** 1: the branch is to be put on top of its base anew. */
  rebase: number;
  checks: string | null;
  review: string | null;
  merge_state: string | null;
  /** constel or person. */
  merge_by: string;
  method: string;
  rounds: number;
  most_rounds: number;
  /** A JSON list of what was told to the agent before. */
  told: string;
  /** The last message to the agent, whole. */
  feedback: string | null;
  text_hash: string | null;
  waits_for: string | null;
  /** Since when it waits for a person; null: it does not. */
  asks_ms: number | null;
  outages: number;
  retry_ms: number | null;
  ended_by: string | null;
  landed_sha: string | null;
  created_ms: number;
  opened_ms: number | null;
  updated_ms: number;
  ended_ms: number | null;
}

/** What the checks say of the commit that a pushed branch has. */
export interface BranchChecksTable {
  constellation: string;
  origin: string;
  branch: string;
  commit_sha: string;
  /** none, pending, green, red. */
  state: string;
  /** The red checks by name, with their logs' ends, as a JSON list. */
  red: string;
  /** The task whose branch it is, or whose landing is the branch's tip. */
  task: number | null;
  /** Since when it is red, also while the next commit is being checked; null once it was green. */
  red_ms: number | null;
  /** 1: tasks land on it. */
  is_target: number | null;
  /** The names of the red checks, in words. */
  says: string | null;
  /** Since when it says so of this commit. */
  since_ms: number;
  seen_ms: number;
}
