// Tells whether an agent's sandbox shows it a place. The daemon stands outside: when a confined agent named a directory of the owner's, the
// daemon looked at it in the agent's stead, and told it what is in there.

import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { inRoot } from "../../settings/paths.ts";
import { ownWorkspaces } from "./confine-agent.ts";
import { readLaunch } from "./launch-files.ts";

export interface Sights {
  readonly home: string;
  readonly root: string;
  /** The paths that the owner lets confined agents read besides. */
  readonly reads: readonly string[];
}

export function isInSight({ home, root, reads }: Sights, agent: string, path: string): boolean {
  if (readLaunch(home, agent)?.confined !== true) return true;
  const place = realOr(path);
  const top = realOr(root);
  if (isWithin(place, join(top, ownWorkspaces(agent)))) return true;
  if (isWithin(place, join(top, inRoot.workspaces)) || isWithin(place, realOr(home))) return false;
  return [top, ...reads.map(realOr)].some((shown) => isWithin(place, shown));
}

const isWithin = (path: string, directory: string): boolean => path === directory || path.startsWith(`${directory}/`);

/** Resolves a path. One that does not exist is resolved by a directory above it that does. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOr(dirname(path)), path.slice(dirname(path).length));
  }
}
