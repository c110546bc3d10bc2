// Which of the items that lie ready are due at this moment. Pure but for one look at where a link leads.

import { existsSync, realpathSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import { touchedFiles } from "../../host/runtime/hook-record.ts";
import type { HearMoment } from "../../protocol/hear.ts";
import type { HearDue } from "../../protocol/parse-hear.ts";
import type { HookCall } from "./moment.ts";

export function dueAt(moment: HearMoment, { record, payload }: HookCall): (item: HearDue) => boolean {
  let paths: ReadonlySet<string> | undefined;
  return ({ at, files, to }) => {
    if (!at.includes(moment) || (to !== undefined && to !== record.session)) return false;
    if (moment !== "edit" || files.length === 0) return true;
    paths ??= pathsOf(payload, record.cwd);
    for (const file of files) if (isAmong(paths, file)) return true;
    return false;
  };
}

/** A directory stands for all that is in it. */
function isAmong(paths: ReadonlySet<string>, file: string): boolean {
  if (paths.has(file)) return true;
  for (const path of paths) if (path.startsWith(`${file}/`)) return true;
  return false;
}

/** Each path as it was given and as it really is: whoever wrote the item knows the worktree by its real name. */
function pathsOf(payload: unknown, cwd: string | undefined): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const named of touchedFiles((payload as { tool_input?: unknown }).tool_input)) {
    if (!isAbsolute(named) && (cwd === undefined || !isAbsolute(cwd))) continue;
    const path = normalize(isAbsolute(named) ? named : join(cwd ?? "", named));
    paths.add(path);
    paths.add(realPath(path));
  }
  return paths;
}

/** A file that is yet to be made has a real directory. */
function realPath(path: string): string {
  let above = path;
  while (above !== "" && !existsSync(above)) above = above.slice(0, above.lastIndexOf("/"));
  try {
    return above === "" ? path : realpathSync(above) + path.slice(above.length);
  } catch {
    return path; // it has gone meanwhile
  }
}
