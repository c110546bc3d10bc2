import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/attention.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("attention.list", {
    name: "attention",
    elsewhere: true,
    summary: "What needs you, the most pressing first",
    details:
      "The order is that of the view `attention`, which status, the dashboard and the monitor share: what waits for an answer, collisions with work about to land, what does not go on, a red gate, other collisions, what is ready to land, limits. Exits 1 if something needs you.",
    flags: { snoozed: { field: "snoozed", short: "a" }, limit: { field: "limit", short: "n" } },
    examples: ["constel attention", "constel attention --snoozed --json"],
    load: async () => (await load()).list,
  }),
  asking("attention.snooze", {
    name: "attention snooze",
    elsewhere: true,
    summary: "Put something that needs you aside, until a time or until it changes",
    arguments: [{ field: "key", offers: "needs" }],
    flags: {
      for: { summary: "For so long, such as 2h (default: until it changes)", value: "TIME" },
      wake: { field: "wake" },
    },
    examples: ["constel attention snooze limited:agent4 --for 2h", "constel attention snooze ready:12 --wake"],
    load: async () => (await load()).snooze,
  }),
];
