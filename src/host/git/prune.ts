// Keeps the private object directory small: everything in it can be made again, so what no current snapshot needs goes,
// once it is older than a grace period that covers work under way.

import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "./git.ts";
import type { PrivateStore } from "./private-store.ts";

export interface PruneOutcome {
  readonly removed: ReadonlySet<string>;
  readonly kept: number;
}

/** `live` are the commits and trees to keep, with all that is in the trees. */
export async function prune(
  git: Git,
  store: PrivateStore,
  variables: Readonly<Record<string, string>>,
  live: { commits: Iterable<string>; trees: Iterable<string> },
  olderThanMs: number,
): Promise<PruneOutcome> {
  const loose = [...looseObjects(store.objects), ...looseObjects(store.own)];
  const needed = new Set(live.commits);
  for (const tree of live.trees) {
    if (needed.has(tree)) continue;
    needed.add(tree);
    // A listing that fails keeps everything: better large than wrong.
    const listing = await git.try({ args: ["ls-tree", "-r", "-t", "-z", "--format=%(objectname)", tree], variables });
    if (listing.code !== 0) return { removed: new Set(), kept: loose.length };
    for (const id of Buffer.from(listing.stdout).toString("latin1").split("\0")) needed.add(id);
  }
  const removed = new Set<string>();
  for (const { id, path } of loose) {
    if (needed.has(id)) continue;
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.mtimeMs > olderThanMs) continue;
    rmSync(path, { force: true });
    removed.add(id);
  }
  return { removed, kept: loose.length - removed.size };
}

function looseObjects(objects: string): { id: string; path: string }[] {
  const found: { id: string; path: string }[] = [];
  for (const fan of readdirSync(objects)) {
    if (!/^[0-9a-f]{2}$/.test(fan)) continue;
    for (const rest of readdirSync(join(objects, fan))) found.push({ id: fan + rest, path: join(objects, fan, rest) });
  }
  return found;
}
