import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "version",
    summary: "Show which constel this is",
    tier: "floor",
    may: "anybody",
    effect: "reads",
    examples: ["constel version", "constel version --json"],
    load:
      async () =>
      async ({ version }) => ({ json: { version }, text: `constel ${version}` }),
  },
];
