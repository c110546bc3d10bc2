// The clone of constel that this program stands in, when it is the quick program of one (docs/decisions/0014-the-quick-program.md): a
// single file, in which nothing has a path of its own, with the sources it was built from around it.

import { dirname, join } from "node:path";

const place = "/node_modules/.constel/quick";

/** undefined from the sources, and in the single-file program. */
export function cloneOfQuick(): string | undefined {
  const { execPath } = process;
  return execPath.endsWith(place) ? execPath.slice(0, -place.length) : undefined;
}

/** The clone whose sources this program is made of, in either form; undefined in the single-file program. */
export function cloneOfSources(): string | undefined {
  return cloneOfQuick() ?? (Bun.main.startsWith("/$bunfs/") ? undefined : join(dirname(Bun.main), ".."));
}
