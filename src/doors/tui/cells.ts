// A screen as cells, and what must be written so that a terminal that shows one shows another. Pure. Every text comes in through `line`, where what acts on a
// terminal is shown as its number: nothing that an agent wrote can leave its place. A wide letter has two cells, of which the second is empty.

import { forTerminal } from "../../protocol/safe-text.ts";

export type Style = "plain" | "bold" | "dim" | "red" | "green" | "yellow" | "blue" | "chosen";

const codes: Readonly<Record<Style, string>> = {
  plain: "0",
  bold: "0;1",
  dim: "0;2",
  red: "0;31",
  green: "0;32",
  yellow: "0;33",
  blue: "0;34",
  chosen: "0;7",
};

interface Cell {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Cell[];

/** A part of a line: plain text, or text with a style. */
export type Part = string | readonly [style: Style, text: string];

const letters = new Intl.Segmenter("en", { granularity: "grapheme" });
const blank: Cell = { text: " ", style: "plain" };

/** Exactly `columns` cells: what is longer is cut with …, what is shorter is filled with blanks. */
export function line(parts: readonly Part[], columns: number, style?: Style): Line {
  if (columns <= 0) return [];
  const cells = parts.flatMap((part) =>
    typeof part === "string" ? asCells(part, style) : asCells(part[1], style ?? part[0]),
  );
  const fill = style === undefined ? blank : { text: " ", style };
  if (cells.length <= columns) return [...cells, ...Array.from({ length: columns - cells.length }, () => fill)];
  // A wide letter whose second half would be cut off goes whole.
  const end = cells[columns - 1]?.text === "" ? columns - 2 : columns - 1;
  const cut = [...cells.slice(0, end), { text: "…", style: cells[end]?.style ?? "plain" }];
  return [...cut, ...Array.from({ length: columns - cut.length }, () => fill)];
}

/** `left` to the left and `right` to the right, which gets half of the row at most. */
export function spread(left: readonly Part[], right: string, columns: number, style?: Style): Line {
  const width = Math.min(asCells(right).length, Math.floor(columns / 2));
  const tail = line([["dim", right]], width, style);
  return [...line(left, columns - width - 1, style), ...line([], 1, style), ...tail];
}

function asCells(text: string, style: Style = "plain"): Cell[] {
  const safe = forTerminal(text.slice(0, longest).toWellFormed()).replaceAll(/[\n\t]+/g, " ");
  const cells: Cell[] = [];
  for (const { segment } of letters.segment(safe)) {
    const letter = plainLetter(segment);
    const width = Bun.stringWidth(letter);
    if (width === 0) continue;
    cells.push({ text: letter, style });
    if (width > 1) cells.push({ text: "", style });
  }
  return cells;
}

/** No row shows more of a text; an agent may write a line of a megabyte. */
const longest = 2_000;

/** The first letter with at most two marks: terminals do not agree on how wide joined ones are, and a pile of marks is drawn outside of its row. */
function plainLetter(segment: string): string {
  if (segment.length === 1) return segment;
  const [first = "", ...rest] = segment;
  return (
    first +
    rest
      .filter((one) => /^(?![\ufe00-\ufe0f])\p{Mn}$/u.test(one))
      .slice(0, 2)
      .join("")
  );
}

/** The bytes that turn what is shown into what is wanted; empty when nothing differs. */
export function difference(shown: readonly Line[], wanted: readonly Line[]): string {
  const { before, moved } = scrolled(shown, wanted);
  const runs = wanted.flatMap((row, at) => rowDifference(before[at], row, at));
  return runs.length === 0 && moved === "" ? "" : `${moved}${runs.join("")}\u001b[0m`;
}

/** So many equal cells between two that differ cost as much as another move of the cursor. */
const worthAMove = 8;

function rowDifference(before: Line | undefined, wanted: Line, row: number): string[] {
  const runs: [from: number, to: number][] = [];
  for (const [at, cell] of wanted.entries()) {
    if (isSame(before?.[at], cell)) continue;
    const last = runs.at(-1);
    if (last !== undefined && at - last[1] <= worthAMove) last[1] = at;
    else runs.push([at, at]);
  }
  return runs.map(([first, last]) => {
    // Half of a wide letter cannot be written.
    const from = wanted[first]?.text === "" ? first - 1 : first;
    return `\u001b[${row + 1};${from + 1}H${painted(wanted.slice(from, last + 1))}`;
  });
}

function painted(cells: Line): string {
  let style: Style | undefined;
  let text = "";
  for (const cell of cells) {
    if (cell.style !== style) text += `\u001b[${codes[cell.style]}m`;
    style = cell.style;
    text += cell.text;
  }
  return text;
}

const isSame = (a: Cell | undefined, b: Cell): boolean => a !== undefined && a.text === b.text && a.style === b.style;
const isSameLine = (a: Line | undefined, b: Line | undefined): boolean =>
  a !== undefined && b !== undefined && a.length === b.length && a.every((cell, at) => isSame(cell, b[at] ?? blank));

/** A row that came or went moves those below it: the terminal can move them itself, in a few bytes. */
function scrolled(shown: readonly Line[], wanted: readonly Line[]): { before: readonly Line[]; moved: string } {
  const top = wanted.findIndex((row, at) => !isSameLine(shown[at], row));
  const bottom = wanted.findLastIndex((row, at) => !isSameLine(shown[at], row));
  if (top === -1 || bottom - top < 2 || shown.length !== wanted.length) return { before: shown, moved: "" };
  const columns = wanted[top]?.length ?? 0;
  const empty = line([], columns);
  const within = (what: string): string =>
    `\u001b[${top + 1};${bottom + 1}r\u001b[${top + 1};1H\u001b[0m${what}\u001b[r`;
  const inserted = [...shown.slice(0, top), empty, ...shown.slice(top, bottom), ...shown.slice(bottom + 1)];
  const removed = [...shown.slice(0, top), ...shown.slice(top + 1, bottom + 1), empty, ...shown.slice(bottom + 1)];
  const cost = (from: readonly Line[]): number => wanted.filter((row, at) => !isSameLine(from[at], row)).length;
  const [plain, withInsert, withRemoval] = [cost(shown), cost(inserted), cost(removed)];
  if (withInsert < plain - 1 && withInsert <= withRemoval) return { before: inserted, moved: within("\u001b[L") };
  if (withRemoval < plain - 1) return { before: removed, moved: within("\u001b[M") };
  return { before: shown, moved: "" };
}
