import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "eval",
    summary: "Measure how well constel foresees collisions",
    details: "Needs the sources: runs the clone's eval/run.ts. Exits 1 if a figure is below its target.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: {
      quick: { summary: "Fewer seeds and samples: under a minute" },
      show: { summary: "Show every mistake" },
      seed: { summary: "Seed for the random scenarios", value: "N" },
    },
    examples: ["constel eval --quick", "constel eval --show"],
    load: async () => (await import("../commands/clone-scripts.ts")).evaluate,
  },
  {
    name: "eval replay",
    summary: "Replay the merges of a repository's history against git's own",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "repository", summary: "The path of a repository with merges" }],
    flags: {
      limit: { summary: "How many merges", value: "N" },
      mode: {
        summary: "How the second side is prepared",
        value: "MODE",
        oneOf: ["committed", "uncommitted", "untracked"],
      },
    },
    examples: ["constel eval replay ../linux --limit 100"],
    load: async () => (await import("../commands/clone-scripts.ts")).replay,
  },
];
