import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "docs",
    summary: "Read or search the documentation, which is inside the program, or write it as a site",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [{ name: "page", summary: "A page, or words to search for", optional: true, rest: true }],
    flags: {
      to: { summary: "Write all of it into this directory, as pages that open without a network", value: "DIR" },
    },
    examples: ["constel docs", "constel docs nights", "constel docs merge gate", "constel docs --to site"],
    load: async () => (await import("../commands/docs.ts")).docs,
  },
];
