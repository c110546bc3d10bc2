// The workspaces of tasks as they lie below a root directory, for whoever removes constel: the disk alone says where they are, when the
// store is gone too. `workspaces/<task>/<name>`, and below an agent's name those that only a confined agent sees.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import { isAgentId } from "../../protocol/agent-id.ts";

/** Only what lies where constel would lay it: a directory of that name may be the repository's own. */
export function workspacesLaid(top: string): string[] {
  const places = directoriesIn(top).filter(isAgentId);
  const tasks = [top, ...places.map((name) => join(top, name))].flatMap((place) =>
    directoriesIn(place).flatMap((name) => (isTask(name) ? [join(place, name)] : [])),
  );
  return tasks.flatMap((task) => directoriesIn(task).map((name) => join(task, name))).toSorted();
}

/** With the words that were laid beside it, and each directory that is empty then. */
export function removeLaid(top: string, path: string): void {
  const task = dirname(path);
  using directory = TrustedDirectory.open(task);
  directory.removeTree(basename(path));
  tidy(task, besideIt);
  for (let place = dirname(task); place === top || place.startsWith(`${top}/`); place = dirname(place))
    tidy(place, ownIgnore);
}

const isTask = (name: string): boolean => /^[1-9][0-9]*$/.test(name);

/** Constel's own files in a task's directory. */
const besideIt = (_: string, name: string): boolean => name === "brief.md" || name === "review.md";

const ownIgnore = (directory: string, name: string): boolean =>
  name === ".gitignore" && readFileSync(join(directory, name), "utf8") === "*\n";

function tidy(path: string, isOurs: (directory: string, name: string) => boolean): void {
  if (!existsSync(path)) return;
  const names = readdirSync(path);
  if (!names.every((name) => isOurs(path, name))) return;
  using parent = TrustedDirectory.open(dirname(path));
  parent.removeTree(basename(path));
}

function directoriesIn(path: string): string[] {
  if (!existsSync(path)) return [];
  return readdirSync(path, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
}
