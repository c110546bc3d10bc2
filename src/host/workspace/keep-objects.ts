// Finds what must be kept of a workspace's object directory: every object the source does not have, and every object that
// refs, reflogs, the index or an operation under way mention. Commits become parents of the rescue commit; blobs and trees
// that hang from none of them become entries of its tree; annotated tags, which can be neither, are kept as their text.

import { join } from "node:path";
import type { Gathered } from "./gather.ts";
import type { WorkGit } from "./work-git.ts";
import { GitFailure } from "../git/git.ts";
import { readSmall } from "../git/repository/locate.ts";
import { fileName } from "../git/objects/path-text.ts";

export interface Kept {
  readonly commits: readonly string[];
  readonly blobs: readonly string[];
  readonly trees: readonly string[];
  readonly tags: readonly string[];
}

export interface KeepPlaces {
  readonly workspace: string;
  /** Of the keeper, which borrows the workspace's objects. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the keeper alone. */
  readonly alone: Readonly<Record<string, string>>;
}

export async function findKept(git: WorkGit, places: KeepPlaces, gathered: Gathered): Promise<Kept> {
  const known = await everyObject(git, places.workspace);
  const isNew = await missingIn(git, places.alone, [...known.keys()]);
  const wanted = new Set(isNew);
  for (const id of await mentioned(git, places.workspace, gathered)) if (known.has(id)) wanted.add(id);
  // What a tag stands for is reached through no commit of ours unless it is named too.
  const tags = [...wanted].filter((id) => known.get(id) === "tag");
  for (const id of await peeled(git, places.variables, tags)) wanted.add(id);
  const typed = (type: string): string[] => [...wanted].filter((id) => known.get(id) === type);
  const commits = await withoutAncestors(git, places.variables, typed("commit"));
  const reached = await reachedFrom(git, places, commits);
  return {
    commits,
    tags,
    blobs: typed("blob").filter((id) => !reached.has(id)),
    trees: typed("tree").filter((id) => !reached.has(id)),
  };
}

async function everyObject(git: WorkGit, workspace: string): Promise<Map<string, string>> {
  const text = await git.text({
    args: ["cat-file", "--batch-all-objects", "--unordered", "--batch-check=%(objectname) %(objecttype)"],
    variables: { GIT_DIR: join(workspace, ".git") },
  });
  return new Map(lines(text).map((line) => line.split(" ") as [string, string]));
}

async function missingIn(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  ids: readonly string[],
): Promise<string[]> {
  const args = ["cat-file", "--batch-check=%(objectname)"];
  const text = await git.text({ args, variables, stdin: ids.map((id) => `${id}\n`).join("") });
  return lines(text)
    .filter((line) => line.endsWith(" missing"))
    .map((line) => line.slice(0, line.indexOf(" ")));
}

/** Every full object id in any file of the git directory, and in the index. */
async function mentioned(git: WorkGit, workspace: string, gathered: Gathered): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const { path, link } of gathered.files) {
    const isGits = path.startsWith(".git/") && !path.startsWith(".git/modules/") && !path.startsWith(".git/hooks/");
    if (!isGits || link !== undefined || /(^|\/)(index|sharedindex\.[0-9a-f]+)$/.test(path)) continue;
    // By its path, at which something else may stand by now: a pipe, a link that leads out.
    const text = readSmall(fileName(workspace, path)) ?? "";
    for (const [id] of text.matchAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g)) ids.add(id);
  }
  for (const index of gathered.files.filter(({ path }) => /^\.git\/(worktrees\/[^/]+\/)?index$/.test(path))) {
    const directory = join(workspace, index.path.slice(0, -"/index".length));
    for (const option of ["-s", "--resolve-undo"]) {
      const outcome = await git.try({
        args: ["ls-files", option, "-z"],
        variables: { GIT_DIR: directory, GIT_WORK_TREE: workspace },
      });
      // Of an index that git cannot read nothing can be kept but the file; a git that was ended has not looked.
      if (outcome.code === null || outcome.timedOut) throw new GitFailure(["ls-files"], outcome);
      const text = Buffer.from(outcome.stdout).toString("latin1");
      for (const [, id] of text.matchAll(/(?:^|\0)\d{6} ([0-9a-f]+) /g)) if (id !== undefined) ids.add(id);
    }
  }
  return ids;
}

async function peeled(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  tags: readonly string[],
): Promise<string[]> {
  if (tags.length === 0) return [];
  const args = ["cat-file", "--batch-check=%(objectname)"];
  const text = await git.text({ args, variables, stdin: tags.map((id) => `${id}^{}\n`).join("") });
  return lines(text).filter((line) => !line.includes(" "));
}

/** Those that are not a parent of another one: their history holds the rest. */
async function withoutAncestors(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  commits: readonly string[],
): Promise<string[]> {
  if (commits.length === 0) return [];
  const args = ["rev-list", "--no-walk=unsorted", "--parents", "--stdin"];
  const text = await git.text({ args, variables, stdin: commits.map((id) => `${id}\n`).join("") });
  const parents = new Set(lines(text).flatMap((line) => line.split(" ").slice(1)));
  return commits.filter((id) => !parents.has(id));
}

async function reachedFrom(git: WorkGit, places: KeepPlaces, commits: readonly string[]): Promise<Set<string>> {
  if (commits.length === 0) return new Set();
  const args = ["rev-list", "--objects", "--no-object-names", "--stdin"];
  const text = await git.text({
    args,
    variables: places.variables,
    stdin: commits.map((id) => `${id}\n`).join(""),
  });
  return new Set(lines(text));
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
