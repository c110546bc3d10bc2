import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("cost.look", {
    name: "cost",
    summary: "What the agents cost, by agent, task, day or model",
    details:
      "Uses the cost that the program itself reports; without one it is computed from prices: yours (usage.prices in config.toml), then those that ship with constel. Usage without a known price is listed separately, never as free.",
    flags: { by: { field: "by", value: "WHAT" }, days: { field: "days" } },
    examples: ["constel cost", "constel cost --by task --days 7"],
    load: async () => (await import("../commands/cost.ts")).cost,
  }),
];
