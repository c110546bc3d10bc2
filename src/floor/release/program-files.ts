// The files of an installed program, and how whole trees of them are moved: laid down beside first, then each put in its place with one rename.

import { basename, dirname, join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { readTrusted } from "../../files/trusted-files.ts";
import { systemCode } from "../../protocol/errors.ts";

/** Where a program and what belongs to it stand. */
export interface ProgramFiles {
  /** The prefix of install.sh, or the directory of a single file. */
  readonly prefix: string;
  /** The program, below the prefix. */
  readonly program: string;
  /** Below the prefix: the version of before, and what is being laid down. Nothing of others is in it. */
  readonly keeping: string;
  /** Below the prefix; undefined for a single file. */
  readonly record: string | undefined;
}

export interface TreeFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly runs?: boolean;
}

/** The names in a record of what was installed below a prefix; none leads out of it. */
export const namesIn = (record: string): string[] =>
  record
    .split("\n")
    .filter((name) => name !== "" && !name.startsWith("#") && !name.startsWith("/") && !name.split("/").includes(".."));

/** The names that its record has, and the program. */
export function namesOf({ prefix, program, record }: ProgramFiles): string[] {
  const recorded = record === undefined ? [] : namesIn(readTrusted(prefix, record)?.toString("utf8") ?? "");
  return [...new Set([...recorded, program])].toSorted();
}

/** Writes files below `tree`, which is emptied before. */
export function layTree(prefix: string, tree: string, files: readonly TreeFile[]): void {
  removeTree(prefix, tree);
  for (const { name, content, runs = false } of files) {
    using directory = openAt(prefix, dirname(join(tree, name)));
    directory.write(basename(name), content, { mode: runs ? 0o755 : 0o644 });
  }
}

/** Gives files below `from` a second name below `tree`: it takes no room where the directories are there. What is not there is left out. */
export function linkTree(prefix: string, from: string, tree: string, names: readonly string[]): void {
  for (const name of names) {
    if (!isFile(prefix, join(from, name))) continue;
    using source = openAt(prefix, dirname(join(from, name)));
    using target = openAt(prefix, dirname(join(tree, name)));
    target.remove(basename(name));
    linkOrCopy(source, target, basename(name));
  }
}

/** Moves one file out of a tree to its place, over what stands there. Programs that run go on with the file they have open. */
export function place(prefix: string, tree: string, name: string): void {
  const file = basename(name);
  using source = openAt(prefix, dirname(join(tree, name)));
  using target = openAt(prefix, dirname(name));
  try {
    source.moveTo(file, target);
  } catch (cause) {
    // A part of the prefix may be another file system.
    if (systemCode(cause) !== "EXDEV") throw cause;
    copy(source, target, file);
  }
  target.sync();
}

export function removeTree(prefix: string, tree: string): void {
  using parent = openAt(prefix, dirname(tree));
  parent.removeTree(basename(tree));
}

export function isFile(prefix: string, name: string): boolean {
  const look = (): boolean => {
    using directory = TrustedDirectory.open(prefix, dirname(name));
    return directory.stat(basename(name))?.isFile() ?? false;
  };
  return absentAsUndefined(look) ?? false;
}

/** Directories that are made are as readable as the umask lets them be. */
export const openAt = (prefix: string, relative: string): TrustedDirectory =>
  TrustedDirectory.open(prefix, relative, { create: true, mode: 0o755 });

function linkOrCopy(source: TrustedDirectory, target: TrustedDirectory, name: string): void {
  try {
    source.linkTo(name, target, name);
  } catch {
    // Not every file system has links, and none has them to another.
    copy(source, target, name);
  }
}

function copy(source: TrustedDirectory, target: TrustedDirectory, name: string): void {
  const mode = (source.stat(name)?.mode ?? 0) & 0o777;
  target.write(name, source.read(name) ?? "", { mode });
}
