// Holds what a reviewer says before it is known who the two sides are: plain JSON, so that it can be kept by the pair of trees and used
// again for other worktrees with the same content. `toDraft` puts the names in and makes the fingerprint.

import { createHash } from "node:crypto";
import type { RepositoryIdentity } from "../../ports/git.ts";
import type {
  Evidence,
  EvidenceHunk,
  FindingDraft,
  FindingKind,
  OpenPart,
  PairSide,
  Severity,
} from "../../protocol/findings.ts";

/** Stand for the sides' labels in titles, actions and messages. No file name or source line that we show holds them. */
export const ours = "\u0001";
export const theirs = "\u0002";

/** A reviewer's statement. Its kind comes from kinds.ts, and so does its severity unless the reviewer says otherwise. */
export interface Said {
  readonly severity?: Severity;
  /** The thing that collides, the same whichever side is named first: never lines or contents. */
  readonly subject: string;
  readonly title: string;
  readonly action: string;
  readonly symbols: readonly string[];
  readonly evidence: readonly Evidence[];
  /** Only a compiler saw it: where the compiler cannot be asked, that it is not seen says nothing. */
  readonly byCompiler?: boolean;
}

export interface PairFinding extends Said {
  readonly kind: FindingKind;
  readonly severity: Severity;
}

/** The results that follow from the trees of a pair. */
export interface Reviewed {
  readonly findings: readonly PairFinding[];
  readonly open: readonly OpenPart[];
  /** The parts that the languages could not read: a compiler's answer about the same trees takes their place. */
  readonly unread: readonly OpenPart[];
  /** The notes that a reader may want to know beside it; nothing is missing because of them. */
  readonly notes?: readonly string[];
  /** A file that it wanted to read may be there the next time: then it is worked out anew. */
  readonly isForNow?: true;
}

/** More pieces than this say nothing new to a reader, and would make one finding as large as the work itself. */
const maxEvidence = 50;

export function toDraft(
  finding: PairFinding,
  repository: RepositoryIdentity,
  sides: { readonly ours: PairSide; readonly theirs: PairSide },
): FindingDraft {
  const name = (text: string): string => named(text, sides);
  const evidence = finding.evidence.slice(0, maxEvidence);
  return {
    kind: finding.kind,
    severity: finding.severity,
    fingerprint: fingerprintOf(repository, [sideIdentity(sides.ours), sideIdentity(sides.theirs)], finding),
    title: name(finding.title),
    action: name(finding.action),
    files: filesOf(finding.evidence),
    symbols: finding.symbols,
    evidence: evidence.map((one) => ({ ...one, message: name(one.message) })),
    ...(finding.byCompiler === true ? { byCompiler: true } : {}),
    evidenceKind: [...new Set(finding.evidence.map((one) => `${one.rule} ${one.path}`))].sort().join("\n"),
  };
}

/** The text with the sides' labels in their places. */
export function named(text: string, sides: { readonly ours: PairSide; readonly theirs: PairSide }): string {
  return text.replaceAll(ours, () => sides.ours.label).replaceAll(theirs, () => sides.theirs.label);
}

/** Says which of the repository's lines of work a side is, whatever it holds at the moment. */
export function sideIdentity(side: PairSide): string {
  if (side.worktree !== null) return `worktree ${side.worktree}`;
  return side.branch === null ? `revision ${side.label}` : `branch ${side.branch}`;
}

/** Findings about the same thing become one with all the evidence, in the order they were said. */
export function joined(findings: readonly PairFinding[]): PairFinding[] {
  const byKey = new Map<string, PairFinding>();
  for (const finding of findings) {
    const key = `${finding.kind}\n${finding.subject}`;
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, finding);
    else byKey.set(key, { ...known, evidence: [...known.evidence, ...finding.evidence] });
  }
  return [...byKey.values()];
}

/** A piece of a side's file for showing, cut where it is long. */
export function hunk(path: string, line: number, text: string): EvidenceHunk {
  const lines = text.replace(/\n$/, "").split("\n");
  const kept = lines.slice(0, 40).map(cutLine);
  if (lines.length > kept.length) kept.push("…");
  return { path, line, text: kept.join("\n") };
}

export const cutLine = (line: string): string => (line.length > 500 ? `${line.slice(0, 500)}…` : line);

function fingerprintOf(repository: string, identities: readonly string[], finding: PairFinding): string {
  const parts = [repository, ...[...identities].sort(), finding.kind, finding.subject];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function filesOf(evidence: readonly Evidence[]): string[] {
  const files = new Set<string>();
  for (const one of evidence) {
    files.add(one.path);
    for (const { path } of [...one.ours, ...one.theirs]) files.add(path);
  }
  return [...files].sort();
}
