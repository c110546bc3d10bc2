// Exclusive claims that count now, the same for hooks, landings and plans: believed, not over, and held by somebody who is there or
// comes back. Whoever has claimed a path for itself is not surprised by another's edit of it.

import { isGuestId } from "../../protocol/agent-id.ts";
import type { ReadContext } from "../context.ts";
import { isBelieved, standingOf } from "../signed-row.ts";
import { claimMatcher } from "./claim-paths.ts";
import { claimants, liveRows } from "./claims.sql.ts";

export interface ExclusiveClaim {
  readonly id: string;
  readonly holder: string;
  readonly patterns: readonly string[];
  readonly reason: string;
  readonly endsMs: number;
}

/** A claim of another's, and the paths inside it. */
export interface Held {
  readonly claim: string;
  readonly holder: string;
  readonly reason: string;
  readonly ends_ms: number;
  readonly paths: string[];
}

export async function exclusiveClaims(
  { store: { db, constellation }, clock, audit }: ReadContext,
  repository: string,
): Promise<ExclusiveClaim[]> {
  const rows = (await liveRows(db, constellation, clock.nowMs(), repository)).filter(
    (row) => row.exclusive === 1 && isBelieved(standingOf(audit?.verify, "claim", row)),
  );
  if (rows.length === 0) return [];
  const isGone = goneAmong(await claimants(db, constellation));
  return rows
    .filter(({ holder }) => !isGone(holder))
    .map(({ id, holder, reason, patterns, expires_ms: endsMs }) => ({
      id,
      holder,
      reason,
      patterns: JSON.parse(patterns) as string[],
      endsMs,
    }));
}

/** They run beside the agents and work on nothing. */
const bystanders = new Set(["ticker", "watchdog"]);

export const isThere = ({ role, wanted }: { readonly role: string; readonly wanted: string }): boolean =>
  wanted !== "down" && !bystanders.has(role);

/**
 * Tells which agents were here, are not there and are not being brought back. A session that a person started is not listed any more once
 * it has ended. The owner never goes.
 */
export function goneAmong(
  agents: readonly { readonly agent: string; readonly role: string; readonly wanted: string }[],
): (agent: string) => boolean {
  const known = new Map(agents.map((one) => [one.agent, isThere(one)]));
  return (agent) => !(known.get(agent) ?? !isGuestId(agent));
}

/** Says which of these paths others than `doer` keep to themselves. */
export function heldBy(claims: readonly ExclusiveClaim[], paths: readonly string[], doer: string): Held[] {
  return claims.flatMap(({ id, holder, reason, patterns, endsMs }) => {
    if (holder === doer) return [];
    const inside = paths.filter(claimMatcher(patterns));
    return inside.length === 0 ? [] : [{ claim: id, holder, reason, ends_ms: endsMs, paths: inside }];
  });
}

/** `src/a.ts, which agent2 keeps to itself until 2026-01-02 03:04Z: a reason`. */
export function heldText(held: readonly Held[]): string {
  return held
    .map(({ holder, reason, ends_ms: endsMs, paths }) => {
      const [first = "", ...more] = paths;
      const what = more.length === 0 ? first : `${first} and ${more.length} more`;
      const until = new Date(endsMs).toISOString().slice(0, 16).replace("T", " ");
      return `${what}, which ${holder} keeps to itself until ${until}Z${reason === "" ? "" : ` (${reason})`}`;
    })
    .join("; ");
}
