// The lines of a diff, for a terminal.

import type { OutputOf } from "../../../protocol/operation.ts";
import type { operations } from "../../../protocol/operations/all.ts";
import type { Paint } from "./output.ts";

export type DiffFile = OutputOf<(typeof operations)["task.diff"]>["workspaces"][number]["files"][number];

export function statOf({ path, old_path, added, removed, binary, change }: DiffFile, paint: Paint): string {
  const name = old_path === null ? path : `${old_path} → ${path}`;
  const count = binary ? "binary" : `${paint.green(`+${added}`)} ${paint.red(`-${removed}`)}`;
  return `  ${name}  ${count}${change === "changed" ? "" : `  ${change}`}`;
}

export function linesOf(file: DiffFile, paint: Paint): string[] {
  const hunks = file.hunks.flatMap(({ heading, lines }) => [
    paint.cyan(`  @@ ${heading}`.trimEnd()),
    ...lines.map(({ kind, text, before, after }) => {
      const line = `${String(after ?? before).padStart(6)} ${kind === "added" ? "+" : kind === "removed" ? "-" : " "} ${text}`;
      return kind === "added" ? paint.green(line) : kind === "removed" ? paint.red(line) : line;
    }),
  ]);
  return [statOf(file, paint), ...hunks, ...(file.cut ? ["  … the rest is cut"] : [])];
}
