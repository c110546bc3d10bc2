// The local branches of a clone, the most recently used first.

import type { LocalBranches } from "../../../ports/git.ts";
import type { Git } from "../git.ts";

export async function localBranches(git: Git, commonDirectory: string, most: number): Promise<LocalBranches> {
  const list = ["for-each-ref", "--format=%(refname)"];
  const variables = { GIT_DIR: commonDirectory };
  const sorted = await git.hear({ args: [...list, "--sort=-committerdate", "refs/heads"], variables });
  // One branch whose commit is lost keeps git from putting them in order, not from naming them.
  const listed =
    sorted.code === 0
      ? Buffer.from(sorted.stdout).toString("utf8")
      : await git.text({ args: [...list, "refs/heads"], variables });
  const all = listed.split("\n").filter(Boolean);
  const names = all.slice(0, most).map((name) => name.slice("refs/heads/".length));
  return { names, leftOut: all.length - names.length };
}
