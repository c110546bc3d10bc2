// Whether a commit is part of another's history. Work is called landed, or taken back, by this: a git that could not say is not a no.

import type { GroundParts } from "./landing-parts.ts";

type Place = Pick<GroundParts, "git" | "directory">;

export async function isAncestor({ git, directory }: Place, commit: string, of: string): Promise<boolean> {
  const variables = { GIT_DIR: directory };
  // A commit that is not there is nobody's ancestor; git itself calls that a mistake.
  const args = ["rev-parse", "-q", "--verify", "--end-of-options", `${commit}^{commit}`];
  const known = await git.ask({ args, variables });
  if (known === undefined) return false;
  return (await git.ask({ args: ["merge-base", "--is-ancestor", known, of], variables })) !== undefined;
}
