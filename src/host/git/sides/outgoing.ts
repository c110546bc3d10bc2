// The commit that stands for a worktree on other machines: its whole tree, uncommitted work included, on the newest commits that the origin is known
// to have. What was committed on the way and never pushed stays here, with its authors and with what was taken out of it again.

import type { Snapshot } from "../../../ports/git.ts";
import type { Git } from "../git.ts";
import type { Blobs } from "../objects/blobs.ts";
import type { PrivateStore } from "../objects/private-store.ts";
import { commitTree } from "../snapshot/snapshot.ts";

export interface OutgoingPlace {
  readonly git: Git;
  readonly store: PrivateStore;
  readonly blobs: Blobs;
  /** The git directories of the clones. */
  readonly clones: Iterable<{ readonly commonDirectory: string }>;
}

export interface Outgoing {
  readonly commit: string;
  readonly onto: readonly string[];
}

/** More that was never pushed than this is gone through for nobody. */
const mostUnpushed = 5_000;
const mostBases = 16;

/** Undefined where it is not known what the origin has. */
export async function outgoing(place: OutgoingPlace, snapshot: Snapshot): Promise<Outgoing | undefined> {
  const onto = snapshot.parents.length === 0 ? [] : await pushedBelow(place, snapshot.parents);
  if (onto === undefined) return undefined;
  return { commit: await commitTree(place, snapshot.tree, onto), onto };
}

async function pushedBelow({ git, clones }: OutgoingPlace, heads: readonly string[]): Promise<string[] | undefined> {
  for (const { commonDirectory } of clones) {
    const outcome = await git.try({
      args: ["rev-list", "--boundary", `--max-count=${mostUnpushed}`, ...heads, "--not", "--remotes"],
      variables: { GIT_DIR: commonDirectory },
    });
    // Another clone has these commits.
    if (outcome.code !== 0) continue;
    const lines = Buffer.from(outcome.stdout).toString("latin1").split("\n").filter(Boolean);
    const unpushed = lines.filter((line) => !line.startsWith("-"));
    if (unpushed.length === 0) return [...heads];
    if (unpushed.length >= mostUnpushed) return undefined;
    const bases = lines.filter((line) => line.startsWith("-")).map((line) => line.slice(1));
    return bases.length > mostBases ? undefined : bases;
  }
  return undefined;
}
