// The whole state of a worktree (committed, staged, unstaged, untracked) as a commit in the private store. Everything
// happens on a private index: the user's index is only ever copied, no hook and no filter is run, and the commit's id
// depends on nothing but the parents and the content.

import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import type { Flag, FlagReason, Snapshot, WorktreeFacts } from "../../../ports/git.ts";
import { privateConfig, type Settings } from "../repository/allowed-settings.ts";
import type { Blobs } from "../objects/blobs.ts";
import { fileOnDisk, filtersOf, lfsPointer } from "./file-stand-ins.ts";
import { type Git, GitFailure } from "../git.ts";
import { commonDirectoryOf, gitDirectoryOf, readSmall } from "../repository/locate.ts";
import { type AttributeFile, attributeFilesOfIndex, makeContext } from "../merge/merge-context.ts";
import { fileName } from "../objects/path-text.ts";
import { addFiles, copyIndex, type IndexEntry, indexStamp, putEntries } from "./private-index.ts";
import { keyOf, type PrivateStore } from "../objects/private-store.ts";
import { type HiddenFile, readIndexFile } from "./index-file.ts";
import { changedUnseen, markedEntries } from "./hidden-files.ts";
import { overlayTree } from "./overlay-snapshot.ts";
import { unfinishedSubmodules } from "./submodules.ts";
import { type WorkingChanges, workingChanges } from "./working-changes.ts";
import { isWhole } from "../objects/whole-tree.ts";
import { isThere, readHead } from "../repository/worktree-state.ts";

export interface SnapshotPlace {
  readonly git: Git;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  readonly facts: WorktreeFacts;
  readonly settings: Settings;
  readonly mergeHeads: readonly string[];
  readonly shallow: string;
}

/** The facts remembered of a worktree between two snapshots. */
export interface SnapshotMemory {
  indexStamp: string | undefined;
  flags: Map<string, FlagReason>;
  attributes: readonly AttributeFile[] | undefined;
  /** Some attribute may name a filter, so that changed paths have to be asked for it. */
  mayFilter: boolean;
  /** Some attribute may make git store other bytes than a file has, beyond its line ends. */
  mayConvert: boolean;
  /** No entry of the index asks to be treated in a way of its own. */
  isPlain: boolean;
  /** The tree that the private index stands for, while that is known. */
  tree: string | undefined;
  /** Files of the index that are in conflict, and those that git was told to leave alone. */
  unmerged: readonly string[];
  hidden: readonly HiddenFile[];
}

export const freshMemory = (): SnapshotMemory => ({
  indexStamp: undefined,
  flags: new Map(),
  attributes: undefined,
  mayFilter: true,
  mayConvert: true,
  isPlain: false,
  tree: undefined,
  unmerged: [],
  hidden: [],
});

/** Takes the snapshot. `touched` limits the look to these paths when the index is still the one last copied. */
export async function takeSnapshot(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  touched: readonly string[] = [],
): Promise<Snapshot> {
  try {
    return await attempt(place, memory, touched);
  } catch (cause) {
    if (!(cause instanceof GitFailure) || cause.outcome.timedOut) throw cause;
    // A file or the index moved under us, or an object that our index named was collected: once more, from nothing.
    forget(place, memory);
    return await attempt(place, memory, []);
  }
}

/**
 * The snapshot after a few files were edited, when nothing else can have changed since `last` and it is certain what git
 * would store for them; undefined when it is not.
 */
export async function retakeSnapshot(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  last: Snapshot,
  touched: readonly string[],
): Promise<Snapshot | undefined> {
  const { store, blobs, facts, git } = place;
  if (!memory.isPlain || memory.mayConvert || memory.indexStamp !== indexStamp(facts.gitDirectory)) return undefined;
  if (git.userAttributes !== undefined && existsSync(git.userAttributes)) return undefined;
  if (touched.some((path) => [...memory.flags.keys()].some((flagged) => isAtOrBelow(path, flagged)))) return undefined;
  const trustsMode = !/^(false|no|off|0)$/i.test(place.settings.values.get("core.filemode") ?? "true");
  const tree = await overlayTree({ store, blobs, worktree: facts.path, trustsMode }, last.tree, touched);
  if (tree === undefined) return undefined;
  return tree === last.tree ? last : { ...last, tree, commit: await commitTree(place, tree, last.parents) };
}

