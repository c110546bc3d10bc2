// Finds the errors that the merged tree has and neither side has by itself. Lines move between trees, so an error is known by what it says
// and by the text of its line; how often it is there counts too.

import type { ReadBlob, TreeView } from "../../ports/semantic.ts";
import type { CompilerError } from "./toolchain.ts";

/** An error with the text of the line it points at. */
export interface PlacedError extends CompilerError {
  readonly text: string;
}

/** Errors that point at a line the tree does not have are left out: they are of no use to anybody. */
export async function placed(
  errors: readonly CompilerError[],
  tree: TreeView,
  read: ReadBlob,
): Promise<readonly PlacedError[]> {
  const lines = new Map<string, readonly string[]>();
  const found: PlacedError[] = [];
  for (const error of errors) {
    const blob = tree.blobs.get(error.path);
    if (blob === undefined) continue;
    const known = lines.get(blob) ?? (await read(blob))?.split("\n") ?? [];
    lines.set(blob, known);
    const text = known[error.line - 1];
    if (text !== undefined) found.push({ ...error, text });
  }
  return found;
}

/** Those of the merge that are not among those of a side. A file that a side has elsewhere is met by its errors alone. */
export function without(
  merged: readonly PlacedError[],
  side: readonly PlacedError[],
  hasPath: (path: string) => boolean,
): readonly PlacedError[] {
  const here = counted(side.map((error) => `${error.path}\0${keyOf(error)}`));
  const anywhere = counted(side.map(keyOf));
  return merged.filter((error) => {
    const [counts, key] = hasPath(error.path) ? [here, `${error.path}\0${keyOf(error)}`] : [anywhere, keyOf(error)];
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Places inside a message move as lines do. */
function keyOf({ message, text }: PlacedError): string {
  return `${message.replaceAll(/:\d+(:\d+)?\b/g, "")}\0${text.trim()}`;
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
