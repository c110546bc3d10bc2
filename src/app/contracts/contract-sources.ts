// Reads the files of a specification from the disk, or from a revision of a repository. Neither source reads outside its top, follows a link
// out of it, or fetches anything.

import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import type { ContractSource } from "../../core/contracts/format.ts";
import type { RepositoryObserver } from "../../ports/git.ts";
import { Refusal } from "../../protocol/errors.ts";
import { sourceInTree } from "../../sensing/contract-source.ts";
import { textOf } from "../../ports/text-of.ts";

/** Larger than any specification that people write. */
const mostBytes = 32 * 1024 * 1024;
const mostFiles = 20_000;

/** A file or directory on disk; `top` bounds what it may refer to. */
export function sourceOnDisk(path: string, top: string): ContractSource {
  const whole = realpathSync(path);
  const root = realpathSync(top);
  const inside = (one: string): string | undefined => {
    try {
      const real = realpathSync(join(root, one));
      return real === root || real.startsWith(`${root}/`) ? real : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    entry: relative(root, whole) || ".",
    read: async (one) => {
      const real = inside(one);
      if (real === undefined) return undefined;
      const status = statSync(real);
      if (!status.isFile() || status.size > mostBytes) return undefined;
      return textOf(readFileSync(real));
    },
    list: async (directory) => filesBelow(root, directory),
  };
}

/** The top of what a path may refer to: its repository, else its directory. */
export function topOf(path: string): string {
  for (let at = statSync(path).isDirectory() ? path : dirname(path); ; at = dirname(at)) {
    try {
      lstatSync(join(at, ".git"));
      return at;
    } catch {
      if (at === dirname(at)) return statSync(path).isDirectory() ? path : dirname(path);
    }
  }
}

/** A file or directory of a revision. */
export async function sourceInRevision(
  observer: RepositoryObserver,
  revision: string,
  path: string,
): Promise<ContractSource> {
  const snapshot = await observer.snapshotOf(revision);
  if (snapshot === undefined) {
    throw new Refusal("contract.missing", `${revision} is not a revision of this repository`, { revision });
  }
  return await sourceInTree(observer, snapshot.tree, path);
}

function filesBelow(root: string, directory: string): string[] {
  const found: string[] = [];
  const walk = (at: string): void => {
    for (const entry of readdirSync(resolve(root, at), { withFileTypes: true })) {
      if (found.length >= mostFiles) return;
      if (entry.name === ".git" || entry.name === "node_modules") continue;
      const path = at === "" || at === "." ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
    }
  };
  const start = posix.normalize(directory === "" ? "." : directory);
  const isInside = !start.startsWith("..") && !start.startsWith("/");
  // Anything that is not a directory holds no files.
  if (isInside && statSync(resolve(root, start), { throwIfNoEntry: false })?.isDirectory() === true) walk(start);
  return found;
}
