// Asks the disk what the judgement of permissions needs to know: where a path leads, and which repository git would use in a directory. It
// only looks; nothing is run, least of all git, whose settings in that directory are what is in question.

import { lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

export const placeFacts = {
  /** Links are followed one by one, also those that lead to what does not exist yet: writing there would make it. */
  resolve(path: string): string | undefined {
    let links = 0;
    let done = "/";
    let left = path.split("/").filter((name) => name !== "" && name !== ".");
    while (left.length > 0) {
      const [name = "", ...rest] = left;
      left = rest;
      if (name === "..") {
        done = dirname(done);
        continue;
      }
      const here = join(done, name);
      const link = linkAt(here);
      if (link === "unknown") return undefined;
      if (link === undefined) {
        done = here;
        continue;
      }
      if (++links > 40) return undefined;
      if (link.startsWith("/")) done = "/";
      left = [...link.split("/").filter((one) => one !== "" && one !== "."), ...left];
    }
    return done;
  },

  /** As git finds it: from where links lead, upwards to the first `.git`, or to a directory that is a bare repository itself. */
  repositoryOf(directory: string): string | undefined {
    let at = placeFacts.resolve(directory);
    if (at === undefined) return undefined;
    for (;;) {
      const isBare = exists(join(at, "HEAD")) && exists(join(at, "objects")) && exists(join(at, "refs"));
      if (isBare || exists(join(at, ".git"))) return at;
      const above = dirname(at);
      if (above === at) return undefined;
      at = above;
    }
  },

  names(directory: string): readonly string[] {
    try {
      return readdirSync(directory);
    } catch {
      return []; // a shell finds nothing there either
    }
  },
} as const;

function linkAt(path: string): string | "unknown" | undefined {
  try {
    if (!lstatSync(path).isSymbolicLink()) return undefined;
    return readlinkSync(path);
  } catch (cause) {
    const code = (cause as { code?: unknown }).code;
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : "unknown";
  }
}

function exists(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}
