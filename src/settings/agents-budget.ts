// The budgets of a day: each agent's own, and the one of all agents together.

import type { Config } from "./declarations.ts";

interface Limits {
  readonly tokensPerDay: number;
  readonly microsPerDay: number;
}

/** 0: no limit. */
export const budgetIn = (config: Config): Limits & { readonly together: Limits } => ({
  tokensPerDay: config["budget.agent_tokens_per_day"],
  microsPerDay: config["budget.agent_micros_per_day"],
  together: {
    tokensPerDay: config["budget.all_tokens_per_day"],
    microsPerDay: config["budget.all_micros_per_day"],
  },
});
