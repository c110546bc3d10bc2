// What each side changed around the lines that a finding shows, with what stood in the common ancestor: a few lines of a diff, for
// people to read side by side. A side that has nothing left to show is shown by what it took away.

import { diffArrays } from "diff";
import type { EvidenceChange, EvidenceHunk } from "../../protocol/findings.ts";
import type { Side } from "../../ports/semantic.ts";
import { cutLine, type PairFinding } from "./pair-finding.ts";
import type { SideTexts } from "./side-texts.ts";

/** Lines of context above and below. */
const around = 2;
/**
 * Later pieces of a finding say the same of other lines, and nobody reads so many. A diff costs the square of its edits: 300 are some
 * 20 ms of processor time, 4,000 were a minute.
 */
const most = { evidence: 12, lines: 60, fileLines: 20_000, edits: 300 };

interface Line {
  readonly kind: " " | "+" | "-";
  readonly text: string;
  /** From 1, in the file before and now; for a line that one of them lacks, where it would stand. */
  readonly before: number;
  readonly now: number;
}

interface Range {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** The piece of evidence that shows it first. */
  readonly by: number;
}

export async function withChanges(finding: PairFinding, texts: SideTexts): Promise<PairFinding> {
  const [ours, theirs] = await Promise.all([changesOf("ours", finding, texts), changesOf("theirs", finding, texts)]);
  const evidence = finding.evidence.map((one, at) => {
    const [our, their] = [ours, theirs].map((all) => all.flatMap(({ by, change }) => (by === at ? [change] : [])));
    return our?.length === 0 && their?.length === 0
      ? one
      : { ...one, changes: { ours: our ?? [], theirs: their ?? [] } };
  });
  return { ...finding, evidence };
}

async function changesOf(side: Side, { evidence }: PairFinding, texts: SideTexts) {
  const other = side === "ours" ? "theirs" : "ours";
  const files = new Map<string, Promise<readonly Line[] | undefined>>();
  const linesOf = (path: string): Promise<readonly Line[] | undefined> => {
    const known = files.get(path) ?? compare(side, path, texts);
    files.set(path, known);
    return known;
  };
  const ranges: Range[] = [];
  for (const [by, one] of evidence.slice(0, most.evidence).entries()) {
    for (const hunk of one[side]) {
      const range = rangeOf((await linesOf(hunk.path)) ?? [], "now", hunk);
      if (range !== undefined) ranges.push({ ...range, path: hunk.path, by });
    }
    if (one[side].length > 0) continue;
    // It shows nothing of its own: the lines that the other still has, where this side has changed them.
    for (const hunk of one[other]) {
      const base = await texts.find("base", hunk);
      if (base === undefined) continue;
      const path = texts.nameOn(side, base.path);
      const lines = (await linesOf(path)) ?? [];
      const range = rangeOf(lines, "before", base, 0);
      if (range === undefined || lines.slice(range.from, range.to).every(({ kind }) => kind === " ")) continue;
      ranges.push({ ...(rangeOf(lines, "before", base) ?? range), path, by });
    }
  }
  const changes: { by: number; change: EvidenceChange }[] = [];
  for (const { path, from, to, by } of joined(ranges)) {
    const lines = ((await linesOf(path)) ?? []).slice(from, to);
    const [first] = lines;
    if (first === undefined) continue;
    const text = lines.slice(0, most.lines).map(({ kind, text: line }) => `${kind}${cutLine(line)}`);
    changes.push({ by, change: { path, line: first.now, before_line: first.before, text: text.join("\n") } });
  }
  return changes;
}

/** The file as a diff of all its lines. Undefined when it is too large, or too much of it changed, to be read so. */
async function compare(side: Side, path: string, texts: SideTexts): Promise<readonly Line[] | undefined> {
  const [before = [], now = []] = await Promise.all([
    texts.lines("base", texts.nameInBase(side, path)),
    texts.lines(side, path),
  ]);
  if (before.length > most.fileLines || now.length > most.fileLines) return undefined;
  const [old, own] = [withoutEnd(before), withoutEnd(now)];
  const parts =
    old.length === 0 || own.length === 0
      ? [
          { value: old, added: false, removed: true },
          { value: own, added: true, removed: false },
        ]
      : diffArrays(old, own, { maxEditLength: most.edits });
  const lines: Line[] = [];
  let at = { before: 1, now: 1 };
  for (const { value, added, removed } of parts ?? [])
    for (const text of value) {
      lines.push({ kind: added ? "+" : removed ? "-" : " ", text, ...at });
      at = { before: at.before + (added ? 0 : 1), now: at.now + (removed ? 0 : 1) };
    }
  return parts === undefined ? undefined : lines;
}

/** A text that ends with its last line's end has no empty line after it. */
const withoutEnd = (lines: readonly string[]): string[] => (lines.at(-1) === "" ? lines.slice(0, -1) : [...lines]);

/** Where the lines of a hunk stand in the diff, with what was taken away beside them. */
function rangeOf(
  lines: readonly Line[],
  which: "before" | "now",
  { line, text }: Pick<EvidenceHunk, "line" | "text">,
  context = around,
): { from: number; to: number } | undefined {
  const end = line + text.split("\n").length;
  const lacks = which === "now" ? "-" : "+";
  const from = lines.findIndex((one) => one[which] >= line);
  if (from < 0) return undefined;
  let to = from;
  while (to < lines.length && ((lines[to]?.[which] ?? 0) < end || lines[to]?.kind === lacks) && to - from < most.lines)
    to++;
  return { from: Math.max(0, from - context), to: Math.min(lines.length, to + context) };
}

/** Ranges of one file that touch become one, shown where the first of them is. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const range of ranges.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.from - b.from))) {
    const last = all.at(-1);
    if (last === undefined || last.path !== range.path || last.to < range.from) all.push(range);
    else all[all.length - 1] = { ...last, to: Math.max(last.to, range.to), by: Math.min(last.by, range.by) };
  }
  return all;
}
