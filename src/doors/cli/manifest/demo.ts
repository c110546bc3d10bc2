import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "demo",
    summary: "See it at work in two minutes: scripted agents, real git; no account, no network, nothing left",
    details:
      "Makes a directory of its own with a repository, a home and a tmux server, runs the commands it shows, and removes " +
      "all of it, also on Ctrl-C. Needs git and tmux. Exit code 0 only when everything it tells of was seen.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: {
      fast: { summary: "Without pauses for reading" },
      keep: { summary: "Leave it running at the end, and say how to look at it and how to end it" },
    },
    examples: ["constel demo", "constel demo --fast"],
    load: async () => (await import("../commands/demo.ts")).demo,
  },
  {
    name: "demo-agent",
    summary: "The agent of the demo: does the edits that its brief lists",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    hidden: true,
    examples: ["constel demo-agent"],
    load: async () => (await import("../commands/demo-agent.ts")).demoAgent,
  },
];
