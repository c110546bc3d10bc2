// Keeps what is open in the pairs of a repository, and what is noted of them, so that everybody who says that nothing collides can say what
// that rests on. A pair of which everything was looked at and asked has no row.

import { counted } from "../../protocol/counted.ts";
import type { RepositoryReport } from "../../ports/sensing.ts";
import type { OpenPart, PairVerdict } from "../../protocol/findings.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { OpenPairsTable } from "../../store/tables/observed.ts";
import type { Context, ReadContext } from "../context.ts";
import { pairKey } from "./lifecycle.ts";
import {
  openPairGroups,
  openPairNames,
  openPairsNamed,
  putOpenPair,
  removeOpenPairs,
  sidedPairs,
  unaskedPairs,
} from "./open-pairs.sql.ts";

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
  const { repository } = report;
  const looked = report.pairs.map((verdict) => ({ verdict, pair: storable(pairKey(verdict.ours, verdict.theirs)) }));
  const names = await openPairNames(reader.db, constellation, repository);
  const there = new Set(names);
  const asked = [...new Set(looked.map(({ pair }) => pair))].filter((pair) => there.has(pair));
  const known = new Map(
    (await openPairsNamed(reader.db, constellation, repository, asked)).map((row) => [row.pair, row]),
  );
  const put: Row[] = [];
  const sides = new Set(report.sides.map(storable));
  const remove = new Set(names.filter((pair) => !isThere(pair, sides)));
  for (const { verdict, pair } of looked) {
    const { ours, theirs, open } = verdict;
    const notes = notesOf(verdict);
    const before = known.get(pair);
    if (open.length + notes.length === 0) {
      if (before !== undefined) remove.add(pair);
      continue;
    }
    const row: Row = {
      repository,
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

const kept = ["open", "notes", "ours_label", "ours_worktree", "theirs_label", "theirs_worktree"] as const;

/**
 * Returns the notes on what nobody was asked. A pair that is complete all the same (two that are one, two that never meet) has none: a
 * reader of many pairs misses nothing there.
 */
export function notesOf({ complete, notes }: Pick<PairVerdict, "complete" | "notes">): readonly string[] {
  return complete ? [] : notes;
}

/** An open part, told once for all the pairs it concerns. */
export interface OpenSummary extends OpenPart {
  /** In so many pairs. */
  readonly pairs: number;
}

/** A note on pairs, told once for all that it concerns. */
export interface NoteSummary {
  readonly why: string;
  readonly pairs: number;
}

/** Pairs of a repository of which the same is open and noted. */
export interface OpenGroup {
  readonly repository: string;
  readonly open: readonly OpenPart[];
  readonly notes: readonly string[];
  readonly pairs: number;
}

/** Returns what is open in pairs and noted of them, by repository. */
export async function openIn({ store }: ReadContext, repository?: string): Promise<OpenGroup[]> {
  const rows = await openPairGroups(store.db, store.constellation, repository);
  return rows.map((row) => ({
    repository: row.repository,
    pairs: row.pairs,
    open: JSON.parse(row.open) as OpenPart[],
    notes: JSON.parse(row.notes) as string[],
  }));
}

/** By worktree, pairs that were looked at but for something nobody could be asked about, such as types. */
export async function unaskedIn({ store }: ReadContext, repository: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { ours_worktree, theirs_worktree } of await unaskedPairs(store.db, store.constellation, repository)) {
    for (const worktree of [ours_worktree, theirs_worktree])
      // A side may be a branch that is checked out nowhere.
      if (worktree !== null) counts.set(worktree, (counts.get(worktree) ?? 0) + 1);
  }
  return counts;
}

/** Why pairs are open because of a worktree's own files. */
export interface OwnOpen {
  /** One could not be read. */
  readonly unread: Set<string>;
  /** One does not parse, or has conflict markers in it. */
  readonly faults: Set<string>;
}

export async function ownOpenIn({ store }: ReadContext, repository: string): Promise<Map<string, OwnOpen>> {
  const reasons = new Map<string, OwnOpen>();
  for (const { ours_worktree, theirs_worktree, open } of await sidedPairs(store.db, store.constellation, repository)) {
    for (const { what, why, sides = [] } of JSON.parse(open) as OpenPart[])
      for (const side of sides) {
        const worktree = side === "ours" ? ours_worktree : theirs_worktree;
        if (worktree === null) continue;
        const own = reasons.get(worktree) ?? { unread: new Set(), faults: new Set() };
        reasons.set(worktree, own);
        own[what === "syntax" ? "faults" : "unread"].add(why);
      }
  }
  return reasons;
}

/** `total`: of how many pairs these are. */
export function summaryOf(found: readonly Pick<OpenGroup, "open" | "pairs">[], total: number): OpenSummary[] {
  const groups = new Map<string, OpenSummary>();
  for (const { open, pairs } of found) {
    for (const part of open) {
      const key = part.isComing === true ? part.what : `${part.what} ${part.why}`;
      const known = groups.get(key);
      groups.set(key, { ...(known ?? part), pairs: (known?.pairs ?? 0) + pairs });
    }
  }
  return [...groups.values()].map((part) =>
    part.isComing === true
      ? {
          ...part,
          why: `${part.what} still to be checked in ${part.pairs} of ${counted(total, "pair")}`,
        }
      : part,
  );
}

/** Those that concern most pairs first. */
export function noteSummaryOf(found: readonly Pick<OpenGroup, "notes" | "pairs">[]): NoteSummary[] {
  const counts = new Map<string, number>();
  for (const { notes, pairs } of found) for (const why of notes) counts.set(why, (counts.get(why) ?? 0) + pairs);
  return [...counts].map(([why, pairs]) => ({ why, pairs })).sort((one, other) => other.pairs - one.pairs);
}

const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
