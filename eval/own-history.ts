// git's own merges of this repository's history, as a row of the table.

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Tally } from "./judge-scenarios.ts";
import { replay } from "./replay.ts";

/** undefined when this is no clone, or one without merges. */
export async function ownHistory(limit: number): Promise<Tally | undefined> {
  const top = join(import.meta.dir, "..");
  if (!existsSync(join(top, ".git"))) return undefined;
  const { merges, files } = await replay(top, { limit, mode: "committed" });
  if (merges === 0) return undefined;
  return { cases: merges, right: files.right, wrong: files.falseAlarms, missed: files.missed };
}
