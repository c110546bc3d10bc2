import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("status.look", {
    name: "status",
    summary: "One screen: what needs you, the agents, the tasks, what collides",
    details:
      "Exits 1 if something needs you. If the database cannot be read, it says so and shows which agents are running.",
    flags: { watch: { summary: "Redraw every second until Ctrl-C" } },
    examples: ["constel status", "constel status --watch"],
    load: async () => (await import("../commands/status.ts")).status,
  }),
];
