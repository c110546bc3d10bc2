import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "status",
    summary: "One screen: what needs you, the agents, the messages that have not arrived",
    details: "Exit code 1 when something needs you.",
    tier: "read",
    examples: ["constel status", "constel status --json"],
    load: async () => (await import("../commands/status.ts")).status,
  },
];
