// Patterns of paths that bring in whatever fits (`import.meta.glob("./pages/*.ts")`). A file that one side takes away or moves no longer comes, and
// whether it is missed only the program knows: a new pattern that found it is named as a doubt.

import type { Side, UnsureUse } from "../../../ports/semantic.ts";
import type { Scene } from "./explain.ts";

export function emptiedGlobs({ base, merged, sides, changed }: Scene, path: string): UnsureUse[] {
  const before = new Set(globsIn(base, path).map(({ specifier }) => specifier));
  return globsIn(merged, path).flatMap(({ specifier, line }) => {
    if (before.has(specifier)) return [];
    const side: Side = globsIn(sides.ours, path).some((one) => one.specifier === specifier) ? "ours" : "theirs";
    const glob = new Bun.Glob(joined(path, specifier));
    const lost = [...changed[side === "ours" ? "theirs" : "ours"]].find(
      (one) => glob.match(one) && sides[side].tree.blobs.has(one) && !merged.tree.blobs.has(one),
    );
    const because = "the pattern no longer finds that file";
    return lost === undefined ? [] : [{ side, path, line, symbol: specifier, definition: lost, because }];
  });
}

function globsIn(program: Scene["base"], path: string): { readonly specifier: string; readonly line: number }[] {
  return (program.file(path)?.summary.mentions ?? []).filter(({ how }) => how === "glob");
}

/** A pattern beside a file, from the root; one that begins with a slash is from there already. */
function joined(from: string, pattern: string): string {
  if (pattern.startsWith("/")) return pattern.slice(1);
  const parts = from.split("/").slice(0, -1);
  for (const part of pattern.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
