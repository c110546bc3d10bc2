// Tells people what an answer does not cover: what is still being asked, what could not be looked at, and what nobody was asked.

import { counted } from "../../../protocol/counted.ts";
import type { Output } from "./output.ts";
import { pathText } from "./hunks.ts";

interface Open {
  readonly why: string;
  readonly coming: boolean;
}

/** At most `most` lines, the heading included. */
export function openLines(open: readonly Open[], { paint }: Pick<Output, "paint">, most = 8): string[] {
  const coming = open.filter((one) => one.coming).map(({ why }) => paint.yellow(`Incomplete: ${pathText(why)}.`));
  const rest = open.filter((one) => !one.coming).map(({ why }) => pathText(why));
  if (rest.length === 0) return coming.slice(0, most);
  const room = Math.max(1, most - coming.length - 2);
  const shown = rest.slice(0, rest.length > room ? room : rest.length);
  const left = rest.length - shown.length;
  return [
    ...coming,
    paint.yellow("Not everything was checked, so there may be collisions that are not listed:"),
    ...shown.map((why) => paint.dim(`  ${why}`)),
    ...(left > 0 ? [paint.dim(`  … and ${left} more`)] : []),
  ];
}

interface Note {
  readonly why: string;
  /** In so many pairs; without, it is told of one that is named. */
  readonly pairs?: number;
}

/** Lists what nobody was asked. At most `most` lines. */
export function unaskedLines(notes: readonly Note[], { paint }: Pick<Output, "paint">, most = 4): string[] {
  const shown = notes.slice(0, notes.length > most ? most - 1 : most).map((note) => paint.yellow(unaskedText(note)));
  const left = notes.length - shown.length;
  return left > 0 ? [...shown, paint.yellow(`… and ${left} more`)] : shown;
}

export function unaskedText({ why, pairs }: Note): string {
  return pathText(`Incomplete: ${pairs === undefined ? why : `${why} (in ${counted(pairs, "pair")})`}`);
}
