// A request to change files, in the form that the rules read: every path in a line of its own, so that none is judged by another's.

import type { AskedOverPipe } from "../../../ports/driver.ts";

export function askedForFiles(paths: readonly string[]): Omit<AskedOverPipe, "cwd"> {
  // A name with a line break would read as two lines, and its first half as a file that may be changed.
  const isPlain = paths.every((path) => !/[\r\n]/.test(path));
  const patch = isPlain ? paths.map((path) => `*** Update File: ${path}`).join("\n") : "";
  return { tool: "apply_patch", input: { input: patch } };
}
