// The files of a repository that say something of services, and the lines of a worktree that use what a contract names. Both from trees,
// so that no link leads out and nothing half written is read.

import { declaresServices, type DeclaringFile, mostDeclaring } from "../core/services/declared-files.ts";
import { type NameUses, UseSearch } from "../core/services/find-uses.ts";
import { readInBudget } from "../ports/budget.ts";
import type { RepositoryObserver, Snapshot, TreeEntry } from "../ports/git.ts";
import { textOf } from "../ports/text-of.ts";

/** Larger files are data, or made by a program. */
const mostBytes = 512 * 1024;
const mostFiles = 5_000;
/** Prose and lock files name everything, and use nothing. */
const isNoCode =
  /(^|\/)(node_modules|vendor|dist|build)\/|\.(md|lock|svg|png|jpe?g|gif|ico|woff2?|pdf|zip|gz|map)$|-lock\.(json|yaml)$/i;

export async function serviceFiles(observer: RepositoryObserver, snapshot: Snapshot): Promise<DeclaringFile[]> {
  const found = [...(await observer.tree(snapshot.tree))].filter(
    ([path, { mode }]) => isFile(mode) && declaresServices(path),
  );
  found.sort(([one], [other]) => one.split("/").length - other.split("/").length);
  return await Promise.all(
    found.slice(0, mostDeclaring).map(async ([path, entry]) => ({ path, text: await read(observer, entry) })),
  );
}

/** `landing`: what the work began from, so that the files being worked on come first. */
export async function usesOf(
  observer: RepositoryObserver,
  snapshot: Snapshot,
  landing: Snapshot | undefined,
  names: readonly string[],
): Promise<NameUses> {
  const search = new UseSearch(names);
  if (names.length === 0) return search.result(true);
  const tree = await observer.tree(snapshot.tree);
  const changed = landing === undefined ? [] : await observer.changedFiles(landing.commit, snapshot);
  const paths = new Set([...changed.map(({ path }) => path), ...tree.keys()]);
  let opened = 0;
  let isWhole = true;
  for (const path of paths) {
    const entry = tree.get(path);
    if (entry === undefined || !isFile(entry.mode) || isNoCode.test(path)) continue;
    if (search.isOver) break;
    if (opened >= mostFiles) return search.result(false);
    opened += 1;
    const text = await read(observer, entry);
    if (text === undefined) continue;
    const unread = (): void => void (isWhole = false);
    readInBudget({ path, text }, () => search.read(path, text), unread);
  }
  return search.result(isWhole);
}

const isFile = (mode: string): boolean => mode === "100644" || mode === "100755";

async function read(observer: RepositoryObserver, { blob }: TreeEntry): Promise<string | undefined> {
  const bytes = await observer.read(blob, mostBytes);
  const text = bytes === undefined ? undefined : textOf(bytes);
  return text?.includes("\0") === true ? undefined : text;
}
