// Picks a branch's commits onto the target without a worktree: each is a three-way merge of trees, with the commit's parent
// as base. A commit keeps its author, date and message, and gets two trailers: the task, and the commit it came from, by
// which a later run knows what has landed.
//
// A branch with merge commits lands as one commit: picking across a merge would bring back the conflicts that the merge
// has already resolved. Its content is then the real merge of branch and target.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Conflict } from "../../ports/git.ts";
import type { PickOutcome, PickWish } from "../../ports/harvest.ts";
import { Blobs } from "../git/blobs.ts";
import { GitFailure } from "../git/git.ts";
import { hunksOf } from "../git/merge.ts";
import { markerSize } from "../git/merge-context.ts";
import { nameConflicts, readReports } from "../git/merge-report.ts";
import { type Commit, readCommits, withTrailers, writeCommit } from "./commit-text.ts";
import type { GroundParts } from "./landing-parts.ts";

export async function pick(parts: GroundParts, wish: PickWish): Promise<PickOutcome> {
  const { git, directory } = parts;
  const variables = { GIT_DIR: directory };
  const found = await git.try({ args: ["merge-base", "--all", wish.onto, wish.tip], variables });
  if (found.code !== 0) return { kind: "impossible", why: "the branch shares no history with the target" };
  const bases = Buffer.from(found.stdout).toString("utf8").trim().split("\n");
  // The bases are named because git's walk trusts dates: after a few commits with a clock that was wrong it goes astray.
  const begun = await rewrittenBase(parts, wish);
  const known = [wish.onto, ...bases, ...(begun === undefined ? [] : [begun])].map((id) => `^${id}`);
  const ids = await lines(parts, "rev-list", "--reverse", "--topo-order", wish.tip, ...known);
  if (ids.length === 0) return { kind: "empty" };
  const landed = await landedFrom(parts, bases[0] ?? wish.onto, wish);
  const commits = await readCommits(git, directory, ids);
  await prepareAttributes(parts, wish.onto);
  const squashed = commits.some(({ parents }) => parents.length > 1);
  if (squashed && begun !== undefined) {
    const why = `${parts.wish.target} was rewritten since the work began at ${begun.slice(0, 12)}, which it has no more, and the branch has merges; rebase it on ${parts.wish.target}`;
    return { kind: "impossible", why };
  }
  return squashed ? squash(parts, wish, commits, landed) : oneByOne(parts, wish, commits, landed);
}

/** The work's base, when somebody took it out of the target: it is in the branch's history, and not to be landed again. */
async function rewrittenBase(parts: GroundParts, wish: PickWish): Promise<string | undefined> {
  const { base } = wish;
  if (base === undefined || base === "") return undefined;
  const isIn = async (commit: string): Promise<boolean> => {
    const args = ["merge-base", "--is-ancestor", base, commit];
    return (await parts.git.try({ args, variables: { GIT_DIR: parts.directory } })).code === 0;
  };
  return !(await isIn(wish.onto)) && (await isIn(wish.tip)) ? base : undefined;
}

async function oneByOne(
  parts: GroundParts,
  wish: PickWish,
  commits: readonly Commit[],
  landed: ReadonlyMap<string, string>,
): Promise<PickOutcome> {
  const { git, directory } = parts;
  const who = await committer(parts, wish);
  let tip = wish.onto;
  let tree = await treeOf(parts, tip);
  let count = 0;
  let newest: string | undefined;
  for (const commit of commits) {
    newest = landed.get(commit.id) ?? newest;
    if (landed.has(commit.id)) continue;
    const parentTree = commit.parents[0] === undefined ? undefined : await treeOf(parts, commit.parents[0]);
    const merged = parentTree === tree ? { tree: commit.tree } : await mergeOnto(parts, commit, tip, tree);
    if ("conflicts" in merged) {
      return { kind: "conflicted", commit: commit.id, subject: commit.subject, conflicts: merged.conflicts };
    }
    if (merged.tree === tree) continue; // its change is there already
    tree = merged.tree;
    const message = withTrailers(commit.message, trailers(wish.task, commit.id));
    tip = await writeCommit(git, directory, {
      tree,
      parents: [tip],
      author: commit.author,
      committer: who,
      message,
      encoding: commit.encoding,
    });
    count += 1;
  }
  return count === 0
    ? { kind: "landed", sha: newest ?? wish.onto }
    : { kind: "picked", tip, commits: count, squashed: false };
}

