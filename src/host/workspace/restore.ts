// Brings a removed workspace back: made beside its place, compared with what was saved, and renamed, so that it is whole or absent.

import { join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { Restored, RestoreWish, Step } from "../../ports/workspace.ts";
import { pathToBytes } from "../git/objects/path-text.ts";
import { bringBack } from "./bring-back.ts";
import { gather } from "./gather.ts";
import { isObject, type Manifest, readManifest } from "./manifest.ts";
import { Place } from "./place.ts";
import { bundleNamed, keptAs, refCommit } from "./rescue-places.ts";
import { cQuoted } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

const nothing: Step = () => {};

export async function restoreWorkspace(git: WorkGit, wish: RestoreWish): Promise<Restored> {
  const step = wish.step ?? nothing;
  using place = Place.make(wish.root, wish.place);
  if (place.isTaken) throw new Refusal("workspace.exists", `${wish.place} already exists`, { path: wish.place });
  place.aside.removeTree(place.restoring);
  const { root, relative } = git.placeOf(wish.scratch);
  using scratches = TrustedDirectory.open(root, relative, { create: true });
  const scratch = `.restoring-${wish.place.replaceAll("/", "-")}`;
  try {
    const { keeper, commit } = await findRescue(git, wish, scratches, scratch);
    const manifest = await readManifest(git, keeper, commit);
    using top = place.aside.child(place.restoring, { create: true, mode: 0o755 });
    await bringBack(git, { keeper, commit, manifest, top, step });
    await compare(git, { keeper, commit, manifest, top });
    step("restore.compared");
    place.bringIn(place.restoring);
    return { leftOut: manifest.leftOut ?? [], skipped: manifest.skipped };
  } finally {
    place.aside.removeTree(place.restoring);
    scratches.removeTree(scratch);
  }
}

async function findRescue(
  git: WorkGit,
  wish: RestoreWish,
  scratches: TrustedDirectory,
  scratch: string,
): Promise<{ keeper: string; commit: string }> {
  const kept = keptAs(wish.where, wish.scratch);
  if (kept.kind === "ref") {
    const commit = await refCommit(git, wish.source, kept.ref);
    if (commit === undefined)
      throw new Refusal("workspace.no-rescue", `${wish.source} has no ${kept.ref}`, {
        source: wish.source,
        ref: kept.ref,
      });
    return { keeper: wish.source, commit };
  }
  const bundle = bundleNamed(git, wish.scratch, kept.name);
  if (bundle === undefined)
    throw new Refusal("workspace.no-rescue", `${kept.name} is not there`, { bundle: kept.name });
  scratches.removeTree(scratch);
  const keeper = join(scratches.path, scratch);
  const commit = (await git.text({ args: ["bundle", "list-heads", bundle] })).split(" ")[0];
  if (!isObject(commit))
    throw new Refusal("workspace.no-rescue", `${kept.name} holds no rescue`, { bundle: kept.name });
  const format = commit.length === 64 ? "sha256" : "sha1";
  await git.bytes({ args: ["init", "-q", "--bare", "--template=", `--object-format=${format}`, keeper] });
  await git.bytes({ args: ["bundle", "unbundle", bundle], variables: { GIT_DIR: keeper } });
  return { keeper, commit };
}

/** Every name, mode, link and byte, and every object of the history, is what was saved. */
async function compare(
  git: WorkGit,
  wish: { keeper: string; commit: string; manifest: Manifest; top: TrustedDirectory },
): Promise<void> {
  const { keeper, commit, manifest, top } = wish;
  const leftOut = new Set(manifest.isRaw === true ? [] : [".git/objects"]);
  const found = await gather(top, { leftOut, kept: [] });
  const lines = (
    files: readonly { path: string; mode: number; size: number; link?: string | undefined }[],
  ): Set<string> =>
    new Set(
      files.map(({ path, mode, size, link }) =>
        JSON.stringify(link === undefined ? [path, mode, size] : [path, "link", link]),
      ),
    );
  const differences = [...lines(manifest.files).symmetricDifference(lines(found.files))];
  const directories = (list: Manifest["directories"]): Set<string> =>
    new Set(list.filter(({ path }) => !leftOut.has(path)).map(({ path, mode }) => JSON.stringify([path, mode])));
  differences.push(...directories(manifest.directories).symmetricDifference(directories(found.directories)));
  const plain = manifest.files.filter(({ blob }) => blob !== undefined);
  const ids = plain.length === 0 || differences.length > 0 ? [] : await hashes(git, keeper, top.path, plain);
  for (const [at, id] of ids.entries()) if (id !== plain[at]?.blob) differences.push(plain[at]?.path ?? "");
  if (differences.length > 0) {
    const shown = differences.slice(0, 3).join(", ");
    throw new Outage("restore", top.path, `it is not what was saved: ${shown} (${differences.length} in all)`);
  }
  if (manifest.isRaw === true) return;
  const variables = { GIT_DIR: join(top.path, ".git") };
  await git.bytes({ args: ["rev-list", "--objects", "--quiet", commit], variables });
}

async function hashes(git: WorkGit, keeper: string, directory: string, files: Manifest["files"]): Promise<string[]> {
  const stdin = files.map(({ path }) => `${cQuoted(pathToBytes(`${directory}/${path}`))}\n`).join("");
  const args = ["hash-object", "--no-filters", "--stdin-paths"];
  return (await git.text({ args, variables: { GIT_DIR: keeper }, stdin })).split("\n");
}
