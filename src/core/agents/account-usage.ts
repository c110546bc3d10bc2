// Account for tokens: each answer of a model once, whatever transcript it is read from and however often. When an agent's
// budget for the day is used up, that is said on the timeline once.

import type { Tx } from "../../store/group-commit.ts";
import type { Store } from "../../store/open.ts";
import type { Spent } from "./agent.ts";
import { isBudgetNoted, spentSince, updateUsage, usageRow } from "./agents.sql.ts";
import { costOf } from "../costs/cost-of.ts";
import type { ModelPrice, TokenUsage } from "../costs/price.ts";
import { type Budget, type BudgetReached, budgetReached, togetherReached } from "./rules.ts";

export interface UsageReport {
  readonly agent: string;
  readonly sessionId?: string | undefined;
  /** One of the owner's further accounts. */
  readonly account?: string | undefined;
  readonly answers: readonly (TokenUsage & { readonly id: string; readonly model: string; readonly atMs: number })[];
}

/** Says which task an agent worked for at a moment; null for none. */
export type TaskAt = (
  db: Tx["db"],
  at: { readonly constellation: string; readonly agent: string; readonly atMs: number },
) => Promise<string | null>;

export function accountUsage(
  store: Store,
  reports: readonly UsageReport[],
  prices: readonly ModelPrice[],
  taskAt: TaskAt,
): Promise<void> {
  const { constellation } = store;
  return store.write(async (tx) => {
    for (const { agent, sessionId, account, answers } of reports) {
      for (const answer of answers) {
        const figures = {
          model: answer.model,
          input: Math.round(answer.input),
          output: Math.round(answer.output),
          cache_read: Math.round(answer.cacheRead),
          cache_write: Math.round(answer.cacheWrite),
          cost_micros: costOf(answer, answer.model, prices).micros,
        };
        const known = await usageRow(tx.db, constellation, agent, answer.id);
        if (known === undefined) {
          const row = {
            constellation,
            agent,
            id: answer.id,
            session_id: sessionId ?? null,
            at_ms: Math.floor(answer.atMs),
          };
          const task = await taskAt(tx.db, { constellation, agent, atMs: row.at_ms });
          await tx.insert("token_usage", { ...row, ...figures, task, account: account ?? null });
        } else if (figures.output > known.output) {
          // A streamed answer was read before its end.
          await updateUsage(tx.db, known, figures);
        }
      }
    }
  });
}

export const dayStart = (nowMs: number): number => nowMs - (nowMs % 86_400_000);

/** Returns what each agent spent since midnight UTC. */
export function spentToday(store: Pick<Store, "db" | "constellation">, nowMs: number): Promise<Map<string, Spent>> {
  return spentSince(store.db, store.constellation, dayStart(nowMs));
}

/** Stands for all agents together where agents are named. */
export const everybody = "*";

/** Says of each budget that is used up that it is, once a day. */
export async function noteBudgets(
  store: Store,
  spent: ReadonlyMap<string, Spent>,
  budget: Budget,
): Promise<Map<string, BudgetReached>> {
  const reached = new Map<string, BudgetReached>();
  for (const [agent, amount] of spent) {
    const found = budgetReached(amount, budget);
    if (found !== undefined) reached.set(agent, found);
  }
  const together = togetherReached(spent, budget);
  if (together !== undefined) reached.set(everybody, together);
  if (reached.size === 0) return reached;
  const { constellation } = store;
  await store.write(async (tx) => {
    const day = new Date(tx.nowMs).toISOString().slice(0, 10);
    for (const [agent, { kind, used, limit }] of reached) {
      const key = { constellation, agent, day, kind };
      if (await isBudgetNoted(tx.db, key)) continue;
      await tx.insert("budgets_reached", { ...key, used, allowed: limit, at_ms: tx.nowMs });
      const data = { kind, used, allowed: limit, day };
      const subject = agent === everybody ? `constellation:${constellation}` : `agent:${agent}`;
      await tx.record({ type: "agent.budget-reached", subject, actor: "daemon", data });
    }
  });
  return reached;
}
