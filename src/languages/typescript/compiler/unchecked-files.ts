// Changed files that tell the compiler to look away. Its silence about them says nothing, so they are named.

import type { SemanticInput } from "../../../ports/semantic.ts";
import { isScript } from "../files.ts";

/** Further down it is only a comment. */
const firstLines = 30;

export async function uncheckedFiles({ base, ours, theirs, merged, read }: SemanticInput): Promise<string[]> {
  const found: string[] = [];
  for (const [path, blob] of merged.blobs) {
    const before = base.blobs.get(path);
    const isChanged = before === undefined || [ours, theirs].some((side) => side.blobs.get(path) !== before);
    if (!isChanged || !isScript(path)) continue;
    const head = ((await read(blob)) ?? "").split("\n", firstLines);
    if (head.some((line) => /^\s*(\/\/|\/\*)\s*@ts-nocheck\b/.test(line)))
      found.push(`${path} asks not to be checked (@ts-nocheck)`);
  }
  return found;
}
