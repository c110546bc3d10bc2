// Findings for people: a block each, with severity and title, files, some lines of both sides, and what to do.

import { counted } from "../../../protocol/counted.ts";
import type { Evidence, FindingDraft, PairSide, Severity } from "../../../protocol/findings.ts";
import type { Paint } from "./output.ts";
import { hunks, pathText } from "./hunks.ts";
import { namesOf, renamed } from "./names.ts";

export interface FindingOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** All evidence and longer pieces of it, instead of a first impression. */
  readonly explain: boolean;
}

export function findingBlocks(
  findings: readonly FindingDraft[],
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
  options: FindingOptions,
): string[] {
  const labels = [sides.ours.label, sides.theirs.label];
  const name = namesOf(labels);
  const named = {
    ours: { ...sides.ours, label: name(sides.ours.label) },
    theirs: { ...sides.theirs, label: name(sides.theirs.label) },
  };
  const said = (text: string): string => renamed(text, labels, name);
  return findings.flatMap((finding) => ["", ...blockOf(finding, named, options, said)]);
}

const briefPieces = 2;
const briefLines = 6;

function blockOf(
  finding: FindingDraft,
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
  { columns, paint, explain }: FindingOptions,
  said: (text: string) => string,
): string[] {
  const files = finding.files.length > 6 && !explain ? finding.files.slice(0, 5) : finding.files;
  const more = finding.files.length - files.length;
  const pieces = explain ? finding.evidence : finding.evidence.slice(0, briefPieces);
  const leftOut = finding.evidence.length - pieces.length;
  const room = { columns: columns - 2, paint, maxLines: explain ? 40 : briefLines };
  const shown = pieces.flatMap((piece) => evidenceLines(piece, sides, room, explain ? said : undefined));
  return [
    `${tag(finding.severity, paint)} ${paint.bold(finding.kind)}  ${pathText(said(finding.title))}`,
    `  files: ${files.map(pathText).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...shown.map((line) => `  ${line}`.trimEnd()),
    ...(leftOut > 0 ? [paint.dim(`  … ${counted(leftOut, "more place")}: --explain shows all`)] : []),
    `  ${paint.green("→")} ${pathText(said(finding.action))}`,
  ];
}

function evidenceLines(
  piece: Evidence,
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
  room: Parameters<typeof hunks>[2],
  /** Set where all is shown. */
  said: ((text: string) => string) | undefined,
): string[] {
  const lines = hunks(
    { label: sides.ours.label, hunks: piece.ours },
    { label: sides.theirs.label, hunks: piece.theirs },
    room,
  );
  return said !== undefined && piece.message !== "" ? [...pathText(said(piece.message)).split("⏎"), ...lines] : lines;
}

export function tag(severity: Severity, paint: Paint): string {
  const style = { high: paint.red, medium: paint.yellow, low: paint.cyan, context: paint.dim }[severity];
  return style(severity.toUpperCase());
}
