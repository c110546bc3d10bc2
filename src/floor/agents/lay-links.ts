// Symbolic links that an agent's program finds in its own place below the home, to what it shares with the owner's. Nothing of ours
// follows them. What the program has put in the place of one is left as it is.

import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Prepared } from "../../ports/runtime.ts";

export function layLinks(home: string, links: NonNullable<Prepared["links"]>): void {
  for (const { path, target } of links) {
    using directory = TrustedDirectory.open(home, dirname(path), { create: true });
    const name = basename(path);
    const there = directory.stat(name);
    if (there !== undefined && !there.isSymbolicLink()) continue;
    if (!existsSync(target)) {
      // A link to nothing keeps the program from making the thing itself.
      if (there !== undefined) directory.remove(name);
      continue;
    }
    if (there !== undefined) {
      if (directory.symbolicLink(name).toString("utf8") === target) continue;
      directory.remove(name);
    }
    directory.makeSymbolicLink(name, Buffer.from(target));
  }
}
