// Whether an agent can be given work at all: now, or once it has finished what it does. Whoever gives it knows the work's own conditions.

import type { Kysely } from "kysely";
import type { AgentsTable } from "../../store/tables/agents.ts";
import type { Tables } from "../../store/tables.ts";
import { dayStart } from "./account-usage.ts";
import { agentRow, spentSince } from "./agents.sql.ts";
import { type Budget, budgetReachedBy, budgetText, hasBudget } from "./rules.ts";

export interface Ability {
  /** Where it works. */
  readonly cwd: string;
  /** The reason why it can be given no work; undefined when it can. */
  readonly why: string | undefined;
}

export async function abilityOf(
  db: Kysely<Tables>,
  about: { readonly constellation: string; readonly budget: Budget; readonly nowMs: number },
  agent: string,
): Promise<Ability> {
  const row = await agentRow(db, about.constellation, agent);
  if (row === undefined) return { cwd: "", why: "there is no such agent" };
  if (row.role !== "clone" && row.role !== "worker")
    return { cwd: row.cwd, why: `it is a ${row.role}, and tasks go to clones` };
  return { cwd: row.cwd, why: whyNotUp(row) ?? (await overBudget(db, about, agent)) };
}

const standstills: Readonly<Record<string, string>> = {
  dead: "it is down",
  hung: "it hangs",
  paused: "it is paused",
  "logged-out": "its program is logged out",
};

function whyNotUp({ wanted, seen, seen_until_ms: untilMs }: AgentsTable): string | undefined {
  if (wanted !== "up") return `it is wanted ${wanted}`;
  if (seen !== "limited") return standstills[seen];
  const lifts = untilMs === null ? "" : ` until ${new Date(untilMs).toISOString()}`;
  return `it is parked at a usage limit${lifts}`;
}

async function overBudget(
  db: Kysely<Tables>,
  { constellation, budget, nowMs }: { constellation: string; budget: Budget; nowMs: number },
  agent: string,
): Promise<string | undefined> {
  if (!hasBudget(budget)) return undefined;
  const spent = await spentSince(db, constellation, dayStart(nowMs));
  const reached = budgetReachedBy(agent, spent, budget);
  if (reached === undefined) return undefined;
  return reached.of === undefined ? "it has used up its budget for today" : budgetText(reached);
}
