// By rule (`limits.on_limit = "other-account"`): an agent that stands at a usage limit goes on with another account of the owner's, at the end of
// the turn that met the limit. An account that any agent has met at its limit is left out until that lifts; where none is left, the agent waits.

import type { ReadContext } from "../context.ts";
import { type AccountLimit, limitsOfAccounts, agentRows } from "./agents.sql.ts";

/** A limit that lifts sooner is waited for: the program has to be started again. */
const worthWaitingMs = 10 * 60_000;

export interface OtherAccount {
  readonly agent: string;
  /** Of the launch that met the limit. */
  readonly launchedMs: number;
  readonly from: string;
  readonly to: string;
  /** A worker's turn is tried again by itself; others are told to go on. */
  readonly isWorker: boolean;
}

export async function dueForAnotherAccount(
  { store: { db, constellation }, clock }: ReadContext,
  accounts: readonly { readonly name: string; readonly runtime: string }[],
): Promise<readonly OtherAccount[]> {
  if (accounts.length === 0) return [];
  const nowMs = clock.nowMs();
  const rows = await agentRows(db, constellation);
  const stuck = rows.filter(
    ({ role, wanted, seen, seen_until_ms: untilMs }) =>
      movable.has(role) && wanted === "up" && seen === "limited" && (untilMs ?? Infinity) > nowMs + worthWaitingMs,
  );
  if (stuck.length === 0) return [];
  const limits = (await limitsOfAccounts(db, constellation)).filter(({ until_ms: untilMs }) => untilMs > nowMs);
  return stuck.flatMap(({ agent, role, runtime, account, launched_ms: launchedMs }) => {
    const own = accounts.filter((one) => one.runtime === runtime).map(({ name }) => name);
    const from = account ?? usual;
    const to = own.length === 0 ? undefined : nextAccount([usual, ...own], from, runtime, limits);
    return to === undefined ? [] : [{ agent, launchedMs, from, to, isWorker: role === "worker" }];
  });
}

const movable: ReadonlySet<string> = new Set(["root", "clone", "worker"]);
const usual = "usual";

/** In the owner's order, from the one that it is on. */
function nextAccount(
  names: readonly string[],
  from: string,
  runtime: string,
  limits: readonly AccountLimit[],
): string | undefined {
  const full = new Set(limits.filter((one) => one.runtime === runtime).map(({ account }) => account));
  const at = names.indexOf(from);
  return [...names.slice(at + 1), ...names.slice(0, Math.max(0, at))].find((name) => name !== from && !full.has(name));
}
