// Declares the tables for what is observed: repositories, their clones and worktrees, the findings about them, and what was claimed.

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
  /** The branch where work lands: `origin/main`. Null when there is no such branch. */
  default_branch: string | null;
  /** The reason why it cannot be observed now. Null when it can. */
  problem: string | null;
  last_observed_ms: number | null;
  /** The number of pairs of its lines of work. */
  pairs: number;
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
  /** The reason why it cannot be looked at now. Null when it can. */
  skipped: string | null;
  detail: string | null;
  /** Commits it has and lacks, compared with the default branch; null when that is not known. */
  ahead: number | null;
  behind: number | null;
  /** 1 when there is work that is not committed. */
  uncommitted: number;
  agent: string | null;
  first_seen_ms: number;
  /** The time when its content was last seen to have changed. Null when it never was. */
  changed_ms: number | null;
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
  /** 1 when only a compiler saw it. */
  by_compiler: number;
  /** 1 when somebody said that nobody may edit these files before it is settled. */
  blocking: number;
  /** open, closed or dismissed. */
  state: string;
  opened_ms: number;
  updated_ms: number;
  closed_ms: number | null;
  closed_because: string | null;
  /** The worktrees whose own change or landing closed it, as JSON; null while it is open or when nobody can tell. */
  closed_by: string | null;
  times_opened: number;
  dismissed_ms: number | null;
  dismissed_by: string | null;
  dismissed_reason: string | null;
  dismissed_scope: string | null;
  /** The dismissal that covers it. */
  dismissal: string | null;
}

/** A pair of which something could not be looked at, so that silence about it proves nothing, or of which a reader should know what it rests on; others have no row. */
export interface OpenPairsTable {
  constellation: string;
  repository: string;
  /** The two sides' identities, in one order. */
  pair: string;
  ours_label: string;
  ours_worktree: string | null;
  theirs_label: string;
  theirs_worktree: string | null;
  /** The open parts, as JSON: what, why, paths, and whether the answer comes by itself. */
  open: string;
  /** The things that the verdict was reached without though nothing is open, as JSON: sentences. */
  notes: string;
  since_ms: number;
}

/** The dismissals, for findings that are there and those that come. */
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

/** A part of a repository that its holder asked others to leave alone for a while. */
export interface ClaimsTable {
  id: string;
  constellation: string;
  repository: string;
  /** An agent, or `owner`. */
  holder: string;
  /** The worktree where it was made: the holder's when no other is known to be. */
  worktree: string;
  /** As .gitignore writes them, from the top. JSON. */
  patterns: string;
  severity: string;
  reason: string;
  made_by: string;
  made_ms: number;
  expires_ms: number;
  dropped_ms: number | null;
  dropped_by: string | null;
  /** 1: others are kept from editing there while it lasts, where their hooks can. */
  exclusive: number;
  /** Over the row as it stands (core/signed-row.ts); null where there was no key. */
  signature: string | null;
}

/** The answer of a gate about a tree: nothing but time is lost with a row. */
export interface GateRunsTable {
  constellation: string;
  /** Made of command and tree. */
  key: string;
  repository: string;
  tree: string;
  command: string;
  /** green or red. */
  outcome: string;
  /** 1 when it was red again. */
  confirmed: number;
  /** The end of what it printed. */
  detail: string;
  ran_ms: number;
}
