// Finds out what git itself would find out inside submodules, without running git there: a submodule's own settings name programs. It tells
// which of two commits contains the other, when both sides moved it; and whether there is work in it that nobody has committed.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Conflict } from "../../../ports/git.ts";
import { privateConfig, readSettings } from "../repository/allowed-settings.ts";
import type { Blobs } from "../objects/blobs.ts";
import { type Git, GitFailure } from "../git.ts";
import { commonDirectoryOf, gitDirectoryOf, readSmall } from "../repository/locate.ts";
import { pathToBytes } from "../objects/path-text.ts";
import { copyIndex } from "./private-index.ts";
import { keyOf, type PrivateStore } from "../objects/private-store.ts";
import { readTreeObject, treeObject } from "../objects/tree-object.ts";
import { readHead } from "../repository/worktree-state.ts";

export interface SubmoduleParts {
  readonly git: Git;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  /** A git directory of ours that sees nothing but what it is given. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** The worktrees that may have the submodule. */
  readonly tops: () => Iterable<string>;
}

type Moved = Pick<Conflict, "path" | "base" | "ours" | "theirs">;

/** The commit that git would take, because it has all of the other's: `apart` when neither has, undefined when that cannot be seen. */
export async function newerCommit(
  parts: SubmoduleParts,
  { path, base, ours, theirs }: Moved,
): Promise<string | "apart" | undefined> {
  if (base === undefined || ours === undefined || theirs === undefined) return "apart";
  const objects = [...parts.tops()].flatMap((top) => objectsOf(join(top, path)));
  if (objects.length === 0) return undefined;
  const variables = { ...parts.variables(), GIT_ALTERNATE_OBJECT_DIRECTORIES: asList(objects) };
  const contains = async (older: string, newer: string): Promise<boolean | undefined> => {
    const args = ["merge-base", "--is-ancestor", older, newer];
    const { code } = await parts.git.try({ args, variables });
    return code === 0 ? true : code === 1 ? false : undefined;
  };
  // git takes neither when one of them goes back behind where both began.
  const forward = [await contains(base.blob, ours.blob), await contains(base.blob, theirs.blob)];
  if (forward.includes(undefined)) return undefined;
  if (forward.includes(false)) return "apart";
  if (await contains(ours.blob, theirs.blob)) return theirs.blob;
  return (await contains(theirs.blob, ours.blob)) ? ours.blob : "apart";
}

/** The tree with the submodule at this commit; undefined when it has none there. */
export async function withSubmoduleAt(
  { blobs, store }: Pick<SubmoduleParts, "blobs" | "store">,
  tree: string,
  path: string,
  commit: string,
): Promise<string | undefined> {
  const [name = "", ...rest] = path.split("/");
  const object = await blobs.read(tree, largestTree);
  if (object === undefined) return undefined;
  const records = readTreeObject(Buffer.from(object), store.format);
  const wanted = Buffer.from(pathToBytes(name));
  const record = records.find((one) => one.name.equals(wanted));
  if (record === undefined) return undefined;
  const isLink = record.mode === "160000";
  if (rest.length === 0 ? !isLink : isLink) return undefined;
  const id = rest.length === 0 ? commit : await withSubmoduleAt({ blobs, store }, record.id, rest.join("/"), commit);
  if (id === undefined) return undefined;
  record.id = id;
  return store.writeTree(treeObject(records));
}

const largestTree = 64 * 1024 * 1024;

/** The submodules of a worktree that are filled, and whose files are not all committed in them. */
export async function unfinishedSubmodules(
  parts: Pick<SubmoduleParts, "git" | "store">,
  top: string,
): Promise<string[]> {
  const unfinished: string[] = [];
  for (const path of declared(top)) {
    const gitDirectory = gitDirectoryOf(join(top, path));
    if (gitDirectory !== undefined && (await isUnfinished(parts, join(top, path), gitDirectory))) unfinished.push(path);
  }
  return unfinished;
}

/** More than this are not looked into, and nobody has so many by hand. */
const mostSubmodules = 50;

/** As .gitmodules names them; a path out of the worktree, or through a link, is none. */
function declared(top: string): string[] {
  const file = join(top, ".gitmodules");
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const paths = [...(readSmall(file) ?? "").matchAll(/^[ \t]*path[ \t]*=[ \t]*"?(.+?)"?[ \t]*\r?$/gm)].map(
    ([, path = ""]) => path,
  );
  const isInside = (path: string): boolean =>
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..") &&
    path
      .split("/")
      .every((_, at, all) => lstatSync(join(top, ...all.slice(0, at + 1)), { throwIfNoEntry: false })?.isDirectory());
  return [...new Set(paths)].filter(isInside).slice(0, mostSubmodules);
}

async function isUnfinished(
  { git, store }: Pick<SubmoduleParts, "git" | "store">,
  top: string,
  gitDirectory: string,
): Promise<boolean> {
  const commonDirectory = commonDirectoryOf(gitDirectory);
  const own = store.gitDirectory("worktrees", keyOf(`submodule ${gitDirectory}`));
  try {
    const { values } = await readSettings(git, gitDirectory, top);
    store.writeIfChanged(join(own, "config"), privateConfig(values, store.format));
    store.writeIfChanged(
      join(own, "HEAD"),
      `${readHead(gitDirectory, commonDirectory)?.head ?? "ref: refs/heads/none"}\n`,
    );
    store.writeIfChanged(join(own, "info", "exclude"), readSmall(join(commonDirectory, "info", "exclude")) ?? "");
    copyIndex(store, gitDirectory, own);
    const said = await git.bytes({
      args: ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", "--ignore-submodules=all"],
      variables: { ...store.variables(own, top), GIT_ALTERNATE_OBJECT_DIRECTORIES: asList(objectsOf(top)) },
      cwd: top,
    });
    return said.length > 0;
  } catch (cause) {
    if (!(cause instanceof GitFailure)) throw cause;
    return true; // what cannot be looked at is not known to be finished
  }
}

function objectsOf(top: string): string[] {
  const gitDirectory = gitDirectoryOf(top);
  return gitDirectory === undefined ? [] : [join(commonDirectoryOf(gitDirectory), "objects")];
}

/** As git reads the variable: paths between colons, in quotes where they hold one. */
function asList(paths: readonly string[]): string {
  return [...new Set(paths)]
    .map((path) => (/[":\\]/.test(path) ? `"${path.replace(/["\\]/g, "\\$&")}"` : path))
    .join(":");
}
