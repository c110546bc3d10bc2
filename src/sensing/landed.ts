// Work that the branch it lands on has already, also where it was squashed or picked on the way: merging it changes nothing
// there. It collides with nothing that the branch itself does not collide with, so it takes no part in pairs, but for
// what it has claimed, until it changes again.

import type { MergeOutcome, RepositoryObserver, SnapshotPair } from "../ports/git.ts";
import { kinds } from "../core/findings/kinds.ts";
import type { PairVerdict } from "../protocol/findings.ts";
import { type DefaultBranch, type WatchedWorktree, speakerOf } from "./watched-worktree.ts";

/** Those that were not yet held against the branch as both are now, each with the merge that tells. */
export function unsettled(
  members: Iterable<WatchedWorktree>,
  landing: DefaultBranch | undefined,
): { member: WatchedWorktree; pair: SnapshotPair }[] {
  if (landing === undefined) return [];
  const open: { member: WatchedWorktree; pair: SnapshotPair }[] = [];
  for (const member of members) {
    if (member.snapshot === undefined || member.settledFor === keyOf(member, landing)) continue;
    open.push({ member, pair: { ours: member.snapshot, theirs: landing.snapshot } });
  }
  return open;
}

/** Takes in what the merge says of the two. */
export async function settle(
  observer: RepositoryObserver,
  member: WatchedWorktree,
  landing: DefaultBranch,
  { pair, outcome }: { pair: SnapshotPair; outcome: MergeOutcome | undefined },
): Promise<void> {
  const work = pair.ours.commit;
  const before = member.landed?.work === work ? member.landed : undefined;
  const addsNothing = outcome?.kind === "clean" && outcome.tree === landing.snapshot.tree;
  if (addsNothing) member.landed = { work, into: landing.snapshot.commit };
  // The branch may have gone on in the same lines since; as long as it goes on from there, what landed has landed.
  else if (before === undefined || !(await continues(observer, landing, before.into))) {
    const into = await landedOnTheWay(observer, pair, outcome);
    member.landed = into === undefined ? undefined : { work, into };
  }
  member.settledFor = keyOf(member, landing);
}

/** A branch that moves fast is not seen at every commit: so many that touch what collides are looked at afterwards. */
const mostOnTheWay = 10;

/** The commit of the branch that had all of the work, before it went on in the same lines; undefined when there is none. */
async function landedOnTheWay(
  observer: RepositoryObserver,
  { ours, theirs }: SnapshotPair,
  outcome: MergeOutcome | undefined,
): Promise<string | undefined> {
  const [base] = outcome?.kind === "conflicted" ? outcome.bases : [];
  if (outcome?.kind !== "conflicted" || base === undefined) return undefined;
  const paths = outcome.conflicts.map(({ path }) => path);
  // The newest was looked at already, or it does not touch what collides.
  const commits = await observer.commitsTouching(base, theirs.commit, paths, mostOnTheWay);
  for (const commit of commits.filter((one) => one !== theirs.commit)) {
    const then = await observer.snapshotOf(commit);
    const [merge] = then === undefined ? [] : await observer.merge([{ ours, theirs: then }], { trees: true });
    if (merge?.kind === "clean" && merge.tree === then?.tree) return commit;
  }
  return undefined;
}

async function continues(observer: RepositoryObserver, landing: DefaultBranch, from: string): Promise<boolean> {
  return (await observer.standing(landing.snapshot, from)).behind === 0;
}

/** All of its work has landed, as far as is known. One that speaks for the branch is always at work. */
export function hasLanded(
  member: WatchedWorktree,
  all: Iterable<WatchedWorktree>,
  landing: DefaultBranch | undefined,
): boolean {
  // In the middle of a rebase its files may be the branch's own for a moment; its work is not there, but not landed either.
  if (member.facts?.operation !== undefined) return false;
  // Work that could not be looked at has not landed.
  if ((member.snapshot?.flags.length ?? 0) > 0) return false;
  if (landing === undefined || member.landed === undefined || member.landed.work !== member.snapshot?.commit)
    return false;
  return member.settledFor === keyOf(member, landing) && speakerOf(landing, all) !== member;
}

/** Returns what is left to say of a pair when one of the two has landed. */
export function onlyClaims(verdict: PairVerdict): PairVerdict {
  const open = verdict.open.filter(({ what }) => kinds.claim.restsOn.includes(what));
  const findings = verdict.findings.filter(({ kind }) => kind === "claim");
  return { ...verdict, findings, open, complete: open.length === 0 };
}

const keyOf = (member: WatchedWorktree, landing: DefaultBranch): string =>
  `${member.snapshot?.commit} ${landing.snapshot.commit}`;
