// Pure decisions about reviews.

import { askerNamed } from "../../protocol/authority.ts";
import type { ReviewsTable } from "../../store/tables/tasks.ts";

type Row = Pick<ReviewsTable, "id" | "reviewer" | "state" | "answered_ms" | "text" | "asked_ms">;

export const isPerson = (name: string): boolean => {
  const { role } = askerNamed(name);
  return role === "owner" || role === "human";
};

/** The last answer of each reviewer, and the row that was asked last where there is none. */
export interface Counted<One extends Row> {
  readonly verdict: "approved" | "changes" | "waiting" | "none";
  readonly row: One | undefined;
}

/**
 * What rows about the same commits say together. The owner's answer stands above agents'. Among agents one that asks for changes holds the
 * work, whatever others say.
 */
export function countVerdicts<One extends Row>(rows: readonly One[]): Counted<One> {
  const last = new Map<string, One>();
  const byTime = rows
    .filter(({ state }) => state === "approved" || state === "changes")
    .sort((a, b) => (a.answered_ms ?? 0) - (b.answered_ms ?? 0));
  for (const row of byTime) last.set(row.reviewer, row);
  const answers = [...last.values()].sort((a, b) => (b.answered_ms ?? 0) - (a.answered_ms ?? 0));
  const owners = answers.filter(({ reviewer }) => reviewer === "owner");
  const deciding = owners.length > 0 ? owners : answers;
  const row = deciding.find(({ state }) => state === "changes") ?? deciding[0];
  if (row !== undefined) return { verdict: row.state === "changes" ? "changes" : "approved", row };
  const asked = rows.filter(({ state }) => state === "asked").at(-1);
  return asked === undefined ? { verdict: "none", row: undefined } : { verdict: "waiting", row: asked };
}
