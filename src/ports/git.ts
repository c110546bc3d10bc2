// Declares what core sees of git: repositories, worktrees, snapshots of work in progress, and what git's own merge says of two of them.
// host/git holds the real observer.
//
// Paths are relative to the worktree, with `/`, as git has them. A name that is not UTF-8 keeps its odd bytes as lone surrogates
// U+DC80…U+DCFF, so that every name survives the way out and back (and JSON escapes it).

import type { OwnSide, PushedSide, SideToTake, TakenSide } from "./sides.ts";

/** One repository wherever it is cloned: `remote:host/path`, else `root:<oldest root commit>`, else `path:<git dir>`. */
export type RepositoryIdentity = string;

export type Operation = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect" | "am";

export interface WorktreeFacts {
  /** The real path of the top directory. */
  readonly path: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
  /** Short branch name; undefined when HEAD is detached. */
  readonly branch: string | undefined;
  /** undefined on an unborn branch. */
  readonly head: string | undefined;
  /** `origin/main`, as configured. */
  readonly upstream: string | undefined;
  /** The operation that git is in the middle of, when the working files are not yet anyone's final word. */
  readonly operation: Operation | undefined;
  readonly isMain: boolean;
  readonly isShallow: boolean;
  readonly isSparse: boolean;
  readonly isLocked: boolean;
}

/** A worktree that cannot be observed now, and why. Never an error: the rest goes on. */
export interface SkippedWorktree {
  readonly path: string;
  readonly reason: SkipReason;
  readonly detail: string;
}

export type SkipReason = "bare" | "gone" | "corrupt" | "foreign" | "unreadable" | "timed-out" | "failed";

/** The reason why a path's content in a snapshot is not, or may not be, what git would commit. */
export type FlagReason =
  | "too-large" // over the bound: a marker made of size and time stands for it
  | "filtered" // goes through a filter program that we do not run: stored as it is on disk
  | "unreadable" // left as it is in the index
  | "unfinished-submodule" // work in it that is not committed there: left out
  | "nested-repository" // an untracked repository inside the worktree: left out
  | "unmerged" // its conflict is not resolved in the index
  | "hidden" // git was told to leave the file alone, and it differs from the index: compared as the index has it
  | "too-many"; // more new files than are looked at in one worktree: those after it are left out

export interface Flag {
  readonly path: string;
  readonly reason: FlagReason;
}

/** The whole state of a worktree as a commit in a private object directory. Equal content gives an equal id. */
export interface Snapshot {
  readonly commit: string;
  readonly tree: string;
  /** HEAD, and the other side while a merge is under way. None on an unborn branch. */
  readonly parents: readonly string[];
  readonly flags: readonly Flag[];
  /** The part of the tree that changes how files merge. Snapshots with the same context merge in one process. */
  readonly context: string;
}

export type ConflictKind =
  | "content"
  | "add/add"
  | "binary"
  | "modify/delete"
  | "rename/delete"
  | "rename/rename"
  | "rename/add"
  | "mode"
  | "type"
  | "submodule"
  | "file/directory"
  | "directory-rename";

export interface Hunk {
  /** From 1, in this side's own file; for an empty side the line before which the other side stands. */
  readonly line: number;
  readonly count: number;
  /** The lines as they are, joined; long ones are cut, and `cut` says so. */
  readonly text: string;
  readonly cut: boolean;
}

export interface ConflictStage {
  readonly mode: string;
  readonly blob: string;
}

export interface Conflict {
  /** The path of the file on the side that still has it. */
  readonly path: string;
  readonly kind: ConflictKind;
  /** Other paths involved: the old name of a rename, its other new name, the directory in the way. */
  readonly otherPaths: readonly string[];
  readonly base: ConflictStage | undefined;
  readonly ours: ConflictStage | undefined;
  readonly theirs: ConflictStage | undefined;
  /** Pairwise: hunk i of ours collides with hunk i of theirs. Empty where lines are not the matter. */
  readonly oursHunks: readonly Hunk[];
  readonly theirsHunks: readonly Hunk[];
  /** A flagged file takes part, so that git's own verdict on the real content may differ. */
  readonly uncertain: boolean;
  /** git's own words. */
  readonly message: string;
}

