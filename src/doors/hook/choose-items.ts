// Which of the items that lie ready are due at this moment. Pure but for one look at where a link leads.

import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { touchedFiles } from "../../host/runtime/hook-record.ts";
import type { Hear, HearItem, HearMoment } from "../../protocol/hear.ts";
import type { HookCall } from "./moment.ts";

export function dueItems(hear: Hear, moment: HearMoment, { record, payload }: HookCall): readonly HearItem[] {
  const due = hear.items.filter(({ at }) => at.includes(moment));
  if (moment !== "edit" || due.every(({ files }) => files.length === 0)) return due;
  const paths = pathsOf(payload, record.cwd);
  return due.filter(({ files }) => files.length === 0 || files.some((file) => isAmong(paths, file)));
}

/** A directory stands for all that is in it. */
function isAmong(paths: ReadonlySet<string>, file: string): boolean {
  return paths.has(file) || [...paths].some((path) => path.startsWith(`${file}/`));
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
  let [above, below] = [path, ""];
  for (;;) {
    try {
      return join(realpathSync(above), below);
    } catch {
      const outer = dirname(above);
      if (outer === above) return path;
      below = join(above.slice(outer.length), below);
      above = outer;
    }
  }
}
