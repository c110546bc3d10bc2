import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "watch",
    summary: "The monitor: what needs you, agents with their screens, collisions, tasks, messages",
    details:
      "In the order of `constel attention`, drawn in place; it writes only what changes, so it is good over ssh. `?` shows all keys; each does what the command it names does. Agents go on when you leave it.",
    tier: "read",
    examples: ["constel watch"],
    load: async () => (await import("../commands/watch.ts")).watch,
  },
  asking("status.look", {
    name: "status",
    elsewhere: true,
    summary: "One screen: what needs you, the agents, the tasks, what collides",
    details:
      "Exits 1 if something needs you. If the database cannot be read, it says so and shows which agents are running.",
    flags: { watch: { summary: "Redraw every second until Ctrl-C" } },
    examples: ["constel status", "constel status --watch"],
    load: async () => (await import("../commands/status.ts")).status,
  }),
];
