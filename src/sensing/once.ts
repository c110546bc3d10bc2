// One look at every worktree of a repository, every pair that could collide, and how each stands to the default branch, as
// a report that sensing would make. With branches, one that is checked out nowhere takes part as a worktree whose path no
// real one can have.

import { basename } from "node:path";
import { counted } from "../protocol/counted.ts";
import { sideIdentity } from "../core/findings/pair-finding.ts";
import type { ReviewedSide } from "./merged-pair.ts";
import type { RepositoryObserver, WorktreeFacts } from "../ports/git.ts";
import type { LookRequest } from "../protocol/try-report.ts";
import type { RepositoryReport } from "../ports/sensing.ts";
import type { OpenPart, PairVerdict } from "../protocol/findings.ts";
import { withArticle } from "../protocol/operation-words.ts";
import { hasLanded, settle, unsettled } from "./landed.ts";
import { askOnce, landingBranch } from "./landing-branch.ts";
import {
  type DefaultBranch,
  defaultAsSide,
  isUnread,
  type WatchedWorktree,
  newWatched,
  observed,
  see,
  sideOf,
  skip,
} from "./watched-worktree.ts";
import type { Judge } from "./watch.ts";

/** Real paths begin with a slash. */
export const branchPrefix = "branch ";

/** More than anybody looks at on one screen; the most recently used are the ones at work. */
const mostBranches = 60;
const reviewsAtOnce = 4;

export interface LookedRepository {
  readonly report: RepositoryReport;
  /** Worktrees that were not compared with any other. */
  readonly unseen: readonly OpenPart[];
  readonly notes: readonly string[];
}

export interface OnceRequest extends LookRequest {
  readonly nowMs: number;
}

/** `judge`: the pipeline, with all that takes long asked at once. */
export async function lookOnce(
  observer: RepositoryObserver,
  judge: Judge,
  request: OnceRequest,
): Promise<LookedRepository> {
  const notes: string[] = [];
  const landing = await findDefault(observer, request, notes);
  const { found, skipped } = await observer.worktrees();
  let seen = 0;
  const members = await Promise.all(
    found.map(async (facts) => {
      const member = await lookAt(observer, facts);
      request.told?.("looking at worktrees", { done: ++seen, total: found.length });
      return member;
    }),
  );
  for (const one of skipped) if (!isUnread(one)) notes.push(`Left out: ${basename(one.path)}, ${one.detail}.`);
  // Someone with one worktree has nothing else to compare.
  if (request.branches || found.length < 2) members.push(...(await branchMembers(observer, found, landing, notes)));
  await Promise.all(
    members.map(async (member) => {
      if (member.snapshot === undefined) return;
      member.standing = await observer.standing(member.snapshot, landing?.snapshot.commit);
    }),
  );
  request.signal.throwIfAborted();
  await settleAll(observer, members, landing);
  const pairs = await judgeAll(observer, judge, pairsOf(members, landing), request);
  const target = defaultAsSide(landing, members);
  const comparable = members.filter(({ snapshot }) => snapshot !== undefined);
  const [sides = [], landed = []] = [false, true].map((isOver) =>
    comparable.filter((one) => hasLanded(one, members, landing) === isOver).map(({ path }) => `worktree ${path}`),
  );
  return {
    report: {
      repository: observer.identity,
      defaultBranch: landing?.name ?? null,
      worktrees: members.map(observed),
      present: members.map(({ path }) => path),
      sides: target === undefined ? sides : [...sides, sideIdentity(target.side)],
      landed,
      pairs,
      left: 0,
      problem: null,
    },
    unseen: [
      ...skipped.filter(isUnread).map(({ path, detail }): OpenPart => ({
        what: "comparison",
        why: `${basename(path)} was not compared: ${detail}`,
      })),
      ...members.flatMap(unseenPart),
    ],
    notes,
  };
}

