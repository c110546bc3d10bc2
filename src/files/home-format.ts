// The mark of a home's layout. constel was rebuilt before its first release, and what earlier builds left in a home is not
// read: a home that was used and carries no mark, or another one, is refused whole and left exactly as it is. The mark is
// written before anything that shows that a home was used. A hook asks at every call, so this loads nothing else; mark-home.ts writes it.

import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export const markFile = "state/home-format";
export const mark = "constel home 1\n";

/** Each is made by the first command that keeps something, whichever database is used. */
const signsOfUse = ["keys/ring.jsonl", "meta.db", "state/database-head"];

export function isOfAnotherFormat(home: string): boolean {
  const path = join(home, markFile);
  if (!existsSync(path)) return signsOfUse.some((sign) => existsSync(join(home, sign)));
  // A pipe would keep a reader waiting.
  const status = statSync(path);
  return !status.isFile() || status.size !== mark.length || readFileSync(path, "utf8") !== mark;
}
