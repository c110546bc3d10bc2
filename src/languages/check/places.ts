// Lines of a tree as people are shown them.

import type { Place, ReadBlob, TreeView } from "../../ports/semantic.ts";

/** Lines shown of one definition. */
const shownLines = 20;

export async function textOf(read: ReadBlob, view: TreeView, path: string): Promise<string> {
  const blob = view.blobs.get(path);
  return blob === undefined ? "" : ((await read(blob)) ?? "");
}

export async function placeIn(
  read: ReadBlob,
  view: TreeView,
  { path, line, endLine = line }: { readonly path: string; readonly line: number; readonly endLine?: number },
): Promise<Place> {
  const lines = (await textOf(read, view, path)).split("\n");
  return { path, line, text: lines.slice(line - 1, Math.min(endLine, line + shownLines - 1)).join("\n") };
}
