// What a reader can type for this program: `constel` where the shell finds it, else the path it was started by. A command
// that is shown must work when it is copied.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

export interface OwnWord {
  readonly word: string;
  /** To be put on the PATH; undefined where `constel` is found already. */
  readonly directory: string | undefined;
}

export function ownWord(path: string | undefined): OwnWord {
  const bin = join(dirname(Bun.main), "..", "bin");
  const isClone = existsSync(join(bin, "constel"));
  if (!isClone || Bun.which("constel", { PATH: path ?? "" }) !== null) return { word: "constel", directory: undefined };
  return { word: join(bin, "constel"), directory: bin };
}
