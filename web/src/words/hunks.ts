// A side's stored lines as code to show: as lines of a diff, where it is known what stood there before.

import type { EvidenceChange, EvidenceHunk } from "../../../src/protocol/findings.ts";
import type { CodeLine } from "../parts/Pair.svelte";

/** By path, in the order of the lines; between pieces stands a gap. A file without known changes is shown as it is. */
export function partsOf(
  hunks: readonly EvidenceHunk[],
  changes: readonly EvidenceChange[],
): { path: string; lines: CodeLine[] }[] {
  const paths = [...new Set([...changes, ...hunks].map(({ path }) => path))];
  return paths.map((path) => {
    const changed = changes.filter((one) => one.path === path);
    const pieces =
      changed.length > 0 ? changed.map(asDiff) : unique(hunks.filter((one) => one.path === path)).map(plain);
    const lines = pieces.flatMap((piece, at): CodeLine[] => [...(at === 0 ? [] : [gap]), ...piece]);
    return { path, lines };
  });
}

const gap: CodeLine = { number: undefined, text: "", kind: "gap" };
const kinds = { " ": "same", "+": "added", "-": "removed" } as const;

function asDiff({ line, before_line: beforeLine, text }: EvidenceChange): CodeLine[] {
  let [now, before] = [line, beforeLine];
  return text.split("\n").map((one): CodeLine => {
    const kind = kinds[one.slice(0, 1) as keyof typeof kinds] ?? "same";
    const number = kind === "removed" ? before : now;
    if (kind !== "added") before++;
    if (kind !== "removed") now++;
    return { number, text: one.slice(1), kind };
  });
}

function unique(hunks: readonly EvidenceHunk[]): EvidenceHunk[] {
  const byPlace = new Map(hunks.map((hunk) => [`${hunk.line}\n${hunk.text}`, hunk]));
  return [...byPlace.values()].toSorted((a, b) => a.line - b.line);
}

function plain({ line, text }: EvidenceHunk): CodeLine[] {
  return text.split("\n").map((one, at) => ({ number: line + at, text: one, kind: "same" as const }));
}
