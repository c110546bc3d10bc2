import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "status",
    summary: "One screen: what needs you, the agents, the tasks, what collides",
    details:
      "Exit code 1 when something needs you. Where the database cannot be read it says so, and shows who is there.",
    tier: "read",
    flags: { watch: { summary: "Draw it again every second until Ctrl-C" } },
    examples: ["constel status", "constel status --watch"],
    load: async () => (await import("../commands/status.ts")).status,
  },
];
