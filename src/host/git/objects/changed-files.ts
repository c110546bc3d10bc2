// Finds the paths that differ between two trees, for many pairs of trees in one process, and tells whether two sets of changes can collide
// at all.

import type { ChangedFile, ConflictStage } from "../../../ports/git.ts";
import type { Git } from "../git.ts";
import { pathFromBytes } from "./path-text.ts";

export interface TreePair {
  readonly before: string;
  readonly after: string;
}

/** The differences of each pair of trees, in order. Renames are only looked for when asked: they cost reading files. */
export async function changedFiles(
  git: Git,
  variables: Readonly<Record<string, string>>,
  pairs: readonly TreePair[],
  options: { renames?: boolean } = {},
): Promise<ChangedFile[][]> {
  if (pairs.length === 0) return [];
  const output = await git.bytes({
    args: diffTree(options),
    stdin: pairs.map((pair) => `${pair.before} ${pair.after}\n`).join(""),
    variables,
  });
  return readDifferences(Buffer.from(output), pairs.length);
}

export function diffTree({ renames }: { renames?: boolean }): string[] {
  return ["diff-tree", "-r", "-z", "--stdin", "--raw", "--no-abbrev", renames ? "-M" : "--no-renames"];
}

/** A headline `<tree> <tree>\n` opens each pair; then `:<modes> <ids> <status>` and one or two names, each NUL-ended. */
export function readDifferences(output: Buffer, count: number): ChangedFile[][] {
  const answers: ChangedFile[][] = Array.from({ length: count }, () => []);
  let pair = -1;
  let at = 0;
  const field = (): Buffer => {
    const end = output.indexOf(0, at);
    const bytes = output.subarray(at, end === -1 ? output.length : end);
    at = end === -1 ? output.length : end + 1;
    return bytes;
  };
  while (at < output.length) {
    if (output[at] !== 0x3a) {
      pair += 1;
      const newline = output.indexOf(10, at);
      at = newline === -1 ? output.length : newline + 1;
      continue;
    }
    const [modeBefore = "", modeAfter = "", before = "", after = "", status = ""] = field()
      .toString("latin1")
      .slice(1)
      .split(" ");
    const first = pathFromBytes(field());
    const isMove = status.startsWith("R") || status.startsWith("C");
    const path = isMove ? pathFromBytes(field()) : first;
    answers[pair]?.push({
      path,
      change: isMove ? "renamed" : (changes[status.charAt(0)] ?? "modified"),
      from: isMove ? first : undefined,
      before: stage(modeBefore, before),
      after: stage(modeAfter, after),
    });
  }
  return answers;
}

const changes: Readonly<Record<string, ChangedFile["change"]>> = {
  A: "added",
  D: "deleted",
  M: "modified",
  T: "type",
};

function stage(mode: string, blob: string): ConflictStage | undefined {
  return mode === "000000" ? undefined : { mode, blob };
}

/** The changes of one side, in the shape that comparing many sides needs. */
export interface Footprint {
  /** Every path that differs. */
  readonly paths: ReadonlySet<string>;
  /** Every directory above a path that differs. */
  readonly directories: ReadonlySet<string>;
  /** Every directory, except the top, above an added path. */
  readonly directoriesOfAdded: ReadonlySet<string>;
  /** Every directory, except the top, above a deleted path; empty when nothing was added, for then nothing moved. */
  readonly directoriesOfMoved: ReadonlySet<string>;
}

/** A rename counts as a deletion and an addition, whether or not it was noted as one. */
export function footprint(files: readonly ChangedFile[]): Footprint {
  const paths = new Set<string>();
  const directories = new Set<string>();
  const added = new Set<string>();
  const deleted = new Set<string>();
  for (const file of files) {
    paths.add(file.path);
    addDirectories(directories, file.path);
    if (file.from !== undefined) {
      paths.add(file.from);
      addDirectories(directories, file.from);
      addDirectories(deleted, file.from);
    }
    if (file.change === "added" || file.change === "renamed") addDirectories(added, file.path);
    if (file.change === "deleted") addDirectories(deleted, file.path);
  }
  return {
    paths,
    directories,
    directoriesOfAdded: added,
    directoriesOfMoved: hasAddition(files) ? deleted : new Set(),
  };
}

/**
 * False only when git's merge of the two is certain to be clean. It can conflict where both changed a path; where one has
 * a file and the other a directory of that name; and where one moved a directory away while the other put a file into it.
 * The top directory cannot move.
 */
export function mayCollide(ours: Footprint, theirs: Footprint): boolean {
  return (
    meet(ours.paths, theirs.paths) ||
    meet(ours.paths, theirs.directories) ||
    meet(ours.directories, theirs.paths) ||
    meet(ours.directoriesOfMoved, theirs.directoriesOfAdded) ||
    meet(ours.directoriesOfAdded, theirs.directoriesOfMoved)
  );
}

const hasAddition = (files: readonly ChangedFile[]): boolean =>
  files.some(({ change }) => change === "added" || change === "renamed");

function addDirectories(into: Set<string>, path: string): void {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const directory = path.slice(0, slash);
    if (into.has(directory)) return;
    into.add(directory);
  }
}

function meet(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
  const [small, large] = left.size <= right.size ? [left, right] : [right, left];
  for (const item of small) if (large.has(item)) return true;
  return false;
}
