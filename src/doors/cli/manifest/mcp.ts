import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "mcp",
    elsewhere: true,
    summary: "Serve constel's tools to an agent over MCP, on standard input and output",
    details:
      "For an agent's program to start, not for people. It acts for the agent in whose terminal it was started, otherwise for the owner, and ends when its input is closed. Over HTTP the daemon serves the same tools at /mcp when `http.enabled` is set. docs/guides/mcp.md shows how to add it to each program.",
    tier: "change",
    examples: ["constel mcp", "claude mcp add constel -- constel mcp", "codex mcp add constel -- constel mcp"],
    load: async () => (await import("../commands/mcp.ts")).serve,
  },
];
