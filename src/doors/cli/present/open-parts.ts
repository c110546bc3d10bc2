// What an answer does not rest on, for people: what is still being asked, and what could not be looked at.

import type { Output } from "../output.ts";
import { pathText } from "./hunks.ts";

interface Open {
  readonly why: string;
  readonly coming: boolean;
}

/** At most `most` lines, the heading included. */
export function openLines(open: readonly Open[], { paint }: Pick<Output, "paint">, most = 8): string[] {
  const coming = open.filter((one) => one.coming).map(({ why }) => paint.yellow(`Still open: ${pathText(why)}.`));
  const rest = open.filter((one) => !one.coming).map(({ why }) => pathText(why));
  if (rest.length === 0) return coming.slice(0, most);
  const room = Math.max(1, most - coming.length - 2);
  const shown = rest.slice(0, rest.length > room ? room : rest.length);
  const left = rest.length - shown.length;
  return [
    ...coming,
    paint.yellow("Not everything was looked at, so silence proves nothing:"),
    ...shown.map((why) => paint.dim(`  ${why}`)),
    ...(left > 0 ? [paint.dim(`  … and ${left} more`)] : []),
  ];
}
