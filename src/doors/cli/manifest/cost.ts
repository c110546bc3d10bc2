import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("cost.look", {
    name: "cost",
    elsewhere: true,
    summary: "What the agents cost, by agent, task, day, model or account; or where the time went",
    details:
      "Uses the cost that the program itself reports; without one it is computed from prices: yours (usage.prices in config.toml), then those that ship with constel. Usage without a known price is listed separately, never as free.\n--time shows minutes instead, by task or by agent: waiting for a clone, to the first turn, working, waiting for you, from ready to landed. The same is in the view `task_phases`.",
    flags: {
      by: { field: "by", value: "WHAT" },
      days: { field: "days" },
      time: { summary: "Minutes instead of money, by task (or --by agent)" },
    },
    examples: ["constel cost", "constel cost --by task --days 7", "constel cost --time"],
    load: async () => (await import("../commands/cost.ts")).cost,
  }),
];
