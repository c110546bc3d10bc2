// Finds the word that a reader can type for this program: `constel` if the shell finds it, else the path it was started by. A command that
// is shown must work when it is copied.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { cloneOfSources } from "../../ports/clone.ts";

export interface OwnWord {
  readonly word: string;
  /** To be put on the PATH, and has `constel` alone; undefined where `constel` is found already. */
  readonly directory: string | undefined;
}

export function ownWord(path: string | undefined): OwnWord {
  const clone = cloneOfSources();
  // In a clone bin/constel, whether it runs from the sources or as its quick program; else the binary itself.
  const program = clone === undefined ? process.execPath : join(clone, "bin/constel");
  if (!existsSync(program) || Bun.which("constel", { PATH: path ?? "" }) !== null) {
    return { word: "constel", directory: undefined };
  }
  return { word: program, directory: clone === undefined ? dirname(program) : join(clone, "bin/path") };
}