async function findDefault(
  observer: RepositoryObserver,
  { fetch, signal, nowMs }: OnceRequest,
  notes: string[],
): Promise<DefaultBranch | undefined> {
  const { word, note } = await askOnce(observer, undefined, { fetch, signal, nowMs });
  if (note !== undefined) notes.push(`${note}.`);
  const { branch: found } = landingBranch(await observer.defaultBranch(), word);
  const snapshot = found === undefined ? undefined : await observer.snapshotOf(found.commit);
  return found === undefined || snapshot === undefined ? undefined : { name: found.name, snapshot, open: found.open };
}

async function lookAt(observer: RepositoryObserver, facts: WorktreeFacts): Promise<WatchedWorktree> {
  const member = newWatched(facts.path);
  member.facts = facts;
  const outcome = await observer.snapshot(facts.path);
  if (outcome.kind === "taken") see(member, outcome, 0);
  else skip(member, outcome, 0);
  return member;
}

async function branchMembers(
  observer: RepositoryObserver,
  worktrees: readonly WorktreeFacts[],
  landing: DefaultBranch | undefined,
  notes: string[],
): Promise<WatchedWorktree[]> {
  const [first] = worktrees;
  if (first === undefined) return [];
  const { names, leftOut } = await observer.branches(mostBranches);
  if (leftOut > 0) notes.push(`Left out: ${counted(leftOut, "branch", "branches")} not used lately.`);
  const taken = new Set(worktrees.map(({ branch }) => branch));
  const members = names
    .filter((name) => !taken.has(name) && name !== landing?.name)
    .map(async (name) => {
      const snapshot = await observer.snapshotOf(`refs/heads/${name}`);
      if (snapshot === undefined) return undefined;
      const member = newWatched(`${branchPrefix}${name}`);
      const facts = { ...first, path: member.path, branch: name, head: snapshot.commit, operation: undefined };
      see(member, { snapshot, facts }, 0);
      return member;
    });
  return (await Promise.all(members)).filter((member) => member !== undefined);
}

interface OpenPair {
  readonly ours: ReviewedSide;
  readonly theirs: ReviewedSide;
}

async function settleAll(
  observer: RepositoryObserver,
  members: readonly WatchedWorktree[],
  landing: DefaultBranch | undefined,
): Promise<void> {
  const open = unsettled(members, landing);
  const outcomes = await observer.merge(open.map(({ pair }) => pair));
  for (const [at, { member, pair }] of open.entries()) {
    if (landing !== undefined) await settle(observer, member, landing, { pair, outcome: outcomes[at] });
  }
}

function pairsOf(members: readonly WatchedWorktree[], landing: DefaultBranch | undefined): OpenPair[] {
  const target = defaultAsSide(landing, members);
  const atWork = members.filter((one) => !hasLanded(one, members, landing));
  const sides = atWork.map((one) => sideOf(one, members, landing)).filter((side) => side !== undefined);
  if (target !== undefined) sides.push(target);
  return sides.flatMap((ours, at) => sides.slice(at + 1).map((theirs) => ({ ours, theirs })));
}

function unseenPart({ facts, path, isHeld, skipped: why }: WatchedWorktree): OpenPart[] {
  const name = facts?.branch ?? basename(path);
  if (why !== undefined) return [{ what: "comparison", why: `${name} was not compared: ${why.detail}` }];
  if (!isHeld) return [];
  return [
    {
      what: "comparison",
      why: `${name} was not compared: it is in the middle of ${withArticle(facts?.operation ?? "change")}`,
    },
  ];
}

async function judgeAll(
  observer: RepositoryObserver,
  judge: Judge,
  open: readonly OpenPair[],
  { signal, told }: LookRequest,
): Promise<PairVerdict[]> {
  const merges = await observer.merge(
    open.map(({ ours, theirs }) => ({ ours: ours.snapshot, theirs: theirs.snapshot })),
  );
  const looked: PairVerdict[] = [];
  for (let from = 0; from < open.length; from += reviewsAtOnce) {
    signal.throwIfAborted();
    const group = open.slice(from, from + reviewsAtOnce).map(({ ours, theirs }, at) => {
      const merge = merges[from + at] ?? { kind: "skipped", reason: "failed", detail: "git gave no answer" };
      return judge(ours, theirs, merge);
    });
    looked.push(...(await Promise.all(group)));
    told?.("comparing pairs", { done: looked.length, total: open.length });
  }
  return looked;
}
