// A table for people that fits the terminal: columns as wide as they need, the widest ones cut with an ellipsis when the
// line would not fit. Control characters are shown, never obeyed, because cells hold what agents wrote.

import { forTerminal } from "../../../protocol/safe-text.ts";
import type { Paint } from "./output.ts";

export interface TableOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** Right-aligned columns, by index. */
  readonly right?: ReadonlySet<number>;
  /** Columns whose cells are cut in the middle, by index: paths and branches, whose ends tell them apart. */
  readonly middle?: ReadonlySet<number>;
  /** Columns that are cut only when nothing else is left to cut, by index. */
  readonly whole?: ReadonlySet<number>;
}

const gap = 2;
const between = " ".repeat(gap);
const narrowest = 4;
/** A column of fewer characters than this says little. */
const readable = 8;

export function table(head: readonly string[], rows: readonly (readonly string[])[], options: TableOptions): string {
  // In counted loops, and a row of plain characters by what strings do themselves: a list of a thousand tasks is printed before any of this
  // would be compiled.
  const count = head.length;
  const wanted = head.map(width);
  /** Of a row that is not plain: as it is shown, and how wide each cell is. */
  const others: (Measured | undefined)[] = [];
  for (const row of rows) {
    const other = plain.test(row.join("")) ? undefined : measured(row, count);
    others.push(other);
    for (let index = 0; index < count; index++) {
      const size = other === undefined ? (row[index] ?? "").length : (other.sizes[index] ?? 0);
      if (size > (wanted[index] ?? 0)) wanted[index] = size;
    }
  }
  const widths = fit(wanted, options.columns, options.whole);
  const isRight = head.map((_, index) => options.right?.has(index) === true);
  const cell = (text: string, size: number, index: number, style = same): string => {
    const room = widths[index] ?? 0;
    const isCut = size > room;
    const shown = !isCut ? text : options.middle?.has(index) === true ? middleCut(text, room) : cut(text, room);
    const space = " ".repeat(Math.max(0, room - (isCut ? width(shown) : size)));
    return isRight[index] === true ? space + style(shown) : style(shown) + space;
  };
  const plainLine = (row: readonly string[]): string => {
    let line = "";
    for (let index = 0; index < count; index++) {
      const text = row[index] ?? "";
      const room = widths[index] ?? 0;
      if (index > 0) line += between;
      if (text.length > room) line += cell(text, text.length, index);
      else line += isRight[index] === true ? text.padStart(room) : text.padEnd(room);
    }
    return line;
  };
  const titles = head.map((title, index) => cell(title, width(title), index, options.paint.bold));
  const lines = [titles.join(between).trimEnd()];
  for (let at = 0; at < rows.length; at++) {
    const other = others[at];
    const line =
      other === undefined
        ? plainLine(rows[at] ?? [])
        : other.texts.map((text, index) => cell(text, other.sizes[index] ?? 0, index)).join(between);
    lines.push(line.trimEnd());
  }
  return lines.join("\n");
}

interface Measured {
  readonly texts: readonly string[];
  readonly sizes: readonly number[];
}

function measured(row: readonly string[], count: number): Measured {
  const texts = Array.from({ length: count }, (_, index) => oneLine(row[index] ?? ""));
  return { texts, sizes: texts.map(width) };
}

const same = (text: string): string => text;

/** One line of characters that are one column wide each, as most rows are. */
const plain = /^[ -~]*$/;

/** Tells whether this many columns would be cut to stumps: then a block per row reads better. */
export function isCramped(head: readonly string[], rows: readonly (readonly string[])[], columns: number): boolean {
  const needed = head.map((title, index) =>
    Math.min(readable, Math.max(width(title), ...rows.map((row) => width(row[index] ?? "")))),
  );
  return needed.reduce((sum, one) => sum + one, 0) + gap * (head.length - 1) > columns;
}

/** A block per row, a line per column. */
export function blocks(head: readonly string[], rows: readonly (readonly string[])[], options: TableOptions): string {
  const left = Math.max(...head.map(width));
  return rows
    .map((row) =>
      head
        .map(
          (title, index) =>
            `${options.paint.bold(title)}${" ".repeat(left - width(title) + gap)}${oneLine(row[index] ?? "")}`,
        )
        .join("\n"),
    )
    .join("\n\n");
}

/** Takes from the widest columns until the line fits; from those that should stay whole only in the end. */
function fit(wanted: readonly number[], columns: number, whole: ReadonlySet<number> = new Set()): number[] {
  const widths = [...wanted];
  let excess = gap * (widths.length - 1) - columns;
  for (const one of widths) excess += one;
  const take = (from: readonly number[], least: number): void => {
    while (excess > 0) {
      const widest = Math.max(0, ...from.map((at) => widths[at] ?? 0));
      if (widest <= least) return;
      const at = from.find((one) => widths[one] === widest) ?? 0;
      widths[at] = widest - 1;
      excess -= 1;
    }
  };
  const all = [...widths.keys()];
  take(
    all.filter((at) => !whole.has(at)),
    readable,
  );
  take(all, narrowest);
  return widths;
}

export function oneLine(text: string): string {
  return forTerminal(text).replaceAll("\n", "⏎").replaceAll("\t", " ");
}

export function cut(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  let kept = "";
  for (const character of text) {
    if (width(kept + character) > limit - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Begin and end stay: of `feature/2026/billing-rounding` and its like, both tell something. */
export function middleCut(text: string, limit: number): string {
  if (width(text) <= limit) return text;
  const characters = [...text];
  const room = limit - 1;
  let [head, tail] = ["", ""];
  for (let [from, to] = [0, characters.length - 1]; from <= to;) {
    const isTailsTurn = width(tail) <= width(head);
    const next = (isTailsTurn ? characters[to] : characters[from]) ?? "";
    if (width(head) + width(tail) + width(next) > room) break;
    if (isTailsTurn) [tail, to] = [next + tail, to - 1];
    else [head, from] = [head + next, from + 1];
  }
  return `${head}…${tail}`;
}

export function width(text: string): number {
  return Bun.stringWidth(text);
}
