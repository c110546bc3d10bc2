import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "cost",
    summary: "What the agents cost, by agent, task, day or model",
    details:
      "By the program's own word where it has one, else by prices: yours (usage.prices in config.toml), then those that ship with constel. An answer whose price is not known is counted apart, never as free.",
    tier: "read",
    flags: {
      by: { summary: "What to add up by (default agent)", value: "WHAT", oneOf: ["agent", "task", "day", "model"] },
      days: { summary: "The last so many UTC days, today included (default 30)", value: "N" },
    },
    examples: ["constel cost", "constel cost --by task --days 7"],
    load: async () => (await import("../commands/cost.ts")).cost,
  },
];
