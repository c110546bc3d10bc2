// Which repository somebody stands in, by its files alone: nothing of it is read or run.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The nearest directory, going up, that git works in. */
export function repositoryAround(path: string): string | undefined {
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(join(directory, ".git"))) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}
