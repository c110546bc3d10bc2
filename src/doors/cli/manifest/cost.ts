import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "cost",
    summary: "What the agents cost, by agent, task, day or model",
    details:
      "Uses the cost that the program itself reports; without one it is computed from prices: yours (usage.prices in config.toml), then those that ship with constel. Usage without a known price is listed separately, never as free.",
    tier: "read",
    flags: {
      by: {
        summary: "What to group the costs by (default agent)",
        value: "WHAT",
        oneOf: ["agent", "task", "day", "model"],
      },
      days: { summary: "How many UTC days, today included (default 30)", value: "N" },
    },
    examples: ["constel cost", "constel cost --by task --days 7"],
    load: async () => (await import("../commands/cost.ts")).cost,
  },
];
