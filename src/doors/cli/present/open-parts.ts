// Tells people what an answer does not cover: what is still being asked, what could not be looked at, and what nobody was asked.

import { counted } from "../../../protocol/counted.ts";
import type { Output } from "./output.ts";
import { foldedWithin } from "./fold.ts";
import { pathText } from "./hunks.ts";

interface Open {
  readonly why: string;
  readonly coming: boolean;
}

type Screen = Pick<Output, "columns" | "paint">;

/** A reason is folded into so many lines before its end is cut. */
const mostOfReason = 3;

function reasonLines(text: string, { columns }: Screen, indent: string, most: number): string[] {
  return foldedWithin(most === Infinity ? Infinity : mostOfReason, text, columns, indent);
}

/** At most `most` reasons, the heading counted as one. */
export function openLines(open: readonly Open[], screen: Screen, most = 8): string[] {
  const { paint } = screen;
  const coming = open.filter((one) => one.coming).map(({ why }) => `Incomplete: ${pathText(why)}.`);
  const rest = open.filter((one) => !one.coming).map(({ why }) => pathText(why));
  const first = coming.slice(0, most).flatMap((why) => reasonLines(why, screen, "  ", most).map(paint.yellow));
  if (rest.length === 0) return first;
  const room = Math.max(1, most - coming.length - 2);
  const shown = rest.slice(0, rest.length > room ? room : rest.length);
  const left = rest.length - shown.length;
  return [
    ...first,
    paint.yellow("Not everything was checked, so there may be collisions that are not listed:"),
    ...shown.flatMap((why) => reasonLines(`  ${why}`, screen, "    ", most).map(paint.dim)),
    ...(left > 0 ? [paint.dim(`  … and ${left} more`)] : []),
  ];
}

interface Note {
  readonly why: string;
  /** In so many pairs; without, it is told of one that is named. */
  readonly pairs?: number;
}

/** Lists what nobody was asked, at most `most` reasons. */
export function unaskedLines(notes: readonly Note[], screen: Screen, most = 4): string[] {
  const { paint } = screen;
  const shown = notes.slice(0, notes.length > most ? most - 1 : most);
  const left = notes.length - shown.length;
  const lines = shown.flatMap((note) => reasonLines(unaskedText(note), screen, "  ", most).map(paint.yellow));
  return left > 0 ? [...lines, paint.yellow(`… and ${left} more`)] : lines;
}

export function unaskedText({ why, pairs }: Note): string {
  return pathText(`Incomplete: ${pairs === undefined ? why : `${why} (in ${counted(pairs, "pair")})`}`);
}
