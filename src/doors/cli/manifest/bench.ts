import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "bench",
    summary: "Measure constel's speed against a baseline measured in the same run",
    details: "Needs the sources: runs the clone's bench/run.ts. Exits 1 if a figure is more than twice its target.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "only", summary: "Names of entries to run", rest: true, optional: true }],
    flags: {
      full: { summary: "More rounds, and the slow entries too" },
      list: { summary: "List the entries" },
      fleet: {
        summary: "Measure this repository with more and more worktrees instead; it is cloned first",
        value: "DIRECTORY",
      },
      worktrees: {
        summary: "With --fleet: how many worktrees, one after the other (default 2,20,50,200)",
        value: "N,N",
      },
      minutes: { summary: "With --fleet: stop after this long (default 60)", value: "N" },
      into: { summary: "With --fleet: keep what was measured in this file, and go on from it", value: "FILE" },
    },
    examples: [
      "constel bench",
      "constel bench --full",
      "constel bench cli-start",
      "constel bench --fleet ~/src/vite --worktrees 2,20,50 --minutes 30 --into vite.json",
    ],
    load: async () => (await import("../commands/clone-scripts.ts")).bench,
  },
];
