// The local branches of a clone, the most recently used first.

import type { LocalBranches } from "../../ports/git.ts";
import type { Git } from "./git.ts";

export async function localBranches(git: Git, commonDirectory: string, most: number): Promise<LocalBranches> {
  const outcome = await git.try({
    args: ["for-each-ref", "--sort=-committerdate", "--format=%(refname)", "refs/heads"],
    variables: { GIT_DIR: commonDirectory },
  });
  const all = Buffer.from(outcome.stdout).toString("utf8").split("\n").filter(Boolean);
  const names = all.slice(0, most).map((name) => name.slice("refs/heads/".length));
  return { names, leftOut: all.length - names.length };
}
