// What is open in the pairs of a repository, and what is noted of them, kept so that everybody who says that nothing collides can
// say what that rests on. A pair of which everything was looked at and asked has no row.

import type { RepositoryReport } from "../../ports/sensing.ts";
import type { OpenPart, PairVerdict } from "../../protocol/findings.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { OpenPairsTable } from "../../store/tables/observed.ts";
import type { Context, ReadContext } from "../context.ts";
import { pairKey } from "./lifecycle.ts";
import { openPairsOf, putOpenPair, removeOpenPairs } from "./open-pairs.sql.ts";

type Told = Pick<RepositoryReport, "repository" | "pairs" | "sides">;
type Row = Omit<OpenPairsTable, "constellation" | "since_ms">;

export interface OpenMoves {
  readonly put: readonly Row[];
  /** Pairs of which there is nothing to say any more, or which are no pairs any more. */
  readonly remove: readonly string[];
}

export async function openMovesFor(
  { constellation }: Pick<Context, "constellation">,
  reader: Pick<Tx, "db">,
  report: Told,
): Promise<OpenMoves> {
  const known = new Map((await openPairsOf(reader.db, constellation, report.repository)).map((row) => [row.pair, row]));
  const put: Row[] = [];
  const sides = new Set(report.sides.map(storable));
  const remove = new Set([...known.keys()].filter((pair) => !isThere(pair, sides)));
  for (const verdict of report.pairs) {
    const { ours, theirs, open } = verdict;
    const notes = notesOf(verdict);
    const pair = storable(pairKey(ours, theirs));
    const before = known.get(pair);
    if (open.length + notes.length === 0) {
      if (before !== undefined) remove.add(pair);
      continue;
    }
    const row: Row = {
      repository: report.repository,
      pair,
      ours_label: storable(ours.label),
      ours_worktree: ours.worktree === null ? null : storable(ours.worktree),
      theirs_label: storable(theirs.label),
      theirs_worktree: theirs.worktree === null ? null : storable(theirs.worktree),
      open: JSON.stringify(open),
      notes: JSON.stringify(notes),
    };
    if (before === undefined || kept.some((key) => before[key] !== row[key])) put.push(row);
  }
  return { put, remove: [...remove] };
}

export async function keepOpen({ constellation }: Pick<Context, "constellation">, tx: Tx, report: Told): Promise<void> {
  const { put, remove } = await openMovesFor({ constellation }, tx, report);
  for (const row of put) await putOpenPair(tx, { constellation, since_ms: tx.nowMs, ...row });
  await removeOpenPairs(tx, constellation, report.repository, remove);
}

/** A pair whose side is gone is none. */
function isThere(pair: string, sides: ReadonlySet<string>): boolean {
  return (JSON.parse(pair) as string[]).every((side) => sides.has(side));
}

const kept = ["open", "notes", "ours_label", "theirs_label"] as const;

/** That two are the same says nothing that a reader of many pairs would miss. */
export function notesOf({ ours, theirs, notes }: PairVerdict): readonly string[] {
  return ours.tree === theirs.tree ? [] : notes;
}

/** What is open, told once for all the pairs it concerns. */
export interface OpenSummary extends OpenPart {
  /** In so many pairs. */
  readonly pairs: number;
}

/** What is noted of pairs, told once for all that it concerns. */
export interface NoteSummary {
  readonly why: string;
  readonly pairs: number;
}

export interface KeptPair {
  readonly repository: string;
  readonly open: readonly OpenPart[];
  readonly notes: readonly string[];
  /** One or two: a side may be a branch that is checked out nowhere. */
  readonly worktrees: readonly string[];
}

/** What is open in each pair and noted of it, by repository. */
export async function openIn({ store }: ReadContext, repository?: string): Promise<KeptPair[]> {
  const rows = await openPairsOf(store.db, store.constellation, repository);
  return rows.map((row) => ({
    repository: row.repository,
    open: JSON.parse(row.open) as OpenPart[],
    notes: JSON.parse(row.notes) as string[],
    worktrees: [row.ours_worktree, row.theirs_worktree].filter((one) => one !== null),
  }));
}

/** `total`: of how many pairs these are. */
export function summaryOf(pairs: readonly { readonly open: readonly OpenPart[] }[], total: number): OpenSummary[] {
  const groups = new Map<string, OpenSummary>();
  for (const { open } of pairs) {
    for (const part of open) {
      const key = part.isComing === true ? part.what : `${part.what} ${part.why}`;
      const known = groups.get(key);
      groups.set(key, { ...(known ?? part), pairs: (known?.pairs ?? 0) + 1 });
    }
  }
  return [...groups.values()].map((part) =>
    part.isComing === true
      ? { ...part, why: `${part.what}: ${part.pairs} of ${total} ${total === 1 ? "pair" : "pairs"} still to be asked` }
      : part,
  );
}

/** Those that concern most pairs first. */
export function noteSummaryOf(notes: readonly (readonly string[])[]): NoteSummary[] {
  const counts = new Map<string, number>();
  for (const why of notes.flat()) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, pairs]) => ({ why, pairs })).sort((one, other) => other.pairs - one.pairs);
}

const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
