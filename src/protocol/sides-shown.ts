// Both sides of a finding as lines of code, as the window and the terminal show them: what each side changed, where it is known what stood
// there before, and the names that are marked in both.

import type { Evidence, EvidenceChange, EvidenceHunk } from "./findings.ts";

export interface CodeLine {
  /** Undefined for a gap between two places. A removed line has its number in the ancestor. */
  readonly number: number | undefined;
  readonly text: string;
  readonly kind: "same" | "added" | "removed" | "gap";
}

export interface CodePart {
  readonly path: string;
  readonly lines: readonly CodeLine[];
}

/** By path, in the order of the lines; between pieces stands a gap. A file without known changes is shown as it is. */
export function partsOf(evidence: readonly Pick<Evidence, "ours" | "theirs" | "changes">[], which: "ours" | "theirs") {
  const hunks = evidence.flatMap((one) => one[which]);
  const changes = evidence.flatMap((one) => one.changes?.[which] ?? []);
  const paths = [...new Set([...changes, ...hunks].map(({ path }) => path))];
  return paths.map((path): CodePart => {
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

/** Names that stand in the sentence and in the code: the symbol, and its new name after a rename. */
export function marksOf({
  title,
  symbols,
  evidence,
}: {
  readonly title: string;
  readonly symbols: readonly string[];
  readonly evidence: readonly Pick<Evidence, "symbol">[];
}): string[] {
  const renamed = [...title.matchAll(/ renames \S+ \([^)]*\) to ([\w$.]+)/g)].map(([, name = ""]) => name);
  return [...symbols, ...evidence.flatMap(({ symbol }) => symbol ?? []), ...renamed];
}

/** The pattern that finds the names in a line. Undefined if none can stand in code. */
export function markPattern(marks: readonly string[]): RegExp | undefined {
  const words = [...new Set(marks.flatMap((mark) => mark.split(/[.#:\s]/)))].filter((word) =>
    /^[\w$-]{2,}$/.test(word),
  );
  const escaped = words.toSorted((a, b) => b.length - a.length).map((word) => word.replaceAll("$", "\\$&"));
  return escaped.length === 0 ? undefined : new RegExp(`(?<![\\w$])(${escaped.join("|")})(?![\\w$])`, "g");
}

/** A line in pieces, each a name that is marked or what stands between. */
export function markedPieces(text: string, pattern: RegExp | undefined): { text: string; isMarked: boolean }[] {
  if (pattern === undefined) return [{ text, isMarked: false }];
  return text.split(pattern).map((piece, at) => ({ text: piece, isMarked: at % 2 === 1 }));
}
