// Adds up what agents cost.

import type { ReadContext } from "../context.ts";
import { type CostBy, usageBy } from "./costs.sql.ts";
import { priceTableDate } from "./price-table.ts";

const dayMs = 86_400_000;

export async function lookAtCost(
  { store, clock }: ReadContext,
  { by, days }: { readonly by: CostBy; readonly days: number },
) {
  const nowMs = clock.nowMs();
  const sinceMs = nowMs - (nowMs % dayMs) - (days - 1) * dayMs;
  const rows = await usageBy(store.db, store.constellation, by, sinceMs);
  const name = (of: string | null): string => of ?? "";
  rows.sort((a, b) =>
    by === "day" ? (name(a.of) < name(b.of) ? 1 : -1) : b.cost_micros - a.cost_micros || b.answers - a.answers,
  );
  return { by, since_ms: sinceMs, rows, prices_of: priceTableDate };
}