async function attempt(place: SnapshotPlace, memory: SnapshotMemory, touched: readonly string[]): Promise<Snapshot> {
  const { git, store, facts } = place;
  const { gitDirectory, unreadable } = prepare(place);
  const stamp = indexStamp(facts.gitDirectory);
  const isFresh = memory.indexStamp !== stamp || !existsSync(join(gitDirectory, "index"));
  const variables = store.variables(gitDirectory, facts.path);
  if (isFresh) await takeIndex(place, memory, gitDirectory, variables);
  // An argument cannot hold odd bytes, and a very long list is better looked at as a whole.
  const only = isFresh || touched.length > 200 || !touched.every((path) => path.isWellFormed()) ? [] : touched;
  const changes = await workingChanges(git, variables, facts.path, only);
  if (!isFresh && touchesAttributes(changes)) {
    // The files in our index were stored as the earlier attributes said.
    forget(place, memory);
    return await attempt(place, memory, []);
  }
  memory.flags = isFresh ? new Map() : stillFlagged(memory.flags, changes, only);
  for (const path of unreadable) memory.flags.set(path, "unreadable");
  // Nothing tells that it is over but another look, so all are looked at each time.
  for (const [path, reason] of memory.flags) if (reason === "unfinished-submodule") memory.flags.delete(path);
  for (const path of await unfinishedSubmodules(place, facts.path)) memory.flags.set(path, "unfinished-submodule");
  for (const [path, reason] of memory.flags) if (reason === "hidden") memory.flags.delete(path);
  for (const path of changedUnseen(facts.path, memory.hidden, store.format)) memory.flags.set(path, "hidden");
  for (const path of memory.unmerged) memory.flags.set(path, "unmerged");
  await bringUp(place, memory, variables, changes);
  memory.tree ??= await writeTree(place, store.writing(gitDirectory, facts.path));
  const { tree } = memory;
  if (touchesAttributes(changes)) await readAttributes(place, memory, variables);
  const cloneAttributes = readSmall(join(facts.commonDirectory, "info", "attributes")) ?? "";
  const context = await makeContext(store, place.blobs, {
    files: memory.attributes ?? [],
    cloneAttributes,
    settings: place.settings.values,
    shallow: place.shallow,
  });
  memory.indexStamp = stamp;
  const parents = facts.head === undefined ? [] : [...new Set([facts.head, ...place.mergeHeads])];
  const flags: Flag[] = [...memory.flags].map(([path, reason]) => ({ path, reason }));
  return { commit: await commitTree(place, tree, parents), tree, parents, flags, context };
}

async function writeTree(place: SnapshotPlace, writing: Readonly<Record<string, string>>): Promise<string> {
  const { git, blobs, store, facts } = place;
  const args = ["write-tree", "--missing-ok"];
  const outcome = await git.try({ args, variables: writing, cwd: facts.path });
  const tree = Buffer.from(outcome.stdout).toString("latin1").trim();
  if (outcome.code !== 0) throw new GitFailure(args, outcome);
  if (await isWhole(blobs, store.format, facts.head, tree)) return tree;
  throw new GitFailure(args, { ...outcome, code: 128, stderr: "an object that the index names is missing" });
}

/**
 * Flags that hold though this look does not set them again: of files outside of it, and of what went into our index as it is
 * on disk, in spite of a filter. Git finds the latter unchanged there from then on.
 */
function stillFlagged(
  flags: ReadonlyMap<string, FlagReason>,
  { modified, deleted, untracked }: WorkingChanges,
  only: readonly string[],
): Map<string, FlagReason> {
  const changed = new Set([...modified, ...deleted, ...untracked]);
  const isLookedAt = (path: string): boolean => only.length === 0 || only.some((one) => isAtOrBelow(path, one));
  return new Map(
    [...flags].filter(([path, reason]) => !isLookedAt(path) || (reason === "filtered" && !changed.has(path))),
  );
}

