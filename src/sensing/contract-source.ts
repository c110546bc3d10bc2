// The files of a specification in a tree of a repository. Nothing outside the tree is read, no link is followed, nothing is fetched.

import { textOf } from "../ports/text-of.ts";
import { posix } from "node:path";
import type { ContractSource } from "../core/contracts/format.ts";
import type { RepositoryObserver } from "../ports/git.ts";

/** Larger than any specification that people write. */
const mostBytes = 32 * 1024 * 1024;

/** `id`: a tree or commit. */
export async function sourceInTree(observer: RepositoryObserver, id: string, path: string): Promise<ContractSource> {
  const tree = await observer.tree(id);
  return {
    entry: posix.normalize(path).replace(/\/$/, ""),
    read: async (one) => {
      const entry = tree.get(posix.normalize(one));
      if (entry === undefined || entry.mode === "120000" || entry.mode === "160000") return undefined;
      const bytes = await observer.read(entry.blob, mostBytes);
      return bytes === undefined ? undefined : textOf(bytes);
    },
    list: async (directory) => {
      const prefix = directory === "" || directory === "." ? "" : `${posix.normalize(directory)}/`;
      return [...tree.keys()].filter((one) => one.startsWith(prefix));
    },
  };
}
