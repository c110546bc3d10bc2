// Findings that are one problem among several lines of work: ten agents who edit one line are one knot with ten names, not
// forty-five findings. Pure. The findings themselves stay as they are: each opens, closes and is dismissed by itself.

import { listed } from "../../protocol/listed.ts";

export interface KnotFinding {
  readonly repository: string;
  readonly kind: string;
  readonly severity: string;
  readonly state: string;
  readonly ours: KnotSide;
  readonly theirs: KnotSide;
  readonly title: string;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
}

interface KnotSide {
  readonly label: string;
  readonly worktree: string | null;
}

export interface Knot<Finding extends KnotFinding> {
  /** The first of them stands for it. */
  readonly first: Finding;
  readonly findings: readonly Finding[];
  /** The labels of all lines of work in it, each once. */
  readonly sides: readonly string[];
  /** The finding's own where it is one; else who collides, and over what. */
  readonly title: string;
}

/**
 * Findings of one kind, severity and state about the same thing (the symbols, else the files), tied together by the lines of work they
 * share. In the order of the first finding of each.
 */
export function knotsOf<Finding extends KnotFinding>(findings: readonly Finding[]): Knot<Finding>[] {
  const ties = new Ties();
  for (const { subject, ends } of findings.map(tieOf)) ties.tie(subject, ends);
  const groups = Map.groupBy(findings, (finding) => {
    const { subject, ends } = tieOf(finding);
    return `${subject}\n${ties.rootOf(`${subject}\n${ends[0]}`)}`;
  });
  return [...groups.values()].flatMap((all): Knot<Finding>[] => {
    const [first] = all;
    if (first === undefined) return [];
    const sides = [
      ...new Map(all.flatMap(({ ours, theirs }) => [ours, theirs]).map((one) => [keyOf(one), one])).values(),
    ];
    // The same names in the same order, whichever pair was found first.
    const labels = sides.map(({ label }) => label);
    if (all.length > 1) labels.sort();
    return [{ first, findings: all, sides: labels, title: all.length === 1 ? first.title : titleOf(first, labels) }];
  });
}

/** Between how many pairs of lines of work these findings are: two that collide over three files are one pair. */
export function pairsIn(findings: readonly Pick<KnotFinding, "repository" | "ours" | "theirs">[]): number {
  const pairs = findings.map(({ repository, ours, theirs }) => [repository, ...[keyOf(ours), keyOf(theirs)].sort()]);
  return new Set(pairs.map((pair) => JSON.stringify(pair))).size;
}

/** The lines of work that hang together, and over which subject. */
class Ties {
  readonly #above = new Map<string, string>();

  tie(subject: string, ends: readonly string[]): void {
    const [one = "", other = one] = ends.map((end) => this.rootOf(`${subject}\n${end}`));
    if (one !== other) this.#above.set(other, one);
  }

  rootOf(key: string): string {
    let root = key;
    for (let above = this.#above.get(root); above !== undefined; above = this.#above.get(root)) root = above;
    // Short ways, so that a long chain is walked once.
    for (let at = key; at !== root;) {
      const next = this.#above.get(at) ?? root;
      this.#above.set(at, root);
      at = next;
    }
    return root;
  }
}

const tieOf = (finding: KnotFinding): { readonly subject: string; readonly ends: readonly string[] } => ({
  subject: subjectOf(finding),
  ends: [keyOf(finding.ours), keyOf(finding.theirs)],
});

function subjectOf({ repository, kind, severity, state, files, symbols }: KnotFinding): string {
  const about = symbols.length > 0 ? ["symbols", ...symbols.toSorted()] : ["files", ...files.toSorted()];
  return JSON.stringify([repository, kind, severity, state, ...about]);
}

const keyOf = ({ label, worktree }: KnotSide): string => worktree ?? `branch ${label}`;

function titleOf({ files, symbols }: KnotFinding, labels: readonly string[]): string {
  const [over, noun] = symbols.length > 0 ? [symbols, "symbols"] : [files, "files"];
  return `${listed(labels)} collide over ${over.length > 3 ? `${over.length} ${noun}` : listed(over)}`;
}
