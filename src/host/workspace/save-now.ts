// Saves all that a workspace holds, what is not committed included, under a ref of the repository that it came from, and leaves the workspace
// as it is. Whoever works in it goes on meanwhile: what is saved is as it was when each file was read.

import { Outage } from "../../protocol/errors.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { SaveNowWish } from "../../ports/workspace.ts";
import { existingSource } from "./rescue-places.ts";
import { save } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

export async function saveNow(git: WorkGit, { root, place, source, name, nowMs }: SaveNowWish): Promise<string> {
  const keeper = existingSource(source);
  if (keeper === undefined) throw new Outage("save work into", source, "the repository it came from is gone");
  using top = TrustedDirectory.open(root, place);
  const ref = `refs/constel/handover/${name}`;
  const wish = { top, original: top.path, keeper, ref, name, nowMs, withIgnored: false, step: () => {} };
  await save(git, wish);
  return ref;
}
