// A repository's constel.toml as it stands in a tree. A setting that cannot be understood stops whoever asked for it by name
// (`check`); sensing, which nobody asked and which must go on, says instead that its answer does not rest on the file.

import {
  constelTomlName,
  type ConstelToml,
  type FoundToml,
  readConstelToml,
  tomlBeside,
} from "../../protocol/constel-toml.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { RepositoryObserver } from "../../ports/git.ts";

export async function readRepositoryConfig(observer: RepositoryObserver, tree: string): Promise<ConstelToml> {
  return readConstelToml(await tomlInTree(observer, tree), constelTomlName);
}

/** The same, with what is wrong in the file as a note, and then nothing of it. */
export async function repositoryConfigOrNotes(
  observer: RepositoryObserver,
  tree: string,
): Promise<{ readonly config: ConstelToml | undefined; readonly notes: readonly string[] }> {
  try {
    return { config: await readRepositoryConfig(observer, tree), notes: [] };
  } catch (cause) {
    if (!(cause instanceof Refusal) && !isUnread(cause)) throw cause;
    return { config: undefined, notes: [`constel.toml was left aside: ${cause.message}`] };
  }
}

async function tomlInTree(observer: RepositoryObserver, tree: string): Promise<FoundToml> {
  const files = await observer.tree(tree);
  const entry = files.get(constelTomlName);
  if (entry === undefined) return tomlBeside(files.keys());
  if (entry.mode === "120000") return { kind: "unfit", what: "a symbolic link" };
  if (!entry.mode.startsWith("100")) return { kind: "unfit", what: "a directory or submodule" };
  const bytes = await observer.read(entry.blob);
  if (bytes === undefined)
    throw new Unread("read", constelTomlName, "this clone does not have it, or it is far too large");
  return { kind: "file", bytes };
}

/** The tree has the file, and its content is not to be had: a partial clone lacks it. */
class Unread extends Outage {}

/** Whoever can do without the file goes on, and says that it was not read. */
export const isUnread = (cause: unknown): cause is Outage => cause instanceof Unread;
