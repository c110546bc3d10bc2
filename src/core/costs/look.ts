// Adds up what agents cost, and where the time of tasks went.

import type { ReadContext } from "../context.ts";
import { type CostBy, timeBy, usageBy } from "./costs.sql.ts";
import { priceTableDate } from "./price-table.ts";

const dayMs = 86_400_000;

export async function lookAtCost(
  { store, clock }: ReadContext,
  { by, days }: { readonly by: CostBy; readonly days: number },
) {
  const sinceMs = firstDay(clock.nowMs(), days);
  const rows = await usageBy(store.db, store.constellation, by, sinceMs);
  const name = (of: string | null): string => of ?? "";
  rows.sort((a, b) =>
    by === "day" ? (name(a.of) < name(b.of) ? 1 : -1) : b.cost_micros - a.cost_micros || b.answers - a.answers,
  );
  return { by, since_ms: sinceMs, rows, prices_of: priceTableDate };
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