/** Starts again from the user's index. */
async function takeIndex(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  gitDirectory: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  memory.indexStamp = undefined;
  const copy = copyIndex(place.store, place.facts.gitDirectory, gitDirectory);
  const known = copy === undefined ? undefined : readIndexFile(copy, place.store.format);
  // A tree that nobody has any more must be written again.
  const isThere = known?.tree !== undefined && (await place.blobs.info(known.tree)) !== undefined;
  memory.tree = isThere ? known.tree : undefined;
  memory.isPlain = known?.isPlain ?? false;
  const marked = known ?? (await markedEntries(place.git, variables, place.facts.path));
  memory.unmerged = marked.unmerged;
  memory.hidden = marked.hidden;
  await readAttributes(place, memory, variables, known?.attributes);
}

async function readAttributes(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  variables: Readonly<Record<string, string>>,
  known?: readonly AttributeFile[],
): Promise<void> {
  const files = known ?? (await attributeFilesOfIndex(place.git, variables, place.facts.path));
  const texts = await attributeTexts(place, files);
  memory.mayFilter = texts === undefined || texts.some((text) => text.includes("filter"));
  memory.mayConvert = texts === undefined || texts.some((text) => /filter|ident|working-tree-encoding/.test(text));
  memory.attributes = files;
}

/** Our git directory for the worktree, with the settings and lists that say what its files mean. */
function prepare(place: SnapshotPlace): { gitDirectory: string; unreadable: string[] } {
  const { store, facts, settings } = place;
  const gitDirectory = store.gitDirectory("worktrees", keyOf(facts.gitDirectory));
  store.writeIfChanged(join(gitDirectory, "config"), privateConfig(settings.values, store.format));
  // git compares the index with this HEAD, on the way to the working files.
  store.writeIfChanged(
    join(gitDirectory, "HEAD"),
    facts.head === undefined ? "ref: refs/heads/none\n" : `${facts.head}\n`,
  );
  const copies = [
    [join(facts.commonDirectory, "info", "exclude"), "exclude"],
    [join(facts.commonDirectory, "info", "attributes"), "attributes"],
    [join(facts.gitDirectory, "info", "sparse-checkout"), "sparse-checkout"],
  ] as const;
  const unreadable: string[] = [];
  for (const [from, name] of copies) {
    const text = readSmall(from);
    if (text === undefined && isThere(from)) unreadable.push(`.git/info/${name}`);
    const to = join(gitDirectory, "info", name);
    if (text === undefined) {
      if (existsSync(to)) store.remove(to);
    } else store.writeIfChanged(to, text);
  }
  return { gitDirectory, unreadable };
}

function forget(place: SnapshotPlace, memory: SnapshotMemory): void {
  const gitDirectory = place.store.gitDirectory("worktrees", keyOf(place.facts.gitDirectory));
  for (const name of ["index", "index.lock"]) place.store.remove(join(gitDirectory, name));
  Object.assign(memory, freshMemory());
}

/** Each is written as an object of its own, which takes a second for a thousand on a busy machine. Nobody wrote more by hand: something is missing in .gitignore. */
const mostUntracked = 5_000;

/** Makes the private index say what is on disk. */
async function bringUp(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  variables: Readonly<Record<string, string>>,
  changes: WorkingChanges,
): Promise<void> {
  const { git, store, facts } = place;
  const worktree = facts.path;
  const writing = store.writing(store.gitDirectory("worktrees", keyOf(facts.gitDirectory)), worktree);
  const entries: IndexEntry[] = [];
  const removed = [...changes.deleted];
  const plain: string[] = [];
  for (const path of changes.nested) memory.flags.set(path, "nested-repository");
  const untracked = changes.untracked.slice(0, mostUntracked);
  const next = changes.untracked[mostUntracked];
  if (next !== undefined) memory.flags.set(next, "too-many");
  for (const path of [...changes.modified, ...untracked]) {
    const file = fileOnDisk(worktree, path);
    if (file.kind === "huge") {
      memory.flags.set(path, "too-large");
      entries.push({ path, mode: file.executable ? "100755" : "100644", blob: store.writeBlob(file.marker) });
    } else if (file.kind === "directory") {
      const commit = submoduleHead(join(worktree, path));
      if (commit === undefined) removed.push(path);
      else entries.push({ path, mode: "160000", blob: commit });
    } else if (file.kind === "gone" || file.kind === "other") {
      removed.push(path);
    } else if (file.kind === "plain" && !isReadable(worktree, path)) {
      memory.flags.set(path, "unreadable");
    } else {
      plain.push(path);
    }
  }
  const unfiltered = await standInForFiltered(place, memory, variables, plain, entries, touchesAttributes(changes));
  if (entries.length + removed.length + unfiltered.length > 0) memory.tree = undefined;
  await putEntries(git, variables, worktree, entries, removed, "0".repeat(store.format === "sha256" ? 64 : 40));
  for (const path of await addFiles(git, writing, worktree, unfiltered)) memory.flags.set(path, "unreadable");
}

