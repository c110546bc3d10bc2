// Brings what a killed process, a full disk or a failing one left between two states back to one of them: a workspace stands, or it
// is gone and saved. Told by the names beside its place (place.ts); done twice it changes nothing.

import { isAgentId } from "../../protocol/agent-id.ts";
import { absentAsUndefined } from "../../files/problems.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { systemLiveness } from "../process/liveness.ts";
import { makingNow } from "./make-workspace.ts";
import { Place } from "./place.ts";
import { discard, putBack } from "./remove.ts";

export function settleWorkspace(wish: { readonly root: string; readonly place: string }): boolean {
  using place = Place.find(wish.root, wish.place);
  if (place === undefined) return false;
  place.aside.removeTree(place.restoring);
  discard(place);
  putBack(place);
  for (const directory of [place.parent, place.aside])
    for (const name of directory.list()) if (isLeft(name)) directory.removeTree(name);
  return place.isDirectory(place.name);
}

/** Below `workspaces/`, whatever rows say: what is whole is left alone. */
export function sweepWorkspaces(root: string): string[] {
  const removed: string[] = [];
  using top = absentAsUndefined(() => TrustedDirectory.open(root, "workspaces"));
  if (top !== undefined) sweepTasks(top, removed);
  return removed;
}

/** Directories of tasks; those of a confined agent stand in one of its name. */
function sweepTasks(top: TrustedDirectory, removed: string[]): void {
  for (const task of top.list()) {
    if (isLeft(task) && top.removeTree(task)) removed.push(`${top.path}/${task}`);
    // What stands aside is no task, whatever is in it.
    if (task.startsWith(".") || top.stat(task)?.isDirectory() !== true) continue;
    using directory = top.child(task);
    if (isAgentId(task)) sweepTasks(directory, removed);
    else sweepTask(directory, removed);
  }
}

function sweepTask(directory: TrustedDirectory, removed: string[]): void {
  for (const name of directory.list()) {
    if (!isLeft(name) && !name.startsWith(".removed-")) continue;
    if (directory.removeTree(name)) removed.push(`${directory.path}/${name}`);
  }
}

/** A clone that was being made by a process that has ended, or by us and is not any more. */
function isLeft(name: string): boolean {
  const [, pid, token] = /^\.making-.+?-(\d+)(?:-(\d+-[0-9a-z]+))?$/.exec(name) ?? [];
  if (pid === undefined) return false;
  const self = systemLiveness.self();
  if (Number(pid) === self.pid && (token ?? self.token) === self.token) return !makingNow.has(name);
  return systemLiveness.isProvenDead({ pid: Number(pid), token: token ?? self.token });
}
