// Saves a whole workspace as one commit in a keeper (the source repository, or one of our own when that is gone) and puts a
// ref on it. Its tree holds a manifest and the content of every file under its object id, so that no name, however odd,
// is ever a name in a tree; its parents hold the history. Everything is read as raw bytes: no filter, hook or setting of
// the workspace has a say. Nothing is removed here.

import { join } from "node:path";
import { Outage } from "../../protocol/errors.ts";
import type { Step } from "../../ports/workspace.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { GitFailure } from "../git/git.ts";
import { pathToBytes } from "../git/objects/path-text.ts";
import { gather, type Gathered } from "./gather.ts";
import { findKept, type Kept } from "./keep-objects.ts";
import { chooseLeftOut, type Selection } from "./left-out.ts";
import type { Manifest } from "./manifest.ts";
import { refsOf } from "./source.ts";
import type { WorkGit } from "./work-git.ts";

export interface SaveWish {
  /** The workspace, held open, at its path now. */
  readonly top: TrustedDirectory;
  /** The path where it stood when files in it were written. */
  readonly original: string;
  /** The git directory that keeps it. */
  readonly keeper: string;
  readonly ref: string;
  readonly name: string;
  readonly nowMs: number;
  readonly withIgnored: boolean;
  readonly step: Step;
}

export interface SavedWork {
  readonly commit: string;
  readonly gathered: Gathered;
  readonly selection: Selection;
}

export async function save(git: WorkGit, wish: SaveWish): Promise<SavedWork> {
  const selection = wish.withIgnored ? everything : await chooseLeftOut(git, wish.top, wish.original);
  try {
    return await saveAs(git, wish, withoutObjects(selection), false);
  } catch (cause) {
    if (!(cause instanceof GitFailure) || cause.outcome.timedOut) throw cause;
    // The workspace's own repository is damaged or gone: then its files are all that can be saved, the objects among them.
    return await saveAs(git, wish, selection, true);
  }
}

const everything: Selection = { leftOut: new Set(), kept: [], named: [] };

const withoutObjects = (selection: Selection): Selection => ({
  ...selection,
  leftOut: new Set([...selection.leftOut, ".git/objects"]),
});

async function saveAs(git: WorkGit, wish: SaveWish, selection: Selection, isRaw: boolean): Promise<SavedWork> {
  const { keeper } = wish;
  const workspace = wish.top.path;
  const alone = { GIT_DIR: keeper };
  const variables = isRaw
    ? alone
    : { ...alone, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(join(workspace, ".git", "objects")) };
  const gathered = await gather(wish.top, selection);
  const blobs = await hashFiles(git, variables, workspace, gathered);
  wish.step("rescue.hashed");
  const kept = isRaw ? noObjects : await findKept(git, { workspace, variables, alone }, gathered);
  const manifest = await makeManifest(git, variables, { ...wish, selection, isRaw }, gathered, blobs, kept.tags);
  const commit = await writeCommit(git, variables, wish, manifest, blobs, kept);
  wish.step("rescue.written");
  await bringUnder(git, { keeper, workspace, commit, ref: wish.ref, step: wish.step });
  wish.step("rescue.kept");
  return { commit, gathered, selection };
}

const noObjects: Kept = { commits: [], blobs: [], trees: [], tags: [] };

/** Puts a ref of the keeper on a commit of the workspace, once all of it is there. */
export async function bringUnder(
  git: WorkGit,
  wish: { keeper: string; workspace: string; commit: string; ref: string; step?: Step },
): Promise<void> {
  const { keeper, commit, ref } = wish;
  const alone = { GIT_DIR: keeper };
  const variables = { ...alone, GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(join(wish.workspace, ".git", "objects")) };
  await bring(git, { keeper, commit, variables });
  wish.step?.("rescue.brought");
  // Without the workspace's objects at hand: everything must be here now.
  await git.bytes({
    args: ["rev-list", "--objects", "--quiet", "--stdin"],
    variables: alone,
    stdin: beyond(commit, await refsOf(git, keeper)),
  });
  await git.bytes({ args: ["update-ref", "--no-deref", ref, commit], variables: alone });
}

/** Copies what the keeper's refs do not reach, as one pack, straight into its object directory. */
export async function bring(
  git: WorkGit,
  wish: { keeper: string; commit: string; variables: Readonly<Record<string, string>> },
): Promise<void> {
  await git.bytes({
    args: ["pack-objects", "--revs", "-q", "--non-empty", join(wish.keeper, "objects", "pack", "pack")],
    variables: wish.variables,
    stdin: beyond(wish.commit, await refsOf(git, wish.keeper)),
  });
}

