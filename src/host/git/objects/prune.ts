// Keeps the private object directory small: everything in it can be made again, so what no current snapshot needs goes,
// once it is older than a grace period that covers work under way.

import type { Git } from "../git.ts";
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
  const needed = new Set(live.commits);
  for (const tree of live.trees) {
    if (needed.has(tree)) continue;
    needed.add(tree);
    // A listing that fails keeps everything: better large than wrong.
    const listing = await git.try({ args: ["ls-tree", "-r", "-t", "-z", "--format=%(objectname)", tree], variables });
    if (listing.code !== 0) return { removed: new Set(), kept: count(store) };
    for (const id of Buffer.from(listing.stdout).toString("latin1").split("\0")) needed.add(id);
  }
  const removed = new Set<string>();
  let kept = 0;
  for (const { fan, id, name } of store.looseObjects()) {
    const stat = needed.has(id) ? undefined : fan.stat(name);
    if (stat === undefined || stat.mtimeMs > olderThanMs) {
      kept += 1;
      continue;
    }
    fan.remove(name);
    removed.add(id);
  }
  return { removed, kept };
}

function count(store: PrivateStore): number {
  let found = 0;
  for (const _ of store.looseObjects()) found += 1;
  return found;
}
