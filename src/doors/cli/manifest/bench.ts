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
    flags: { full: { summary: "More rounds, and the slow entries too" }, list: { summary: "List the entries" } },
    examples: ["constel bench", "constel bench --full", "constel bench cli-start"],
    load: async () => (await import("../commands/clone-scripts.ts")).bench,
  },
];
