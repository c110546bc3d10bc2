// Findings for people: a block each, with severity and title, files, some lines of both sides, and what to do.

import { counted } from "../../../protocol/counted.ts";
import type { Evidence, FindingDraft, PairSide, Severity } from "../../../protocol/findings.ts";
import type { Paint } from "./output.ts";
import { bothSides } from "./both-sides.ts";
import { hunks, pathText } from "./hunks.ts";
import { namesOf, renamed } from "./names.ts";

export interface FindingOptions {
  readonly columns: number;
  readonly paint: Paint;
  /** Everything that is said of it, and what each side changed, instead of a first impression. */
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
const mostSentences = 40;

function blockOf(
  finding: FindingDraft,
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
  { columns, paint, explain }: FindingOptions,
  said: (text: string) => string,
): string[] {
  const files = finding.files.length > 6 && !explain ? finding.files.slice(0, 5) : finding.files;
  const more = finding.files.length - files.length;
  const leftOut = explain ? 0 : Math.max(0, finding.evidence.length - briefPieces);
  const room = { columns: columns - 2, paint, maxLines: briefLines };
  const shown = explain
    ? [...saidOf(finding.evidence, said), ...bothSides(finding, labelsOf(sides), room)]
    : finding.evidence.slice(0, briefPieces).flatMap((piece) => evidenceLines(piece, sides, room));
  return [
    `${tag(finding.severity, paint)} ${paint.bold(finding.kind)}  ${pathText(said(finding.title))}`,
    `  files: ${files.map(pathText).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    ...shown.map((line) => `  ${line}`.trimEnd()),
    ...(leftOut > 0 ? [paint.dim(`  … ${counted(leftOut, "more place")}: --explain shows all`)] : []),
    `  ${paint.green("→")} ${pathText(said(finding.action))}`,
  ];
}

const labelsOf = ({ ours, theirs }: { readonly ours: PairSide; readonly theirs: PairSide }) => ({
  ours: ours.label,
  theirs: theirs.label,
});

/** The sentences of the evidence, once each. */
function saidOf(evidence: readonly Evidence[], said: (text: string) => string): string[] {
  const messages = [...new Set(evidence.map(({ message }) => message))].filter((one) => one !== "");
  const left = messages.length - mostSentences;
  return [
    ...messages.slice(0, mostSentences).flatMap((one) => pathText(said(one)).split("⏎")),
    ...(left > 0 ? [`… ${counted(left, "more sentence")}: --json has them`] : []),
  ];
}

function evidenceLines(
  piece: Evidence,
  { ours, theirs }: { readonly ours: PairSide; readonly theirs: PairSide },
  room: Parameters<typeof hunks>[2],
): string[] {
  return hunks({ label: ours.label, hunks: piece.ours }, { label: theirs.label, hunks: piece.theirs }, room);
}

export function tag(severity: Severity, paint: Paint): string {
  const style = { high: paint.red, medium: paint.yellow, low: paint.cyan, context: paint.dim }[severity];
  return style(severity.toUpperCase());
}
