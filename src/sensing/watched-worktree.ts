// A worktree that is watched over: how it was last seen, and when it is looked at next.

import { basename } from "node:path";
import type { ReviewedSide } from "./merged-pair.ts";
import type { SkippedWorktree, Snapshot, Standing, WorktreeFacts } from "../ports/git.ts";
import type { ObservedWorktree } from "../ports/sensing.ts";
import type { OpenPart } from "../protocol/findings.ts";
import { landingLabel, shortOf } from "./landing-branch.ts";

export interface WatchedWorktree {
  readonly path: string;
  facts: WorktreeFacts | undefined;
  snapshot: Snapshot | undefined;
  standing: Standing | undefined;
  /** The state that `standing` was worked out for. */
  standingFor: string;
  skipped: { readonly reason: string; readonly detail: string; readonly sinceMs: number } | undefined;
  operationSinceMs: number | undefined;
  isHeld: boolean;
  /** The snapshot that was found in the default branch, and the commit it was found in. */
  landed: { readonly work: string; readonly into: string } | undefined;
  /** The state that `landed` was worked out for. */
  settledFor: string;
  touched: Set<string> | "everything" | undefined;
  isWatched: boolean;
  everyMs: number;
  dueMs: number;
  /** The time it was last seen to change, or touched. */
  activeMs: number;
  /** The time it was first seen. */
  metMs: number;
  /** The cost of a look where no watch tells of changes. Undefined where one does. */
  polledMs: number | undefined;
}

/** The branch that work lands on, as it is now. */
export interface DefaultBranch {
  readonly name: string;
  readonly snapshot: Snapshot;
  /** The parts of it that are not known. */
  readonly open?: readonly OpenPart[];
  /** Other things that a reader should know of it. */
  readonly notes?: readonly string[] | undefined;
}

/** One that cannot be read now is a worktree all the same; one whose directory is gone, or another repository's, is none. */
export const isUnread = ({ reason }: SkippedWorktree): boolean =>
  reason === "corrupt" || reason === "unreadable" || reason === "timed-out" || reason === "failed";

/** In the middle of a rebase a worktree's files are nobody's final word; past this they are taken as they are. */
export const patienceMs = 10 * 60_000;

export function newWatched(path: string): WatchedWorktree {
  return {
    path,
    facts: undefined,
    snapshot: undefined,
    standing: undefined,
    standingFor: "",
    skipped: undefined,
    operationSinceMs: undefined,
    isHeld: false,
    landed: undefined,
    settledFor: "",
    touched: undefined,
    isWatched: false,
    everyMs: 0,
    dueMs: -Infinity,
    activeMs: -Infinity,
    metMs: -Infinity,
    polledMs: undefined,
  };
}

/** Takes in a new look; true when somebody else may want to know. */
export function see(
  member: WatchedWorktree,
  seen: { snapshot: Snapshot; facts: WorktreeFacts },
  nowMs: number,
): boolean {
  const { snapshot, facts } = seen;
  const before = member.facts;
  const isHeld = facts.operation !== undefined && nowMs - (member.operationSinceMs ?? nowMs) < patienceMs;
  const isNew =
    member.snapshot?.commit !== snapshot.commit ||
    flagsOf(member.snapshot) !== flagsOf(snapshot) ||
    before?.branch !== facts.branch ||
    before?.operation !== facts.operation ||
    member.skipped !== undefined ||
    member.isHeld !== isHeld;
  member.operationSinceMs = facts.operation === undefined ? undefined : (member.operationSinceMs ?? nowMs);
  member.isHeld = isHeld;
  member.facts = facts;
  member.snapshot = snapshot;
  member.skipped = undefined;
  return isNew;
}

/** Lists what was not looked at wholly: that comes and goes without another commit. */
export const flagsOf = ({ flags }: Pick<Snapshot, "flags">): string =>
  flags.map(({ path, reason }) => `${reason} ${path}`).join("\n");

/** It could not be looked at. What it was keeps counting for a while; true when the reason is a new one. */
export function skip(member: WatchedWorktree, outcome: { reason: string; detail: string }, nowMs: number): boolean {
  const isNew = member.skipped?.reason !== outcome.reason;
  member.skipped = { ...outcome, sinceMs: member.skipped?.sinceMs ?? nowMs };
  if (nowMs - member.skipped.sinceMs > patienceMs) member.snapshot = undefined;
  return isNew;
}

/** As a side of a pair; undefined while it cannot or should not be compared. */
export function sideOf(
  member: WatchedWorktree,
  all: Iterable<WatchedWorktree>,
  landing: DefaultBranch | undefined,
): ReviewedSide | undefined {
  const { path, snapshot, facts } = member;
  if (snapshot === undefined || member.skipped !== undefined || member.isHeld) return undefined;
  const { commit, tree } = snapshot;
  return {
    side: { label: labelOf(member, all), worktree: path, branch: facts?.branch ?? null, commit, tree },
    snapshot,
    operation: facts?.operation,
    // One that speaks for the default branch knows no more of it.
    ...(landing === undefined || speakerOf(landing, all) !== member
      ? {}
      : { isLanding: true, open: landing.open, notes: landing.notes }),
  };
}

/** The default branch as a side; undefined when a worktree on it speaks for it, with its uncommitted work. */
export function defaultAsSide(
  known: DefaultBranch | undefined,
  all: Iterable<WatchedWorktree>,
): ReviewedSide | undefined {
  if (known === undefined || speakerOf(known, all) !== undefined) return undefined;
  const { name, snapshot, open = [], notes } = known;
  const { commit, tree } = snapshot;
  const label = landingLabel({ name, commit });
  return { side: { label, worktree: null, branch: name, commit, tree }, snapshot, isLanding: true, open, notes };
}

/** The worktree that stands on the default branch as it is. */
export function speakerOf(
  { name, snapshot }: DefaultBranch,
  all: Iterable<WatchedWorktree>,
): WatchedWorktree | undefined {
  for (const member of all) {
    if (member.facts?.head === snapshot.commit && member.facts.branch === shortOf(name)) return member;
  }
  return undefined;
}

function labelOf({ path, facts }: WatchedWorktree, all: Iterable<WatchedWorktree>): string {
  const branch = facts?.branch;
  if (branch === undefined) return basename(path);
  for (const other of all) {
    if (other.path !== path && other.facts?.branch === branch) return `${branch} (${basename(path)})`;
  }
  return branch;
}

export function observed({ path, facts, snapshot, skipped, standing }: WatchedWorktree): ObservedWorktree {
  return {
    path,
    branch: facts?.branch ?? null,
    head: facts?.head ?? null,
    commit: snapshot?.commit ?? null,
    tree: snapshot?.tree ?? null,
    operation: facts?.operation ?? null,
    skipped: skipped?.reason ?? null,
    detail: skipped?.detail ?? null,
    ahead: standing?.ahead ?? null,
    behind: standing?.behind ?? null,
    uncommitted: standing?.uncommitted ?? false,
  };
}
