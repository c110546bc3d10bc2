// Adds up what agents cost, and where the time of tasks went. Costs are added up two hours at a time: a hundred agents answer ten thousand times a
// day, and to add up a week in one question would hold the database from everybody else.

import type { ReadContext } from "../context.ts";
import { type CostBy, timeBy, type Usage, usageBy } from "./costs.sql.ts";
import { priceTableDate } from "./price-table.ts";

const dayMs = 86_400_000;
const pieceMs = dayMs / 12;

export async function lookAtCost(
  { store, clock }: ReadContext,
  { by, days }: { readonly by: CostBy; readonly days: number },
) {
  const nowMs = clock.nowMs();
  const sinceMs = firstDay(nowMs, days);
  const found = new Map<string | null, Usage>();
  for (let fromMs = sinceMs; fromMs <= nowMs; fromMs += pieceMs) {
    // What is dated later, by a clock that was set back since, belongs to the last piece.
    const untilMs = fromMs + pieceMs > nowMs ? undefined : fromMs + pieceMs;
    for (const row of await usageBy(store.db, store.constellation, by, { sinceMs: fromMs, untilMs }))
      found.set(row.of, together(found.get(row.of), row));
  }
  const rows = [...found.values()];
  const name = (of: string | null): string => of ?? "";
  rows.sort((a, b) =>
    by === "day" ? (name(a.of) < name(b.of) ? 1 : -1) : b.cost_micros - a.cost_micros || b.answers - a.answers,
  );
  return { by, since_ms: sinceMs, rows, prices_of: priceTableDate };
}

function together(known: Usage | undefined, more: Usage): Usage {
  if (known === undefined) return more;
  return {
    of: more.of,
    answers: known.answers + more.answers,
    input: known.input + more.input,
    output: known.output + more.output,
    cache_read: known.cache_read + more.cache_read,
    cache_write: known.cache_write + more.cache_write,
    cost_micros: known.cost_micros + more.cost_micros,
    unpriced: known.unpriced + more.unpriced,
  };
}

export async function lookAtTime(
  { store, clock }: ReadContext,
  { by, days }: { readonly by: "task" | "agent"; readonly days: number },
) {
  const sinceMs = firstDay(clock.nowMs(), days);
  const rows = await timeBy(store.db, store.constellation, by, new Date(sinceMs).toISOString());
  return { by, since_ms: sinceMs, rows };
}

const firstDay = (nowMs: number, days: number): number => nowMs - (nowMs % dayMs) - (days - 1) * dayMs;
