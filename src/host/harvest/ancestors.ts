// Tells whether a commit is part of another's history. Work is called landed, or taken back, by this, so a git that could not say is not
// taken for a no.

import { answerOf } from "../git/git.ts";
import type { GroundParts } from "./landing-parts.ts";

type Place = Pick<GroundParts, "git" | "directory">;

export async function isAncestor({ git, directory }: Place, commit: string, of: string): Promise<boolean> {
  const call = { args: ["merge-base", "--is-ancestor", commit, of], variables: { GIT_DIR: directory } };
  const outcome = await git.try(call);
  // A commit that is not there is nobody's ancestor; git itself calls that a mistake.
  if (outcome.code === 128 && !(await isThere({ git, directory }, commit))) return false;
  return answerOf(call, outcome) !== undefined;
}

async function isThere({ git, directory }: Place, commit: string): Promise<boolean> {
  const args = ["rev-parse", "-q", "--verify", "--end-of-options", `${commit}^{commit}`];
  return (await git.ask({ args, variables: { GIT_DIR: directory } })) !== undefined;
}
