// Finds the agents that could be given work now: clones that are wanted up, are seen idle and have something left of their budget. The giver
// of the work must know whether one has work already.

import type { Kysely } from "kysely";
import type { Tables } from "../../store/tables.ts";
import type { AgentsTable } from "../../store/tables/agents.ts";
import { dayStart } from "./account-usage.ts";
import { agentRow, agentRows, spentSince } from "./agents.sql.ts";
import { type Budget, budgetReachedBy, hasBudget } from "./rules.ts";

export interface FreeWish {
  readonly agent?: string | undefined;
  readonly runtime?: string | undefined;
}

export interface Clones {
  /** In the order of their numbers. */
  readonly free: string[];
  /** Clones that match the wish and are wanted up, free or not. */
  readonly up: string[];
}

export async function freeClones(
  db: Kysely<Tables>,
  about: { readonly constellation: string; readonly budget: Budget; readonly nowMs: number },
  wish: FreeWish,
): Promise<Clones> {
  const { constellation, budget, nowMs } = about;
  const up = (await agentRows(db, constellation))
    .filter((row) => takesTasks(row, wish) && row.wanted === "up" && matches(row, wish))
    .sort((a, b) => numberIn(a.agent) - numberIn(b.agent));
  const idle = up.filter(({ seen }) => seen === "idle");
  const isLimited = hasBudget(budget) && idle.length > 0;
  const spent = isLimited ? await spentSince(db, constellation, dayStart(nowMs)) : new Map();
  const free = idle.filter(({ agent }) => budgetReachedBy(agent, spent, budget) === undefined);
  return { free: free.map(({ agent }) => agent), up: up.map(({ agent }) => agent) };
}

/** Agents that stand at a usage limit which lifts only after this moment, or nobody knows when, with their programs. */
export async function limitedPast(
  db: Kysely<Tables>,
  constellation: string,
  momentMs: number,
): Promise<ReadonlyMap<string, string>> {
  const rows = (await agentRows(db, constellation)).filter(
    ({ wanted, seen, seen_until_ms: untilMs }) =>
      wanted === "up" && seen === "limited" && (untilMs ?? Infinity) > momentMs,
  );
  return new Map(rows.map(({ agent, runtime }) => [agent, runtime]));
}

export async function isIdle(db: Kysely<Tables>, constellation: string, agent: string): Promise<boolean> {
  return (await agentRow(db, constellation, agent))?.seen === "idle";
}

const matches = (row: AgentsTable, wish: FreeWish): boolean =>
  (wish.agent === undefined || row.agent === wish.agent) &&
  (wish.runtime === undefined || row.runtime === wish.runtime);

/** A worker is given a task only by its name. */
const takesTasks = ({ role, agent }: AgentsTable, wish: FreeWish): boolean =>
  role === "clone" || (role === "worker" && agent === wish.agent);

const numberIn = (agent: string): number => Number(/(?<!\d)\d+$/.exec(agent)?.[0] ?? Infinity);