export type MergeOutcome =
  /** `tree` is undefined when the sides share nothing and the merge was not worked out; ask with `trees: true`. */
  | { readonly kind: "clean"; readonly tree: string | undefined; readonly bases: readonly string[] }
  | {
      readonly kind: "conflicted";
      readonly tree: string;
      readonly bases: readonly string[];
      readonly conflicts: readonly Conflict[];
    }
  | { readonly kind: "skipped"; readonly reason: MergeSkipReason; readonly detail: string };

/** `unrelated` and `cut` (off before the two meet, in a shallow clone) are facts about the two; the others may not be so the next time. */
export type MergeSkipReason = "unrelated" | "cut" | "missing-objects" | "failed";

export const mayPass = (reason: MergeSkipReason): boolean => reason === "missing-objects" || reason === "failed";

export interface SnapshotPair {
  readonly ours: Snapshot;
  readonly theirs: Snapshot;
}

export interface ChangedFile {
  readonly path: string;
  readonly change: "added" | "deleted" | "modified" | "type" | "renamed";
  /** The old name of a rename. */
  readonly from: string | undefined;
  readonly before: ConflictStage | undefined;
  readonly after: ConflictStage | undefined;
}

export interface TreeEntry {
  readonly mode: string;
  readonly blob: string;
}

export interface SnapshotOptions {
  /** Paths a hook named: only these are looked at, unless HEAD or the index moved too. */
  readonly touched?: readonly string[];
  /** Look at every file even when nothing hints at a change. */
  readonly full?: boolean;
}

export type SnapshotOutcome =
  | {
      readonly kind: "taken";
      readonly snapshot: Snapshot;
      readonly facts: WorktreeFacts;
      readonly isNew: boolean;
      /** The cost of finding out that nothing changed, where a watch cannot say so. Undefined where one does. */
      readonly polledMs: number | undefined;
    }
  | ({ readonly kind: "skipped" } & SkippedWorktree);

/** The position of work relative to the branch it will land on. */
export interface Standing {
  /** Commits that only it has, and that only the other has; undefined when they share no history. */
  readonly ahead: number | undefined;
  readonly behind: number | undefined;
  readonly uncommitted: boolean;
}

/** The way a worktree's changes are noticed between snapshots. `polling` says why watching is not possible. */
export type WatchState = { readonly kind: "watching" } | { readonly kind: "polling"; readonly reason: string };

/** A question to the origin, over the network where it is elsewhere. */
export interface OriginWish {
  /** Without `refs/heads/`; undefined is what the origin calls its HEAD. */
  readonly branch: string | undefined;
  /** Take its HEAD where it has no such branch. */
  readonly orHead?: boolean;
  /** The address of the origin, from our own record. If absent, what the clone that was added first calls `origin`. */
  readonly address?: string | undefined;
  readonly deadlineMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type OriginAnswer =
  /** The commit can be read from now on. */
  | { readonly kind: "told"; readonly branch: string; readonly commit: string }
  /** There is no origin, or it is one of the clones: then nothing is to be asked. */
  | { readonly kind: "none" }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly why: string };

export interface LocalBranches {
  readonly names: readonly string[];
  /** The number of further branches. */
  readonly leftOut: number;
}

export interface KnownBranch {
  /** `origin/main` as a clone knows it, else a branch of its own. */
  readonly name: string;
  readonly commit: string;
}

export interface MergeOptions {
  /** The merged tree is wanted also where the sides share nothing. */
  readonly trees?: boolean;
  /** Runs while git merges. It is told the outcomes that are known, by the pair's place; more of them come. */
  readonly meanwhile?: (known: readonly (MergeOutcome | undefined)[], git: GitAtWork) => Promise<void>;
}

export interface GitAtWork {
  /** Then it is time to end. */
  isDone(): boolean;
  /** Resolves when more outcomes are known than at the last call; false if git is done. */
  more(): Promise<boolean>;
}

