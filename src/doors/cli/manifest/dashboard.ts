import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("dashboard.open", {
    name: "dashboard",
    elsewhere: true,
    summary: "Open the dashboard in your browser",
    details:
      "Prints a link that works once, for two minutes, and opens it where there is a desktop. The browser then has a session of its own, for a day: `constel token ls` lists it, `constel token revoke` ends it. From another machine, forward the port first: `ssh -L 7433:127.0.0.1:7433 HOST`, then run `constel dashboard --no-open` there and open the link here.",
    flags: {
      "no-open": { summary: "Only print the link" },
      role: { field: "role" },
    },
    examples: ["constel dashboard", "constel dashboard --no-open --role observer"],
    load: async () => (await import("../commands/dashboard.ts")).open,
  }),
];
