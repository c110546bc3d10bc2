// Finds the branch where work lands, and how far a line of work is from there.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Git } from "../git.ts";
import { readSmall } from "./locate.ts";

const names = ["refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"];

/** Finds the default branch. The remote's HEAD comes first: a local `main` may be long out of date. */
export async function defaultBranch(
  git: Git,
  commonDirectory: string,
): Promise<{ name: string; commit: string } | undefined> {
  const listed = await git.text({
    args: [
      "for-each-ref",
      "--format=%(refname)%09%(objectname)%09%(symref)",
      "refs/remotes/origin/HEAD",
      ...names,
      "refs/heads/trunk",
    ],
    variables: { GIT_DIR: commonDirectory },
  });
  const rows = listed.split("\n").filter(Boolean);
  const found = new Map(
    rows.map((row) => row.split("\t")).map(([name = "", commit = "", to = ""]) => [name, { commit, to }]),
  );
  for (const name of ["refs/remotes/origin/HEAD", ...names, "refs/heads/trunk"]) {
    const one = found.get(name);
    if (one === undefined) continue;
    const short = (one.to === "" ? name : one.to).replace(/^refs\/(heads|remotes)\//, "");
    return { name: short, commit: one.commit };
  }
  return undefined;
}

export async function distance(
  git: Git,
  variables: Readonly<Record<string, string>>,
  ours: string,
  theirs: string,
): Promise<{ ahead: number | undefined; behind: number | undefined }> {
  if (ours === theirs) return { ahead: 0, behind: 0 };
  const outcome = await git.hear({ args: ["rev-list", "--left-right", "--count", `${ours}...${theirs}`], variables });
  const [ahead, behind] = Buffer.from(outcome.stdout).toString("utf8").trim().split("\t").map(Number);
  return outcome.code === 0 ? { ahead, behind } : { ahead: undefined, behind: undefined };
}

/**
 * Returns the time when a clone last heard of a branch of the origin's: by a fetch that asked for it, or when its own note of it was
 * written.
 */
export function fetchedMs(commonDirectory: string, branch: string): number | undefined {
  const timeOf = (file: string): number =>
    lstatSync(join(commonDirectory, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const asked = readSmall(join(commonDirectory, "FETCH_HEAD"))?.includes(`branch '${branch}' of `) === true;
  const notes = [
    `refs/remotes/origin/${branch}`,
    `logs/refs/remotes/origin/${branch}`,
    "logs/refs/remotes/origin/HEAD",
  ];
  const newest = Math.max(asked ? timeOf("FETCH_HEAD") : 0, ...notes.map(timeOf));
  return newest === 0 ? timeOf("packed-refs") || undefined : newest;
}
