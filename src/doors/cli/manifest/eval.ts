import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "eval",
    summary: "Measure how well constel foresees collisions",
    details: "Needs the sources: it runs eval/run.ts of the clone. Exit code 1 when a figure is below its bar.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: {
      quick: { summary: "Fewer seeds and samples: under a minute" },
      show: { summary: "Show every mistake" },
      seed: { summary: "Where the scenarios' chance begins", value: "N" },
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
        summary: "How the second side is given",
        value: "MODE",
        oneOf: ["committed", "uncommitted", "untracked"],
      },
    },
    examples: ["constel eval replay ../linux --limit 100"],
    load: async () => (await import("../commands/clone-scripts.ts")).replay,
  },
];
