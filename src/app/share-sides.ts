// The work on this machine as other machines may see it, and theirs as it is taken in. A file in which a secret was found keeps its whole worktree here.

import { scanText } from "../host/secrets/shapes.ts";
import type { Snapshot } from "../ports/git.ts";
import { type OwnSide, sideLimits, type SideToTake, type TakenSide } from "../ports/sides.ts";
import { textOf } from "../ports/text-of.ts";
import type { TakenInSide } from "../sensing/others-sides.ts";
import type { RepositoryWatcher } from "../sensing/watch.ts";

/** By worktree: the tree that was looked through, and what came of it. */
export type SidesSeen = Map<string, { readonly state: string; readonly side: OwnSide }>;

/** A file that is larger is not read, and keeps nothing back: secrets are short, and whoever adds so much adds data. */
const mostBytes = 1024 * 1024;
const mostFiles = 2_000;

export async function ownSides(watcher: RepositoryWatcher, seen: SidesSeen): Promise<OwnSide[]> {
  const sides: OwnSide[] = [];
  const all = watcher.ownSides.slice(0, sideLimits.own);
  for (const { path, branch, snapshot } of all) {
    const state = `${snapshot.commit} ${branch ?? ""} ${watcher.landing?.commit ?? ""}`;
    const known = seen.get(path);
    const side = known?.state === state ? known.side : await ownSide(watcher, path, branch, snapshot);
    if (side === undefined) continue;
    seen.set(path, { state, side });
    sides.push(side);
  }
  for (const path of seen.keys()) if (!all.some((one) => one.path === path)) seen.delete(path);
  return sides;
}

async function ownSide(
  { observer }: RepositoryWatcher,
  worktree: string,
  branch: string | undefined,
  snapshot: Snapshot,
): Promise<OwnSide | undefined> {
  const made = await observer.sides.outgoing(snapshot);
  if (made === undefined) return undefined;
  const heldBack = await whyHeldBack({ observer }, made.onto, snapshot);
  return { worktree, branch: branch ?? null, ...made, heldBack };
}

/** What leaves is what was changed since the commits that the origin has. */
async function whyHeldBack(
  { observer }: Pick<RepositoryWatcher, "observer">,
  onto: readonly string[],
  snapshot: Snapshot,
): Promise<string | null> {
  const [base] = onto;
  const files =
    base === undefined
      ? [...(await observer.tree(snapshot.tree))].map(([path, { blob }]) => ({ path, blob, before: undefined }))
      : (await observer.changedFiles(base, snapshot)).flatMap(({ path, before, after }) =>
          after === undefined ? [] : [{ path, blob: after.blob, before: before?.blob }],
        );
  if (files.length > mostFiles) return `more than ${mostFiles} files were changed`;
  for (const { path, blob, before } of files) {
    const text = await readText({ observer }, blob);
    const found = text === undefined ? [] : await scanText(text);
    if (text === undefined || found.length === 0) continue;
    // What the origin has already is nobody's secret any more.
    const old = before === undefined ? "" : ((await readText({ observer }, before)) ?? "");
    const fresh = found.find(({ start, end }) => !old.includes(text.slice(start, end)));
    if (fresh !== undefined) return `${path} holds what looks like ${fresh.kind}`;
  }
  return null;
}

async function readText({ observer }: Pick<RepositoryWatcher, "observer">, blob: string): Promise<string | undefined> {
  const bytes = await observer.read(blob, mostBytes);
  return bytes === undefined ? undefined : textOf(bytes);
}

/** Takes in the sides of other machines, and has the work here compared with those that came whole. */
export async function takeOthers(
  watcher: RepositoryWatcher,
  sides: readonly SideToTake[],
  address: string | undefined,
): Promise<readonly TakenSide[]> {
  const { observer } = watcher;
  const taken = [...(await observer.sides.take(sides, address))];
  const whole: TakenInSide[] = [];
  for (const [at, one] of taken.entries()) {
    const side = sides.find(({ ref }) => ref === one.ref);
    if (one.kind !== "taken" || side === undefined) continue;
    const snapshot = await observer.sides.snapshotOf(side.commit);
    if (snapshot === undefined) taken[at] = { ref: one.ref, kind: "lacking", why: "its commit cannot be read" };
    else whole.push({ ref: side.ref, label: side.label, snapshot, doubt: side.doubt });
  }
  watcher.compareWith(whole);
  return taken;
}
