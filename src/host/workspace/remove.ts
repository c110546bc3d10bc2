// Removes a workspace without losing anything, and brings one back.
//
// Removal: nobody lives inside; everything is saved and the ref is on it; nothing changed since the saving began; then the
// directory is renamed out of the way, and deleted. A crash before the rename leaves the workspace (and perhaps a rescue
// too many); one after it leaves a `.removing-…` directory whose rescue is kept under the ref noted in its name's file: the
// next removal goes on there. Restoring is made beside the place and renamed, so that it is whole or absent.

import { existsSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { Refusal } from "../../protocol/errors.ts";
import { systemClock } from "../clock/system-clock.ts";
import type { RemoveWish, Rescue, RestoreWish, Step } from "../../ports/workspace.ts";
import { bringBack } from "./bring-back.ts";
import { gather, sameGathering } from "./gather.ts";
import { isPassing, liveInside } from "./live-inside.ts";
import { withKeeper } from "./scratch-repository.ts";
import { makePlace, placeOf } from "./place.ts";
import { save, type SavedWork } from "./save.ts";
import type { WorkGit } from "./work-git.ts";

const nothing: Step = () => {};
const attempts = 3;
/** How long those who only pass through are waited for. */
const passingTries = 60;
const passingMs = 50;

export async function removeWorkspace(git: WorkGit, wish: RemoveWish): Promise<Rescue | undefined> {
  const step = wish.step ?? nothing;
  const path = placeOf(wish.root, wish.place);
  const trash = join(dirname(path), `.removing-${basename(path)}`);
  const note = `${trash}.json`;
  if (existsSync(trash)) {
    // An earlier removal got as far as the rename, so its rescue is whole.
    const rescue = JSON.parse(readFileSync(note, "utf8")) as Rescue;
    discard(trash, note, step);
    if (!existsSync(path)) return rescue;
  }
  if (!existsSync(path)) return earlierRescue(git, wish);
  const real = realpathSync(path);
  await refuseIfLive(git, real);
  step("remove.begun");
  const rescue = await rescueOf(git, wish, real, step);
  await refuseIfLive(git, real);
  writeFileSync(note, JSON.stringify(rescue), { mode: 0o600 });
  step("remove.noted");
  renameSync(path, trash);
  step("remove.renamed");
  discard(trash, note, step);
  return rescue;
}

function discard(trash: string, note: string, step: Step): void {
  for (const name of readdirSync(trash)) {
    rmSync(join(trash, name), { recursive: true, force: true });
    step("remove.partly");
  }
  rmSync(trash, { recursive: true, force: true });
  step("remove.deleted");
  rmSync(note, { force: true });
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

/** What a removal with this very time saved before it was cut off: gone and safe, but nobody was told. */
async function earlierRescue(git: WorkGit, wish: RemoveWish): Promise<Rescue | undefined> {
  const { ref, bundle } = namesOf(wish);
  if (existsSync(bundle)) return { where: `bundle:${bundle}`, commit: "", files: 0, skipped: [] };
  if (!existsSync(join(wish.source, "objects"))) return undefined;
  const outcome = await git.try({ args: ["rev-parse", "-q", "--verify", ref], variables: { GIT_DIR: wish.source } });
  if (outcome.code !== 0) return undefined;
  return { where: `ref:${ref}`, commit: Buffer.from(outcome.stdout).toString("utf8").trim(), files: 0, skipped: [] };
}

function namesOf(wish: RemoveWish): { ref: string; bundle: string; keeper: string } {
  const time = new Date(wish.nowMs).toISOString().replaceAll(/[-:.]/g, "");
  return {
    ref: `refs/constel/rescue/${wish.name}/${time}`,
    bundle: join(wish.bundles, `${wish.name}-${time}.bundle`),
    keeper: `${wish.name}-${time}`,
  };
}

async function rescueOf(git: WorkGit, wish: RemoveWish, path: string, step: Step): Promise<Rescue> {
  const { ref, bundle, keeper } = namesOf(wish);
  const sourceThere = existsSync(join(wish.source, "objects"));
  if (sourceThere) {
    const saved = await saveStill(git, wish, path, { keeper: wish.source, ref, step });
    return { where: `ref:${ref}`, ...summary(saved) };
  }
  return withKeeper(git, { workspace: path, bundles: wish.bundles, name: keeper }, async (directory) => {
    const saved = await saveStill(git, wish, path, { keeper: directory, ref, step });
    await git.bytes({ args: ["bundle", "create", "-q", `${bundle}.new`, ref], variables: { GIT_DIR: directory } });
    await git.bytes({ args: ["bundle", "verify", "-q", `${bundle}.new`], variables: { GIT_DIR: directory } });
    renameSync(`${bundle}.new`, bundle);
    step("rescue.bundled");
    return { where: `bundle:${bundle}`, ...summary(saved) };
  });
}

/** Saves until a whole save passed in which nothing changed. */
async function saveStill(
  git: WorkGit,
  wish: RemoveWish,
  workspace: string,
  to: { keeper: string; ref: string; step: Step },
): Promise<SavedWork> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const { name, nowMs, withIgnored } = wish;
    const saved = await save(git, { workspace, ...to, name, nowMs, withIgnored });
    if (sameGathering(saved.gathered, gather(workspace, saved.leftOut))) return saved;
  }
  throw new Refusal("workspace.changing", `${workspace} kept changing while it was being saved`, { path: workspace });
}

