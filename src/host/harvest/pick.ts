// Picks a branch's commits onto the target without a worktree: each is a three-way merge of trees, with the commit's parent
// as base. A commit keeps its author, date and message, and gets two trailers for whoever reads the log: the task, and the
// commit it came from. Nothing is ever decided by them, because agents write messages: what is on the target follows from
// commits, trees and our own journal.
//
//   its change is there already       → left out, and said
//   it landed before, and the target
//     took it back                    → applied again, and said
//     has other lines there by now    → left as the target has it, and said
//   otherwise                         → applied, or a conflict
//
// A branch with merge commits lands as one commit: picking across a merge would bring back the conflicts that the merge
// has already resolved. Its content is then the real merge of branch and target.

import type { LandingNote, PickOutcome, PickWish } from "../../ports/harvest.ts";
import { isAncestor } from "./ancestors.ts";
import { type Commit, readCommits, withTrailers, writeCommit } from "./commit-text.ts";
import { differences, lostPaths, missingOn } from "./compare-paths.ts";
import type { GroundParts } from "./landing-parts.ts";
import { hasConflicts, merge, mergeOnto, prepareAttributes } from "./merge-onto.ts";
import { Regeneration } from "./regenerate.ts";
import { settingsChange, touchesSettings } from "./settings-change.ts";

export async function pick(parts: GroundParts, wish: PickWish): Promise<PickOutcome> {
  const { git, directory } = parts;
  const variables = { GIT_DIR: directory };
  const found = await git.ask({ args: ["merge-base", "--all", wish.onto, wish.tip], variables });
  if (found === undefined) return { kind: "impossible", why: "the branch shares no history with the target" };
  const bases = found.split("\n");
  // The bases are named because git's walk trusts dates: after a few commits with a clock that was wrong it goes astray.
  const begun = await rewrittenBase(parts, wish);
  const known = [wish.onto, ...bases, ...(begun === undefined ? [] : [begun])].map((id) => `^${id}`);
  const ids = await lines(parts, "rev-list", "--reverse", "--topo-order", wish.tip, ...known);
  await prepareAttributes(parts, wish.onto);
  if (ids.length === 0) return allInHistory(parts, wish);
  const commits = await readCommits(git, directory, ids);
  const squashed = commits.some(({ parents }) => parents.length > 1);
  if (squashed && begun !== undefined) {
    const why = `${parts.wish.target} was rewritten since the work began at ${begun.slice(0, 12)}, which it has no more, and the branch has merges; rebase it on ${parts.wish.target}`;
    return { kind: "impossible", why };
  }
  const landed = await stillThere(parts, wish, await wish.landedAs(ids));
  const outcome = squashed ? await squash(parts, wish, commits, landed) : await oneByOne(parts, wish, commits, landed);
  if (outcome.kind !== "picked" && outcome.kind !== "landed") return outcome;
  const result = outcome.kind === "picked" ? outcome.tip : wish.onto;
  const base = squashed ? bases[0] : commits[0]?.parents[0];
  const notes = [...outcome.notes, ...(await takenBack(parts, wish, result, bases[0]))];
  if (base === undefined) return { ...outcome, notes };
  const changed = await differences(parts, base, wish.tip);
  const settings = touchesSettings(changed) ? await settingsChange(parts, wish.onto, result) : undefined;
  if (settings?.complaint !== undefined) return { kind: "impossible", why: settings.complaint };
  notes.push(...(settings?.notes ?? []));
  const lost = await lostPaths(parts, changed, { base, tip: wish.tip, onto: wish.onto, result });
  const said = new Set(notes.flatMap(({ kind, paths }) => (leavesOut.has(kind) ? paths : [])));
  const unsaid = lost.filter((path) => !said.has(path));
  if (unsaid.length > 0) {
    const why = `after picking, ${unsaid.slice(0, 5).join(", ")} would not read on ${parts.wish.target} as the branch has it; rebase it on ${parts.wish.target}`;
    return { kind: "impossible", why };
  }
  return { ...outcome, notes };
}

/** The kinds of notes that explain why a path does not read as the branch has it. */
const leavesOut: ReadonlySet<LandingNote["kind"]> = new Set(["superseded", "taken-back", "regenerated"]);

/** The work's base, when somebody took it out of the target: it is in the branch's history, and not to be landed again. */
async function rewrittenBase(parts: GroundParts, wish: PickWish): Promise<string | undefined> {
  const { base } = wish;
  if (base === undefined || base === "") return undefined;
  return !(await isAncestor(parts, base, wish.onto)) && (await isAncestor(parts, base, wish.tip)) ? base : undefined;
}

