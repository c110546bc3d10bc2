// Two sides' lines for people: side by side where the terminal is wide enough, one above the other where it is not. Control
// characters are shown, never obeyed: the lines are what agents wrote.

import { counted } from "../../../protocol/counted.ts";
import type { EvidenceHunk } from "../../../protocol/findings.ts";
import { type Paint, unbounded } from "./output.ts";
import { cut, oneLine, width } from "./table.ts";

export interface HunkOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** More lines than this of one hunk are left out, and counted. */
  readonly maxLines: number;
}

export interface HunkSide {
  readonly label: string;
  readonly hunks: readonly EvidenceHunk[];
}

/** Below this many columns a side would be too narrow to read code in. */
const sideBySideFrom = 100;
export const between = " │ ";

export const isWide = (columns: number): boolean => columns >= sideBySideFrom && columns < unbounded / 2;

export function hunks(left: HunkSide, right: HunkSide, options: HunkOptions): string[] {
  if (left.hunks.length + right.hunks.length === 0) return [];
  if (!isWide(options.columns) || left.hunks.length === 0 || right.hunks.length === 0) {
    return [...stacked(left, options), ...stacked(right, options)];
  }
  const room = Math.floor((options.columns - width(between)) / 2);
  const rows: string[] = [];
  for (let index = 0; index < Math.max(left.hunks.length, right.hunks.length); index++) {
    const columns = [left, right].map(({ label, hunks: all }) => {
      const hunk = all[index];
      return hunk === undefined ? [] : block(label, hunk, options.maxLines);
    });
    for (let at = 0; at < Math.max(...columns.map((one) => one.length)); at++) {
      const [one = "", other = ""] = columns.map((lines) => cut(lines[at] ?? "", room));
      const style = at === 0 ? options.paint.cyan : (text: string): string => text;
      const space = " ".repeat(Math.max(0, room - width(one)));
      rows.push(`${style(one)}${space}${options.paint.dim(between)}${style(other)}`.trimEnd());
    }
  }
  return rows;
}

function stacked({ label, hunks: all }: HunkSide, { columns, paint, maxLines }: HunkOptions): string[] {
  return all.flatMap((hunk) => {
    const [head = "", ...lines] = block(label, hunk, maxLines);
    return [paint.cyan(cut(head, columns)), ...lines.map((line) => cut(line, columns))];
  });
}

function block(label: string, hunk: EvidenceHunk, maxLines: number): string[] {
  const lines = hunk.text === "" ? [] : hunk.text.split("\n");
  const digits = String(hunk.line + lines.length).length;
  const numbered = lines
    .slice(0, maxLines)
    .map((line, at) => `${String(hunk.line + at).padStart(digits)}  ${oneLine(line.replaceAll("\t", "  "))}`);
  const left = lines.length - numbered.length;
  if (lines.length === 0) numbered.push(`${" ".repeat(digits)}  (nothing)`);
  if (left > 0) numbered.push(`${" ".repeat(digits)}  … ${counted(left, "more line")}`);
  return [`${oneLine(label)}  ${pathText(hunk.path)}:${hunk.line}`, ...numbered];
}

/** A name that is not UTF-8 is shown by its bytes. */
export function pathText(path: string): string {
  return oneLine(path.replaceAll(/[\udc80-\udcff]/gu, (odd) => `\\x${(odd.charCodeAt(0) - 0xdc00).toString(16)}`));
}
