// Keeps the commit that a workspace's work ended in, outside the workspace: under a ref of the repository it came from, which
// has most of it already, or as a bundle of ours when that repository is gone or may not be written.

import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { KeptPlace, KeepWish } from "../../ports/workspace.ts";
import { bundleNamed } from "./rescue-places.ts";
import { withKeeper } from "./scratch-repository.ts";
import { alternate, bring, bringUnder } from "./save.ts";
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

/** Makes it an object of another repository. The commit, or undefined when nothing is kept there. */
export async function bringKept(git: WorkGit, place: KeptPlace, directory: string): Promise<string | undefined> {
  const { ref, bundle } = namesOf(place);
  const kept = bundleNamed(git, place.bundles, bundle);
  if (kept !== undefined) {
    const heads = await git.text({ args: ["bundle", "unbundle", kept], variables: { GIT_DIR: directory } });
    return heads.split(" ")[0];
  }
  return bringRef(git, { from: place.source, ref, directory });
}

/** A ref's commit with all it needs, from a repository on this machine. Undefined when it has no such ref. */
export async function bringRef(
  git: WorkGit,
  wish: { readonly from: string; readonly ref: string; readonly directory: string },
): Promise<string | undefined> {
  if (!existsSync(join(wish.from, "objects"))) return undefined;
  const args = ["rev-parse", "-q", "--verify", `${wish.ref}^{commit}`];
  const outcome = await git.try({ args, variables: { GIT_DIR: wish.from } });
  const commit = Buffer.from(outcome.stdout).toString("utf8").trim();
  if (outcome.code !== 0 || commit === "") return undefined;
  const variables = {
    GIT_DIR: wish.directory,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: alternate(join(wish.from, "objects")),
  };
  await bring(git, { keeper: wish.directory, commit, variables });
  return commit;
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