/** For git's input: the commit, without what these refs reach. */
function beyond(commit: string, refs: ReadonlyMap<string, string>): string {
  return [commit, ...[...new Set(refs.values())].map((id) => `^${id}`)].map((line) => `${line}\n`).join("");
}

async function hashFiles(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  workspace: string,
  gathered: Gathered,
): Promise<Map<string, string>> {
  const plain = gathered.files.filter(({ link }) => link === undefined);
  if (plain.length === 0) return new Map();
  const text = await git.text({
    args: ["hash-object", "-w", "--no-filters", "--stdin-paths"],
    variables,
    cwd: workspace,
    stdin: plain.map(({ path }) => `${cQuoted(pathToBytes(`${workspace}/${path}`))}\n`).join(""),
  });
  const ids = text.split("\n");
  if (ids.length !== plain.length) throw new Outage("save files of", workspace, "git hashed fewer than it was given");
  return new Map(plain.map(({ path }, at) => [path, ids[at] ?? ""]));
}

async function makeManifest(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  wish: SaveWish & { readonly selection: Selection; readonly isRaw: boolean },
  gathered: Gathered,
  blobs: ReadonlyMap<string, string>,
  tags: readonly string[],
): Promise<Manifest> {
  const tagTexts: string[] = [];
  for (const id of tags) {
    tagTexts.push(Buffer.from(await git.bytes({ args: ["cat-file", "tag", id], variables })).toString("base64"));
  }
  return {
    format: 1,
    name: wish.name,
    savedMs: wish.nowMs,
    files: gathered.files.map(({ path, mode, mtimeNs, size, link }) => {
      const blob = blobs.get(path);
      return {
        path,
        mode,
        mtimeNs,
        size,
        ...(link === undefined ? {} : { link }),
        ...(blob === undefined ? {} : { blob }),
      };
    }),
    directories: gathered.directories,
    skipped: gathered.skipped,
    tags: tagTexts,
    leftOut: wish.selection.named,
    ...(wish.isRaw ? { isRaw: true } : {}),
  };
}

async function writeCommit(
  git: WorkGit,
  variables: Readonly<Record<string, string>>,
  wish: SaveWish,
  manifest: Manifest,
  blobs: ReadonlyMap<string, string>,
  kept: Kept,
): Promise<string> {
  const write = async (type: string, content: string): Promise<string> =>
    git.text({ args: ["hash-object", "-w", "-t", type, "--stdin"], variables, stdin: content });
  const manifestId = await write("blob", JSON.stringify(manifest));
  const entries = new Map<string, string>();
  for (const id of [...blobs.values(), ...kept.blobs]) entries.set(id, `100644 blob ${id}\t${id.slice(2)}`);
  for (const id of kept.trees) entries.set(id, `040000 tree ${id}\t${id.slice(2)}`);
  const shelves = new Map<string, string[]>();
  for (const [id, entry] of entries) {
    const shelf = id.slice(0, 2);
    shelves.set(shelf, [...(shelves.get(shelf) ?? []), entry]);
  }
  const batch = [...shelves.values()].map((shelf) => shelf.map((entry) => `${entry}\n`).join("")).join("\n");
  const trees =
    shelves.size === 0
      ? []
      : (await git.text({ args: ["mktree", "--batch"], variables, stdin: `${batch}\n` })).split("\n");
  const shelfLines = [...shelves.keys()].map((shelf, at) => `040000 tree ${trees[at]}\t${shelf}\n`);
  const keptTree = await git.text({ args: ["mktree"], variables, stdin: shelfLines.join("") });
  const top = `100644 blob ${manifestId}\tmanifest.json\n040000 tree ${keptTree}\tkept\n`;
  const tree = await git.text({ args: ["mktree"], variables, stdin: top });
  const seconds = Math.floor(wish.nowMs / 1000);
  const who = `constel <constel@localhost> ${seconds} +0000`;
  const message = `rescue of workspace ${wish.name}\n\n\`constel workspace restore\` brings it back.\n`;
  const parents = kept.commits.map((id) => `parent ${id}\n`).join("");
  return write("commit", `tree ${tree}\n${parents}author ${who}\ncommitter ${who}\n\n${message}`);
}

/** As git reads names from lines: in double quotes, odd bytes in octal. */
export function cQuoted(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    if (byte === 0x22 || byte === 0x5c) text += `\\${String.fromCharCode(byte)}`;
    else if (byte < 0x20 || byte >= 0x7f) text += `\\${byte.toString(8).padStart(3, "0")}`;
    else text += String.fromCharCode(byte);
  }
  return `"${text}"`;
}

/** As git reads its list of alternates. */
export function alternate(path: string): string {
  return /[":\n\\]/.test(path) ? cQuoted(Buffer.from(path)) : path;
}
