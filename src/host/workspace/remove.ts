// Removes a workspace without losing anything.
//
// It is renamed out of the way first (`.removing-…`): from then on nobody finds it by its name, so who is not inside by now can
// write nothing more into it. Then it is looked whether somebody is inside, everything is saved under a ref, and it is looked again.
// When any of that fails the workspace is renamed back and is as before. Once all is saved the name says so (`.removed-…`), and it
// is deleted. Whatever a crash leaves is told by these names, and the next removal goes on there.

import { join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { systemClock } from "../clock/system-clock.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { RemoveWish, Rescue, Step } from "../../ports/workspace.ts";
import { gather, sameGathering } from "./gather.ts";
import { isPassing, liveInside } from "./live-inside.ts";
import { readManifest } from "./manifest.ts";
import { Place } from "./place.ts";
import { bundleNamed, existingSource, refCommit } from "./rescue-places.ts";
import { save, type SavedWork } from "./save.ts";
import { withKeeper } from "./scratch-repository.ts";
import type { WorkGit } from "./work-git.ts";

const nothing: Step = () => {};
const attempts = 3;
/** The wait for processes that only pass through: ten seconds, because a first look on a busy machine is a chain of gits. */
const passingTries = 200;
const passingMs = 50;

export async function removeWorkspace(git: WorkGit, wish: RemoveWish): Promise<Rescue | undefined> {
  const step = wish.step ?? nothing;
  using place = Place.find(wish.root, wish.place);
  if (place === undefined) return earlierRescue(git, wish, false);
  discard(place, step);
  clearTheWay(place);
  if (!place.isDirectory(place.removing)) {
    if (!place.isTaken) return earlierRescue(git, wish, false);
    refuseLink(place);
    await refuseIfLive(git, place.realPath(place.name));
    step("remove.begun");
  }
  let rescue: Omit<Rescue, "isWrittenAgain">;
  try {
    if (!place.isDirectory(place.removing)) {
      place.rename(place.name, place.removing);
      step("remove.renamed");
    }
    await refuseIfLive(git, place.realPath(place.removing));
    rescue = await rescueOf(git, wish, place, step);
    await refuseIfLive(git, place.realPath(place.removing));
  } catch (cause) {
    putBack(place);
    throw cause;
  }
  place.rename(place.removing, place.removed);
  step("remove.saved");
  discard(place, step);
  return { ...rescue, isWrittenAgain: place.isTaken };
}

/** A removal that was cut off before it had saved everything leaves the workspace where it was. True when there was one. */
export function putBack(place: Place): boolean {
  if (place.isTaken || !place.isDirectory(place.removing)) return false;
  place.rename(place.removing, place.name);
  return true;
}

/** Deletes what is saved. */
export function discard(place: Place, step: Step = nothing): void {
  if (!place.isDirectory(place.removed)) {
    place.parent.removeTree(place.removed); // a link: it goes, and what it leads to stays
    return;
  }
  using removed = place.parent.child(place.removed);
  for (const name of removed.listBytes()) {
    removed.removeTree(name);
    step("remove.partly");
  }
  place.parent.removeTree(place.removed);
  step("remove.deleted");
}

/**
 * Clears the name that we are about to rename to, if what is there is not ours. A link goes; a file that somebody put there is kept aside.
 */
function clearTheWay(place: Place): void {
  const stat = place.parent.stat(place.removing);
  if (stat === undefined || stat.isDirectory()) return;
  if (stat.isSymbolicLink()) place.parent.remove(place.removing);
  else place.rename(place.removing, `.found-${place.name}-${stat.ino}`);
}

function refuseLink(place: Place): void {
  const path = join(place.parent.path, place.name);
  const stat = place.parent.stat(place.name);
  if (stat?.isSymbolicLink() === true) throw new Refusal("path.symlink", `${path} is a symbolic link`, { path });
  if (stat?.isDirectory() !== true) throw new Refusal("path.not-a-file", `${path} is not a directory`, { path });
}

async function refuseIfLive(git: WorkGit, path: string): Promise<void> {
  let live = await liveInside(path, git.processes);
  for (let tries = 0; tries < passingTries && live.length > 0 && live.every(isPassing); tries += 1) {
    await systemClock.sleep(passingMs);
    live = await liveInside(path, git.processes);
  }
  if (live.length === 0) return;
  const named = live.slice(0, 5).map(({ pid, command, path: where }) => `${pid} (${command || "?"}) at ${where}`);
  throw new Refusal("workspace.in-use", `processes live in ${path}: ${named.join("; ")}`, { path, processes: live });
}

/** Finds the rescue that a removal with this very time saved before it was cut off: the workspace is gone and safe, but nobody was told. */
async function earlierRescue(git: WorkGit, wish: RemoveWish, isWrittenAgain: boolean): Promise<Rescue | undefined> {
  const { ref, bundle } = namesOf(wish);
  const there = { commit: "", files: 0, skipped: [], leftOut: [], isWrittenAgain };
  if (bundleNamed(git, wish.bundles, bundle) !== undefined)
    return { ...there, where: `bundle:${join(wish.bundles, bundle)}` };
  const commit = await refCommit(git, wish.source, ref);
  if (commit === undefined) return undefined;
  const { files, skipped, leftOut = [] } = await readManifest(git, wish.source, commit);
  return { where: `ref:${ref}`, commit, files: files.length, skipped, leftOut, isWrittenAgain };
}

function namesOf(wish: RemoveWish): { ref: string; bundle: string; keeper: string } {
  const time = new Date(wish.nowMs).toISOString().replaceAll(/[-:.]/g, "");
  return {
    ref: `refs/constel/rescue/${wish.name}/${time}`,
    bundle: `${wish.name}-${time}.bundle`,
    keeper: `${wish.name}-${time}`,
  };
}

async function rescueOf(
  git: WorkGit,
  wish: RemoveWish,
  place: Place,
  step: Step,
): Promise<Omit<Rescue, "isWrittenAgain">> {
  const { ref, bundle, keeper } = namesOf(wish);
  using top = TrustedDirectory.open(place.parent.path, place.removing);
  const source = existingSource(wish.source);
  if (source !== undefined) {
    const saved = await saveStill(git, wish, place, top, { keeper: source, ref, step });
    return { where: `ref:${ref}`, ...summary(saved) };
  }
  return await withKeeper(
    git,
    { workspace: top.path, bundles: wish.bundles, name: keeper },
    async (directory, bundles) => {
      const saved = await saveStill(git, wish, place, top, { keeper: directory, ref, step });
      const fresh = join(bundles.path, `${bundle}.new`);
      await git.bytes({ args: ["bundle", "create", "-q", fresh, ref], variables: { GIT_DIR: directory } });
      await git.bytes({ args: ["bundle", "verify", "-q", fresh], variables: { GIT_DIR: directory } });
      bundles.syncFile(`${bundle}.new`);
      bundles.moveTo(`${bundle}.new`, bundles, bundle);
      bundles.sync();
      step("rescue.bundled");
      return { where: `bundle:${join(wish.bundles, bundle)}`, ...summary(saved) };
    },
  );
}

/** Saves until a whole save passed in which nothing changed. */
async function saveStill(
  git: WorkGit,
  wish: RemoveWish,
  place: Place,
  top: TrustedDirectory,
  to: { keeper: string; ref: string; step: Step },
): Promise<SavedWork> {
  const original = place.realPath(place.name);
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { name, nowMs, withIgnored } = wish;
    const saved = await save(git, { top, original, ...to, name, nowMs, withIgnored });
    if (sameGathering(saved.gathered, await gather(top, saved.selection))) return saved;
  }
  throw new Refusal("workspace.changing", `${original} kept changing while it was being saved`, { path: original });
}

function summary({ commit, gathered, selection }: SavedWork): Pick<Rescue, "commit" | "files" | "skipped" | "leftOut"> {
  return { commit, files: gathered.files.length, skipped: gathered.skipped, leftOut: selection.named };
}
