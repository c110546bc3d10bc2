// Finds the named pipe that a git waits for, to tell the user: git does not say. It looks where git reads by itself, in a bounded walk.

import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const mostEntries = 20_000;

export function findPipe(places: readonly string[]): string | undefined {
  let left = mostEntries;
  const visit = (directory: string): string | undefined => {
    const entries = entriesOf(directory);
    left -= entries.length;
    const pipe = entries.find((entry) => entry.isFIFO());
    if (pipe !== undefined) return join(directory, pipe.name);
    for (const entry of entries) {
      if (left <= 0) return undefined;
      // Objects are many, and none of them is opened by its name here.
      if (!entry.isDirectory() || /^([0-9a-f]{2}|node_modules)$/.test(entry.name)) continue;
      const found = visit(join(directory, entry.name));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const place of new Set(places.flatMap((one) => [one, ...commonOf(one)]))) {
    const found = visit(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Of a linked worktree's git directory, the one it shares with the others. */
function commonOf(place: string): string[] {
  return dirname(place).endsWith("/worktrees") ? [dirname(dirname(place))] : [];
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
