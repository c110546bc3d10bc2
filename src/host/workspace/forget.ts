// Lets go of one rescue: its ref in the source, or its bundle. Only what is named like a rescue is ever deleted.

import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { ForgetWish } from "../../ports/workspace.ts";
import { keptAs, refCommit } from "./rescue-places.ts";
import type { WorkGit } from "./work-git.ts";

export async function forgetRescue(git: WorkGit, wish: ForgetWish): Promise<string | undefined> {
  const kept = keptAs(wish.where, wish.bundles);
  if (kept.kind === "bundle") {
    const { root, relative } = git.placeOf(wish.bundles);
    using bundles = absentAsUndefined(() => TrustedDirectory.open(root, relative));
    bundles?.remove(kept.name);
    return undefined;
  }
  const commit = await refCommit(git, wish.source, kept.ref);
  if (commit === undefined) return undefined;
  const variables = { GIT_DIR: wish.source };
  await git.bytes({ args: ["update-ref", "--no-deref", "-d", kept.ref, commit], variables });
  return commit;
}