/** Takes the paths behind a filter out of the list, where we know what the filter would store. */
async function standInForFiltered(
  place: SnapshotPlace,
  memory: SnapshotMemory,
  variables: Readonly<Record<string, string>>,
  paths: readonly string[],
  entries: IndexEntry[],
  attributesChange: boolean,
): Promise<readonly string[]> {
  if (!memory.mayFilter && !attributesChange) return paths;
  const filters = await filtersOf(place.git, variables, place.facts.path, paths);
  return paths.filter((path) => {
    const filter = filters.get(path);
    if (filter === undefined) return true;
    const pointer = filter === "lfs" ? lfsPointer(place.facts.path, path) : undefined;
    if (pointer === undefined) {
      if (filter !== "lfs") memory.flags.set(path, "filtered");
      return true;
    }
    const file = fileOnDisk(place.facts.path, path);
    const mode = file.kind === "plain" && file.executable ? "100755" : "100644";
    entries.push({ path, mode, blob: place.store.writeBlob(pointer) });
    return false;
  });
}

/** All that says what attributes files have; undefined when some of it cannot be read or is elsewhere. */
async function attributeTexts(place: SnapshotPlace, files: readonly AttributeFile[]): Promise<string[] | undefined> {
  if (place.settings.values.has("core.attributesfile")) return undefined;
  const texts = [readSmall(join(place.facts.commonDirectory, "info", "attributes")) ?? ""];
  for (const file of files) {
    const content = await place.blobs.read(file.blob, 1024 * 1024);
    if (content === undefined) return undefined;
    texts.push(Buffer.from(content).toString("latin1"));
  }
  return texts;
}

/** The commit that HEAD names is in no object directory: a clone that borrows from one that was removed, or a damaged one. */
export class LostCommit extends Error {
  constructor(commit: string) {
    super(`the commit ${commit.slice(0, 10)} that it stands on is not there`);
  }
}

/**
 * A commit that has the tree: HEAD itself where nothing is uncommitted. Otherwise one of ours, with a fixed author, and a date one
 * second after the newest parent: a date of zero would make git walk all history.
 */
export async function commitTree(
  place: Pick<SnapshotPlace, "blobs" | "store">,
  tree: string,
  parents: readonly string[],
): Promise<string> {
  let date = 0;
  for (const parent of parents) {
    const content = await place.blobs.read(parent, 4 * 1024 * 1024);
    if (content === undefined && (await place.blobs.info(parent)) === undefined) throw new LostCommit(parent);
    const text = Buffer.from(content ?? []).toString("latin1");
    if (parents.length === 1 && text.startsWith(`tree ${tree}\n`)) return parent;
    date = Math.max(date, Number(/^committer .*> (\d+) [+-]\d+$/m.exec(text)?.[1] ?? 0) + 1);
  }
  const who = `constel <constel@localhost> ${date} +0000`;
  const heads = parents.map((parent) => `parent ${parent}\n`).join("");
  return place.store.writeCommit(`tree ${tree}\n${heads}author ${who}\ncommitter ${who}\n\nsnapshot\n`);
}

function submoduleHead(path: string): string | undefined {
  const gitDirectory = gitDirectoryOf(path);
  return gitDirectory === undefined ? undefined : readHead(gitDirectory, commonDirectoryOf(gitDirectory))?.head;
}

function isReadable(worktree: string, path: string): boolean {
  try {
    accessSync(fileName(worktree, path), constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

const isAttributes = (path: string): boolean => path === ".gitattributes" || path.endsWith("/.gitattributes");

function touchesAttributes(changes: WorkingChanges): boolean {
  return [...changes.modified, ...changes.deleted, ...changes.untracked].some(isAttributes);
}

const isAtOrBelow = (path: string, above: string): boolean => path === above || path.startsWith(`${above}/`);