async function squash(
  parts: GroundParts,
  wish: PickWish,
  commits: readonly Commit[],
  landed: ReadonlyMap<string, string>,
): Promise<PickOutcome> {
  const { git, directory } = parts;
  const last = commits.find(({ id }) => id === wish.tip);
  const before = landed.get(wish.tip);
  if (last === undefined || before !== undefined) return { kind: "landed", sha: before ?? wish.onto };
  const merged = await merge(parts, wish.onto, wish.tip);
  if ("conflicts" in merged) {
    return { kind: "conflicted", commit: wish.tip, subject: last.subject, conflicts: merged.conflicts };
  }
  if (merged.tree === (await treeOf(parts, wish.onto))) return { kind: "landed", sha: wish.onto };
  const subjects = commits.filter(({ parents }) => parents.length < 2).map(({ subject }) => `- ${subject}`);
  const title = wish.title.split("\n")[0]?.slice(0, 200) ?? "";
  const message = withTrailers(Buffer.from(`${title}\n\n${subjects.join("\n")}\n`), trailers(wish.task, wish.tip));
  const who = await committer(parts, wish);
  const author = commits.find(({ parents }) => parents.length < 2)?.author ?? last.author;
  const tip = await writeCommit(git, directory, {
    tree: merged.tree,
    parents: [wish.onto],
    author,
    committer: who,
    message,
    encoding: undefined,
  });
  return { kind: "picked", tip, commits: 1, squashed: true };
}

const trailers = (task: number, commit: string): string[] => [`Constel-Task: ${task}`, `Constel-Commit: ${commit}`];

/** The commits of the task that the target has, by the commit they came from. */
async function landedFrom(parts: GroundParts, base: string, wish: PickWish): Promise<Map<string, string>> {
  const format = "--format=%H %(trailers:key=Constel-Commit,valueonly,separator=%x20)";
  const landed = new Map<string, string>();
  // Oldest first, so that the newest wins.
  for (const line of await lines(parts, "log", "--reverse", format, `${base}..${wish.onto}`)) {
    const [sha = "", ...from] = line.split(" ");
    for (const id of from) landed.set(id, sha);
  }
  return landed;
}

type Merged = { readonly tree: string } | { readonly conflicts: readonly Conflict[] };

/** The commit's change onto a tree: a merge with a stand-in for the target that hangs from the commit's own parent. */
async function mergeOnto(parts: GroundParts, commit: Commit, tip: string, tree: string): Promise<Merged> {
  const { git, directory } = parts;
  const [parent] = commit.parents;
  const nobody = Buffer.from("constel <constel@localhost> 0 +0000");
  const standIn = await writeCommit(git, directory, {
    tree,
    parents: parent === undefined ? [] : [parent],
    author: nobody,
    committer: nobody,
    message: Buffer.from(`stands for ${tip}\n`),
    encoding: undefined,
  });
  return merge(parts, standIn, commit.id);
}

async function merge(parts: GroundParts, ours: string, theirs: string): Promise<Merged> {
  const { git, directory } = parts;
  const args = ["merge-tree", "--write-tree", "--stdin", "-z", "--messages", "--allow-unrelated-histories"];
  const outcome = await git.try({ args, variables: { GIT_DIR: directory }, stdin: `${ours} ${theirs}\n` });
  const [report] = readReports(outcome.stdout);
  if (report === undefined) throw new GitFailure(["merge-tree"], outcome);
  if (report.isClean) return { tree: report.tree };
  const blobs = new Blobs(git.reading, { GIT_DIR: directory });
  try {
    const conflicts: Conflict[] = [];
    for (const { treePath, ...known } of nameConflicts(report, [ours, theirs])) {
      const hunks = await hunksOf(blobs, report.tree, treePath, known);
      conflicts.push({ ...known, oursHunks: hunks.ours, theirsHunks: hunks.theirs, uncertain: false });
    }
    return { conflicts };
  } finally {
    await blobs.close();
  }
}

/** The target's own rules for merging (union, binary), and markers that no file has by itself. No driver is configured. */
async function prepareAttributes(parts: GroundParts, onto: string): Promise<void> {
  const { git, directory } = parts;
  const outcome = await git.try({
    args: ["cat-file", "blob", `${onto}:.gitattributes`],
    variables: { GIT_DIR: directory },
  });
  const own = outcome.code === 0 ? Buffer.from(outcome.stdout).toString("latin1") : "";
  const text = `${own}\n* conflict-marker-size=${markerSize}\n`;
  writeFileSync(join(directory, "info", "attributes"), text, { encoding: "latin1", mode: 0o600 });
}

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
  const name = outcome.code === 0 ? /^(.+ <.*>) \d+ /.exec(said)?.[1] : undefined;
  return Buffer.from(`${name ?? "constel <constel@localhost>"} ${seconds} +0000`, "latin1");
}

async function treeOf(parts: GroundParts, commit: string): Promise<string> {
  return parts.git.text({ args: ["rev-parse", `${commit}^{tree}`], variables: { GIT_DIR: parts.directory } });
}

async function lines(parts: GroundParts, ...args: string[]): Promise<string[]> {
  const text = await parts.git.text({ args, variables: { GIT_DIR: parts.directory } });
  return text.split("\n").filter((line) => line !== "");
}