function summary({ commit, gathered }: SavedWork): Pick<Rescue, "commit" | "files" | "skipped"> {
  return { commit, files: gathered.files.length, skipped: gathered.skipped };
}

export async function restoreWorkspace(git: WorkGit, wish: RestoreWish): Promise<void> {
  const step = wish.step ?? nothing;
  const path = makePlace(wish.root, wish.place);
  if (existsSync(path)) throw new Refusal("workspace.exists", `${wish.place} is there already`, { path });
  const restoring = join(dirname(path), `.restoring-${basename(path)}`);
  rmSync(restoring, { recursive: true, force: true });
  const cut = wish.where.indexOf(":");
  const [kind, name] = [wish.where.slice(0, cut), wish.where.slice(cut + 1)];
  const scratch = join(wish.scratch, `.restoring-${basename(dirname(path))}-${basename(path)}`);
  try {
    const { keeper, commit } =
      kind === "ref" ? await fromRef(git, wish.source, name) : await fromBundle(git, name, scratch);
    await bringBack(git, { keeper, commit, directory: restoring, step });
    renameSync(restoring, path);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function fromRef(git: WorkGit, source: string, ref: string): Promise<{ keeper: string; commit: string }> {
  const outcome = await git.try({ args: ["rev-parse", "-q", "--verify", ref], variables: { GIT_DIR: source } });
  const commit = Buffer.from(outcome.stdout).toString("utf8").trim();
  if (outcome.code !== 0) throw new Refusal("workspace.no-rescue", `${source} has no ${ref}`, { source, ref });
  return { keeper: source, commit };
}

async function fromBundle(git: WorkGit, bundle: string, scratch: string): Promise<{ keeper: string; commit: string }> {
  if (!existsSync(bundle)) throw new Refusal("workspace.no-rescue", `${bundle} is not there`, { bundle });
  rmSync(scratch, { recursive: true, force: true });
  const heads = await git.text({ args: ["bundle", "list-heads", bundle] });
  const commit = heads.split(" ")[0] ?? "";
  const format = commit.length === 64 ? "sha256" : "sha1";
  await git.bytes({ args: ["init", "-q", "--bare", "--template=", `--object-format=${format}`, scratch] });
  await git.bytes({ args: ["bundle", "unbundle", bundle], variables: { GIT_DIR: scratch } });
  return { keeper: scratch, commit };
}
