import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "version",
    summary: "Show which constel this is: version, build and where it is installed",
    tier: "floor",
    may: "anybody",
    effect: "reads",
    examples: ["constel version", "constel version --json"],
    load: async () => (await import("../commands/version.ts")).show,
  },
];