/** One repository, all its clones and worktrees. Nothing it does is seen in the observed repository. */
export interface ObservedSides {
  /** The commit that stands for a worktree elsewhere, on commits that the origin has; undefined where it is not known which those are. */
  outgoing(snapshot: Snapshot): Promise<{ readonly commit: string; readonly onto: readonly string[] } | undefined>;
  push(
    wish: { readonly put: readonly { ref: string; commit: string }[]; readonly remove: readonly string[] },
    address: string | undefined,
  ): Promise<readonly PushedSide[]>;
  bundle(side: Pick<OwnSide, "commit" | "onto">): Promise<{ readonly content: Uint8Array } | { readonly why: string }>;
  /** Takes in these, and drops all others. */
  take(sides: readonly SideToTake[], address: string | undefined): Promise<readonly TakenSide[]>;
  /** A side that was taken in, as a snapshot. */
  snapshotOf(commit: string): Promise<Snapshot | undefined>;
}

export interface RepositoryObserver {
  readonly identity: RepositoryIdentity;
  /** Every worktree of every clone that was added, each once. */
  worktrees(): Promise<{ found: readonly WorktreeFacts[]; skipped: readonly SkippedWorktree[] }>;
  /** Another clone (or path inside one) of the same repository. */
  add(path: string): Promise<void>;
  snapshot(worktree: string, options?: SnapshotOptions): Promise<SnapshotOutcome>;
  /** A commit of the repository as a snapshot, for comparing branches; undefined when there is no such commit. */
  snapshotOf(revision: string): Promise<Snapshot | undefined>;
  /** The branch that work lands on: what the remote calls its HEAD, else a local `main`, `master` or `trunk`. */
  defaultBranch(): Promise<KnownBranch | undefined>;
  /** Asks the origin, and brings in what it has and no clone does. No clone is changed. */
  askOrigin(wish: OriginWish): Promise<OriginAnswer>;
  /** Sides of pairs that stand on other machines (ports/sides.ts): ours go out, others' come in. */
  readonly sides: ObservedSides;
  /** Returns the time when a clone last heard of the origin's branch. Undefined if it never did. */
  fetchedMs(branch: string): number | undefined;
  /** Commits that `to` has and `from` lacks and that touch one of the paths, the newest first, at most so many. */
  commitsTouching(from: string, to: string, paths: readonly string[], most: number): Promise<readonly string[]>;
  /** Returns the time when a commit was made. Undefined if there is no such commit. */
  committedMs(commit: string): Promise<number | undefined>;
  /** Returns the commit at which a branch stood at a time, by the dates of its own commits. Undefined before its first. */
  commitBefore(tip: string, atMs: number): Promise<string | undefined>;
  /** The date of the last commit that changed one of the paths; undefined where none did. */
  lastTouchedMs(tip: string, paths: readonly string[]): Promise<number | undefined>;
  /** The local branches of the clone that was added first, the most recently used first. */
  branches(most: number): Promise<LocalBranches>;
  /** Tells how a snapshot stands to a commit. Without a commit, tells only whether work is uncommitted. */
  standing(snapshot: Snapshot, commit: string | undefined): Promise<Standing>;
  /** One outcome per pair, in order. */
  merge(pairs: readonly SnapshotPair[], options?: MergeOptions): Promise<readonly MergeOutcome[]>;
  /** The common ancestors that a merge of the two would start from. */
  mergeBases(ours: Snapshot, theirs: Snapshot): Promise<readonly string[]>;
  /** Returns the files that changed from a commit or tree to a snapshot, renames noted. */
  changedFiles(base: string, snapshot: Snapshot): Promise<readonly ChangedFile[]>;
  /** Every file of a tree or commit. */
  tree(id: string): Promise<ReadonlyMap<string, TreeEntry>>;
  /** A blob's bytes; undefined when it is gone or larger than `maxBytes` (1 MiB). */
  read(blob: string, maxBytes?: number): Promise<Uint8Array | undefined>;
  /** Tells whether the clone has an object, whatever its size. A partial clone lacks some that its trees name. */
  isThere(object: string): Promise<boolean>;
  /** Merge drivers that the clones' settings have a program for. None is ever run. */
  mergeDrivers(): Promise<ReadonlySet<string>>;
  /** Starts noticing changes as they happen; `touched` is a hint, called with the worktree's path. */
  watch(worktree: string, touched: (worktree: string) => void): Promise<WatchState>;
  /** Drops what no current snapshot needs. Done by itself now and then. */
  prune(): Promise<{ removed: number; kept: number }>;
  close(): Promise<void>;
}
