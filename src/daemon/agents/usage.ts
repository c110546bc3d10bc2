// Accounts for what agents use: read from their runtimes when something about them changed, written once each, and added up for today's
// budgets. A launch that another one has taken the place of (a restart, a hand-over to another program, another account) is read once more, to its end.

import { taskAt } from "../../core/tasks/costs.ts";
import {
  accountUsage,
  dayStart,
  everybody,
  noteBudgets,
  spentToday,
  type UsageReport,
} from "../../core/agents/account-usage.ts";
import type { Spent } from "../../core/agents/agent.ts";
import type { ModelPrice } from "../../core/costs/price.ts";
import type { Budget, BudgetReached } from "../../core/agents/rules.ts";
import { messageOf } from "../../protocol/errors.ts";
import { type EarlierLaunch, listEarlier, removeEarlier } from "../../floor/agents/earlier-launches.ts";
import { sessionOf } from "../../floor/restart/resume-id.ts";
import type { Clock } from "../../ports/machine.ts";
import type { Runtime, RuntimeMachine, Usage } from "../../ports/runtime.ts";
import type { Store } from "../../store/open.ts";
import type { Fleet } from "./fleet.ts";
import type { FollowedAgent } from "./followed-agent.ts";

export interface UsageParts {
  readonly home: string;
  readonly runtimeNamed: (name: string) => Runtime | undefined;
  readonly fleet: Fleet;
  readonly store: Store;
  readonly clock: Clock;
  readonly machine: RuntimeMachine;
  readonly budget: Budget;
  readonly prices: readonly ModelPrice[];
  readonly log: (line: string) => void;
}

/** A transcript at work grows all the time, and is read from its beginning. */
const readEveryMs = 10_000;

interface Reading {
  readonly launchedMs: number;
  atMs: number;
  /** By id, the output tokens that were written. */
  readonly known: Map<string, number>;
}

export class UsageAccount {
  readonly #parts: UsageParts;
  readonly #readings = new Map<string, Reading>();
  #reached = new Map<string, BudgetReached>();
  #spent = new Map<string, Spent>();
  #day = -1;

  constructor(parts: UsageParts) {
    this.#parts = parts;
  }

  budgetReached(agent: string): BudgetReached | undefined {
    return this.#reached.get(everybody) ?? this.#reached.get(agent);
  }

  /** True when a budget's state changed. */
  async round(): Promise<boolean> {
    const { home, store, clock, prices, budget, fleet } = this.#parts;
    // First: a conversation that went along holds the answers that the launch before it paid for.
    const earlier = listEarlier(home);
    const reports = await this.#ofEarlier(earlier);
    for (const member of fleet.members()) {
      const answers = await this.#news(member).catch((cause: unknown) => {
        this.#parts.log(`counting the tokens of ${member.agent}: ${messageOf(cause)}`);
        return [];
      });
      if (answers.length > 0) {
        const account = member.launch.launch.account?.name;
        reports.push({ agent: member.agent, sessionId: member.sessionId, account, answers });
      }
    }
    if (reports.length > 0) await accountUsage(store, reports, prices, taskAt);
    // Only now that it is written: a daemon that dies before reads them again, and an answer is counted once.
    for (const { name } of earlier) removeEarlier(home, name);
    const day = dayStart(clock.nowMs());
    if (reports.length === 0 && day === this.#day) return false;
    for (const { agent, answers } of reports) {
      for (const { id, output } of answers) this.#readings.get(agent)?.known.set(id, output);
    }
    this.#day = day;
    this.#spent = await spentToday(store, clock.nowMs());
    const before = this.#reached;
    this.#reached = await noteBudgets(store, this.#spent, budget);
    return before.size !== this.#reached.size || [...before.keys()].some((agent) => !this.#reached.has(agent));
  }

  /** What cannot be read any more, because only the living program could tell, is said and given up. */
  async #ofEarlier(earlier: readonly EarlierLaunch[]): Promise<UsageReport[]> {
    const { machine, runtimeNamed, log } = this.#parts;
    const reports: UsageReport[] = [];
    for (const { launch, untilMs } of earlier) {
      const runtime = runtimeNamed(launch.runtime);
      if (runtime?.abilities.usageReport !== true) continue;
      const session = { ...sessionOf(launch), untilMs };
      try {
        const answers = await runtime.usage(session, machine);
        const sessionId = await runtime.currentSession(session, machine);
        if (answers.length > 0) {
          const account = launch.launch.account?.name;
          reports.push({ agent: launch.agent, sessionId, account, answers });
        }
      } catch (cause) {
        log(`counting the last tokens of ${launch.agent} on ${launch.runtime}: ${messageOf(cause)}`);
      }
    }
    return reports;
  }

  /** Returns the usage that was not written yet. */
  async #news(member: FollowedAgent): Promise<Usage[]> {
    const { fleet, clock, machine } = this.#parts;
    const { runtime, launch } = member;
    if (runtime?.abilities.usageReport !== true || member.newsMs === 0) return [];
    let reading = this.#readings.get(member.agent);
    if (reading?.launchedMs !== launch.sinceMs) {
      reading = { launchedMs: launch.sinceMs, atMs: -Infinity, known: new Map() };
      this.#readings.set(member.agent, reading);
    }
    const nowMs = clock.monotonicMs();
    const isQuiet = member.seen.state !== "busy";
    if (reading.atMs >= member.newsMs || (!isQuiet && nowMs - reading.atMs < readEveryMs)) return [];
    reading.atMs = nowMs;
    const { known } = reading;
    const answers = await runtime.usage(fleet.session(member), machine);
    return answers.filter(({ id, output }) => output > (known.get(id) ?? -1));
  }
}
