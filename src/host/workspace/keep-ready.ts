// Keeps the commit that a workspace's work ended in, outside the workspace: under a ref of the repository it came from, which
// has most of it already, or as a bundle of ours when that repository is gone or may not be written.

import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { KeptPlace, KeepWish } from "../../ports/workspace.ts";
import { bundleNamed } from "./rescue-places.ts";
import { withKeeper } from "./scratch-repository.ts";
import { bringUnder } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

export async function keepReady(git: WorkGit, wish: KeepWish): Promise<string> {
  const { source, path: workspace, commit } = wish;
  const { ref, bundle } = namesOf(wish);
  if (isWritable(source)) {
    await bringUnder(git, { keeper: source, workspace, commit, ref });
    removeBundle(git, wish.bundles, bundle); // of a time when the source could not be written
    return `ref:${ref}`;
  }
  await withKeeper(git, { workspace, bundles: wish.bundles, name: `ready-${wish.name}` }, async (keeper, bundles) => {
    await bringUnder(git, { keeper, workspace, commit, ref });
    const fresh = join(bundles.path, `${bundle}.new`);
    await git.bytes({ args: ["bundle", "create", "-q", fresh, ref], variables: { GIT_DIR: keeper } });
    bundles.syncFile(`${bundle}.new`);
    bundles.moveTo(`${bundle}.new`, bundles, bundle);
    bundles.sync();
  });
  return `bundle:${join(wish.bundles, bundle)}`;
}

/**
 * The commit that is kept there, and the directory its objects are in: the source's, or, after a bundle was opened, the one
 * that the variables name. Undefined when nothing is kept.
 */
export async function keptAt(
  git: WorkGit,
  place: KeptPlace,
  quarantine: { readonly objects: string; readonly variables: Readonly<Record<string, string>> },
): Promise<{ readonly commit: string; readonly objects: string } | undefined> {
  const { ref, bundle } = namesOf(place);
  const kept = bundleNamed(git, place.bundles, bundle);
  if (kept !== undefined) {
    const { objects, variables } = quarantine;
    const heads = await git.text({ args: ["bundle", "unbundle", kept], variables });
    const [commit = ""] = heads.split(" ");
    return { commit, objects };
  }
  const objects = join(place.source, "objects");
  if (!existsSync(objects)) return undefined;
  const args = ["rev-parse", "-q", "--verify", `${ref}^{commit}`];
  const commit = await git.ask({ args, variables: { GIT_DIR: place.source } });
  return commit === undefined ? undefined : { commit, objects };
}

export async function letGo(git: WorkGit, place: KeptPlace): Promise<void> {
  const { ref, bundle } = namesOf(place);
  removeBundle(git, place.bundles, bundle);
  if (!existsSync(join(place.source, "objects"))) return;
  await git.bytes({ args: ["update-ref", "--no-deref", "-d", ref], variables: { GIT_DIR: place.source } });
}

function namesOf({ name }: KeptPlace): { ref: string; bundle: string } {
  return { ref: `refs/constel/ready/${name}`, bundle: `ready-${name}.bundle` };
}

function removeBundle(git: WorkGit, bundles: string, name: string): void {
  const { root, relative } = git.placeOf(bundles);
  using directory = absentAsUndefined(() => TrustedDirectory.open(root, relative));
  directory?.remove(name);
}

function isWritable(source: string): boolean {
  try {
    accessSync(join(source, "objects"), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
