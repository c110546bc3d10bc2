// A side's stored lines as code to show: with what stood there before, where that is known.

import { diffLines } from "diff";
import type { CodeLine } from "../parts/Pair.svelte";

export interface Hunk {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** By path, in the order of the lines; between hunks that do not touch stands a gap. */
export function partsOf(hunks: readonly Hunk[], before: readonly Hunk[] = []): { path: string; lines: CodeLine[] }[] {
  const paths = [...new Set(hunks.map(({ path }) => path))];
  return paths.map((path) => {
    const own = unique(hunks.filter((one) => one.path === path));
    const lines = own.flatMap((hunk, at): CodeLine[] => {
      const was = before.find((one) => one.path === path && overlaps(one, hunk));
      const gap: CodeLine[] = at === 0 ? [] : [{ number: undefined, text: "", kind: "gap" }];
      return [...gap, ...(was === undefined ? plain(hunk) : changed(was, hunk))];
    });
    return { path, lines };
  });
}

function unique(hunks: readonly Hunk[]): Hunk[] {
  const byPlace = new Map(hunks.map((hunk) => [`${hunk.line}\n${hunk.text}`, hunk]));
  return [...byPlace.values()].toSorted((a, b) => a.line - b.line);
}

const length = ({ text }: Hunk): number => text.split("\n").length;
const overlaps = (a: Hunk, b: Hunk): boolean => a.line < b.line + length(b) + 3 && b.line < a.line + length(a) + 3;

function plain({ line, text }: Hunk): CodeLine[] {
  return text.split("\n").map((one, at) => ({ number: line + at, text: one, kind: "same" as const }));
}

function changed(was: Hunk, is: Hunk): CodeLine[] {
  let number = is.line;
  let old = was.line;
  return diffLines(`${was.text}\n`, `${is.text}\n`).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, "")
      .split("\n")
      .map((text): CodeLine => {
        if (removed) return { number: old++, text, kind: "removed" };
        if (!added) old += 1;
        return { number: number++, text, kind: added ? "added" : "same" };
      }),
  );
}
