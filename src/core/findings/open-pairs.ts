// What is open in the pairs of a repository, kept so that everybody who says that nothing collides can say what that rests
// on. A pair of which everything was looked at has no row.

import type { RepositoryReport } from "../../ports/sensing.ts";
import type { OpenPart } from "../../protocol/findings.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { OpenPairsTable } from "../../store/tables/observed.ts";
import type { Context, ReadContext } from "../context.ts";
import { pairKey } from "./lifecycle.ts";
import { openPairsOf, putOpenPair, removeOpenPairs } from "./open-pairs.sql.ts";

type Told = Pick<RepositoryReport, "repository" | "pairs" | "sides">;
type Row = Omit<OpenPairsTable, "constellation" | "since_ms">;

export interface OpenMoves {
  readonly put: readonly Row[];
  /** Pairs of which nothing is open any more, or which are no pairs any more. */
  readonly remove: readonly string[];
}

export async function openMovesFor(
  { constellation }: Pick<Context, "constellation">,
  reader: Pick<Tx, "db">,
  report: Told,
): Promise<OpenMoves> {
  const known = new Map((await openPairsOf(reader.db, constellation, report.repository)).map((row) => [row.pair, row]));
  const put: Row[] = [];
  const remove = new Set([...known.keys()].filter((pair) => !isThere(pair, report.sides)));
  for (const { ours, theirs, open } of report.pairs) {
    const pair = storable(pairKey(ours, theirs));
    const before = known.get(pair);
    if (open.length === 0) {
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
    };
    if (before?.open !== row.open || before.ours_label !== row.ours_label || before.theirs_label !== row.theirs_label)
      put.push(row);
  }
  return { put, remove: [...remove] };
}

export async function keepOpen({ constellation }: Pick<Context, "constellation">, tx: Tx, report: Told): Promise<void> {
  const { put, remove } = await openMovesFor({ constellation }, tx, report);
  for (const row of put) await putOpenPair(tx, { constellation, since_ms: tx.nowMs, ...row });
  await removeOpenPairs(tx, constellation, report.repository, remove);
}

/** A pair whose side is gone is none. */
function isThere(pair: string, sides: readonly string[]): boolean {
  return (JSON.parse(pair) as string[]).every((side) => sides.some((one) => storable(one) === side));
}

/** What is open, told once for all the pairs it concerns. */
export interface OpenSummary extends OpenPart {
  /** In so many pairs. */
  readonly pairs: number;
}

/** What is open in each pair, by repository. */
export async function openIn(
  { store }: ReadContext,
  repository?: string,
): Promise<(Omit<OpenPairsTable, "open"> & { readonly open: readonly OpenPart[] })[]> {
  const rows = await openPairsOf(store.db, store.constellation, repository);
  return rows.map((row) => ({ ...row, open: JSON.parse(row.open) as OpenPart[] }));
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

const storable = (text: string): string => text.replaceAll("\0", "").toWellFormed();