/** Somebody brought all of it to the target by hand. That it is in the history does not say that it is still there. */
async function allInHistory(parts: GroundParts, wish: PickWish): Promise<PickOutcome> {
  const { base, tip, onto } = wish;
  if (base === undefined || base === "" || base === tip || !(await isAncestor(parts, base, tip)))
    return { kind: "empty" };
  const missing = await missingOn(parts, { from: base, to: tip, on: onto });
  if (missing.length === 0) return { kind: "landed", sha: tip, notes: [] };
  const { target } = parts.wish;
  const files = missing.slice(0, 5).join(", ");
  const why = `its commits are in the history of ${target}, which took them back since: ${files} read there as before; to land it again, commit it anew on top of ${target}`;
  return { kind: "impossible", why };
}

/** Of what the journal knows, only what the target's history has. */
async function stillThere(
  parts: GroundParts,
  wish: PickWish,
  landed: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, string>> {
  const there = new Map<string, string>();
  for (const [from, became] of landed) {
    for (const to of became) if (await isAncestor(parts, to, wish.onto)) there.set(from, to);
  }
  return there;
}

async function oneByOne(
  parts: GroundParts,
  wish: PickWish,
  commits: readonly Commit[],
  landed: ReadonlyMap<string, string>,
): Promise<PickOutcome> {
  const { git, directory } = parts;
  const { target } = parts.wish;
  const who = await committer(parts, wish);
  const regeneration = new Regeneration(parts, wish);
  const notes: LandingNote[] = [];
  const note = async (kind: LandingNote["kind"], commit: Commit, why: string): Promise<void> => {
    const paths = await touched(parts, commit);
    notes.push({ kind, commit: commit.id, paths, says: `${commit.id.slice(0, 12)} "${short(commit)}" ${why}` });
  };
  const picks: { from: string; to: string }[] = [];
  let tip = wish.onto;
  let tree = await treeOf(parts, tip);
  let newest: string | undefined;
  for (const commit of commits) {
    const before = landed.get(commit.id);
    newest = before ?? newest;
    const [parent] = commit.parents;
    const parentTree = parent === undefined ? undefined : await treeOf(parts, parent);
    const isPlain = parentTree === tree;
    let merged = isPlain ? { tree: commit.tree } : await mergeOnto(parts, { base: parent, tree, theirs: commit.id });
    if (hasConflicts(merged)) merged = (await regeneration.settle(merged, tree)) ?? merged;
    if (hasConflicts(merged)) {
      if (before === undefined)
        return { kind: "conflicted", commit: commit.id, subject: commit.subject, conflicts: merged.conflicts };
      await note(
        "superseded",
        commit,
        `had landed as ${before.slice(0, 12)}, and ${target} has changed the same lines since`,
      );
      continue;
    }
    if (merged.tree === tree) {
      // An empty commit brings nothing by itself.
      if (commit.tree !== parentTree)
        await note("there-already", commit, `is left out: ${target} has its change already`);
      continue;
    }
    if (before !== undefined)
      await note(
        "re-applied",
        commit,
        `had landed as ${before.slice(0, 12)} and was taken back since; it is applied again`,
      );
    tree = merged.tree;
    const message = withTrailers(commit.message, trailers(wish.task, commit.id));
    const { author, encoding } = commit;
    tip = await writeCommit(git, directory, { tree, parents: [tip], author, committer: who, message, encoding });
    picks.push({ from: commit.id, to: tip });
  }
  const made = await regeneration.finish({ tip, committer: who });
  if ("why" in made) return { kind: "impossible", why: made.why };
  tip = made.tip;
  notes.push(...made.notes);
  return tip === wish.onto
    ? { kind: "landed", sha: newest ?? wish.onto, notes }
    : { kind: "picked", tip, commits: picks.length + made.commits, squashed: false, picks, notes };
}

async function squash(
  parts: GroundParts,
  wish: PickWish,
  commits: readonly Commit[],
  landed: ReadonlyMap<string, string>,
): Promise<PickOutcome> {
  const { git, directory } = parts;
  const last = commits.find(({ id }) => id === wish.tip);
  if (last === undefined) return { kind: "landed", sha: wish.onto, notes: [] };
  const before = landed.get(wish.tip);
  const regeneration = new Regeneration(parts, wish);
  const onto = await treeOf(parts, wish.onto);
  let merged = await merge(parts, wish.onto, wish.tip);
  if (hasConflicts(merged)) merged = (await regeneration.settle(merged, onto)) ?? merged;
  if (hasConflicts(merged)) {
    if (before === undefined)
      return { kind: "conflicted", commit: wish.tip, subject: last.subject, conflicts: merged.conflicts };
    const paths = [...(await differences(parts, wish.onto, wish.tip)).keys()];
    const says = `the branch had landed as ${before.slice(0, 12)}, and ${parts.wish.target} has changed the same lines since`;
    return { kind: "landed", sha: before, notes: [{ kind: "superseded", commit: wish.tip, paths, says }] };
  }
  if (merged.tree === onto) return { kind: "landed", sha: before ?? wish.onto, notes: [] };
  const own = commits.filter(({ parents }) => parents.length < 2);
  const title = wish.title.split("\n")[0]?.slice(0, 200) ?? "";
  const subjects = own.map(({ subject }) => `- ${subject}`).join("\n");
  const message = withTrailers(Buffer.from(`${title}\n\n${subjects}\n`), trailers(wish.task, wish.tip));
  const who = await committer(parts, wish);
  const author = own[0]?.author ?? last.author;
  const commit = { tree: merged.tree, parents: [wish.onto], author, committer: who, message, encoding: undefined };
  const to = await writeCommit(git, directory, commit);
  const made = await regeneration.finish({ tip: to, committer: who });
  if ("why" in made) return { kind: "impossible", why: made.why };
  const picks = commits.map(({ id }) => ({ from: id, to }));
  return { kind: "picked", tip: made.tip, commits: 1 + made.commits, squashed: true, picks, notes: made.notes };
}

/**
 * Files that the branch changed by commits which the target's history has, and which the target reverted since: they are no
 * commits of the branch's own any more, so they do not come back with it.
 */
async function takenBack(
  parts: GroundParts,
  wish: PickWish,
  result: string,
  shared: string | undefined,
): Promise<LandingNote[]> {
  const { base, tip } = wish;
  const isKnown = base !== undefined && base !== "" && shared !== undefined && base !== shared;
  if (!isKnown || !(await isAncestor(parts, base, shared))) return [];
  const brought = await differences(parts, base, shared);
  const wanted = await differences(parts, result, tip);
  const back = [...brought].filter(
    ([path, { before, after }]) => wanted.get(path)?.before === before && wanted.get(path)?.after === after,
  );
  if (back.length === 0) return [];
  const paths = back.map(([path]) => path);
  const says = `${parts.wish.target} had what the branch has in ${paths.slice(0, 5).join(", ")}${paths.length > 5 ? ` and ${paths.length - 5} more` : ""} and took it back; that stays so`;
  return [{ kind: "taken-back", commit: null, paths, says }];
}

async function touched(parts: GroundParts, commit: Commit): Promise<string[]> {
  const [parent] = commit.parents;
  return parent === undefined ? [] : [...(await differences(parts, parent, commit.id)).keys()];
}

const short = ({ subject }: Commit): string => subject.slice(0, 100);

const trailers = (task: number, commit: string): string[] => [`Constel-Task: ${task}`, `Constel-Commit: ${commit}`];

/** Whoever the user's git says they are, at no time before the commit it stands on. */
async function committer(parts: GroundParts, wish: PickWish): Promise<Buffer> {
  const { git, directory } = parts;
  const [onto = "0"] = await lines(parts, "log", "-1", "--format=%ct", wish.onto);
  const seconds = Math.max(Math.floor(wish.atMs / 1000), Number(onto));
  const outcome = await git.reading.try({
    args: ["var", "GIT_COMMITTER_IDENT"],
    variables: { GIT_DIR: directory },
    withUserConfig: true,
  });
  const said = Buffer.from(outcome.stdout).toString("latin1");
  const name = outcome.code === 0 ? /^(.+ <[^<>]*>) \d+ /.exec(said)?.[1] : undefined;
  return Buffer.from(`${name ?? "constel <constel@localhost>"} ${seconds} +0000`, "latin1");
}

async function treeOf(parts: GroundParts, commit: string): Promise<string> {
  return parts.git.text({ args: ["rev-parse", `${commit}^{tree}`], variables: { GIT_DIR: parts.directory } });
}

async function lines(parts: GroundParts, ...args: string[]): Promise<string[]> {
  const text = await parts.git.text({ args, variables: { GIT_DIR: parts.directory } });
  return text.split("\n").filter((line) => line !== "");
}
