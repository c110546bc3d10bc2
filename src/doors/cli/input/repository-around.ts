// Finds the repository that somebody stands in, by its files alone: nothing of it is read or run.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The nearest directory, going up, that git works in. */
export function repositoryAround(path: string): string | undefined {
  for (let directory = path; ; directory = dirname(directory)) {
    if (existsSync(join(directory, ".git")) || isBare(directory)) return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

/** As git knows one; the inside of a checkout's own `.git` looks the same, and is not meant. */
function isBare(directory: string): boolean {
  if (basename(directory) === ".git") return false;
  return ["HEAD", "objects", "refs"].every((name) => existsSync(join(directory, name)));
}
