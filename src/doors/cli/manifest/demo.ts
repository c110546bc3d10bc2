import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "demo",
    summary: "Watch it work in about a minute: scripted agents, real git, no account, no network",
    details:
      "Creates a temporary repository, home and tmux server, runs the commands it shows, and removes everything afterwards, also on Ctrl-C. Needs git and tmux. Exits 0 only if it saw everything it reports. A part alone: `collision` (two foreseen, one silence), `contract` (a break in another repository), `night` (a cron, a crash of an agent and of the daemon, the page of the morning), `review` (nothing lands unread), `mesh` (two constellations, a line between them, a message across).",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [
      {
        name: "part",
        summary: "collision, contract, night, review or mesh (default: the whole story)",
        optional: true,
      },
    ],
    flags: {
      fast: { summary: "Skip the pauses for reading" },
      dashboard: { summary: "Show the story in the dashboard too, and leave it there until you press Enter" },
      keep: { summary: "Leave it running at the end and show how to look around and how to stop it" },
    },
    examples: [
      "constel demo",
      "constel demo --fast",
      "constel demo collision",
      "constel demo night",
      "constel demo --dashboard",
    ],
    load: async () => (await import("../commands/demo.ts")).demo,
  },
  {
    name: "demo-agent",
    summary: "The demo's agent: makes the edits listed in its brief",
    tier: "floor",
    may: "anybody",
    effect: "writes",
    hidden: true,
    examples: ["constel demo-agent"],
    load: async () => (await import("../commands/demo-agent.ts")).demoAgent,
  },
];
