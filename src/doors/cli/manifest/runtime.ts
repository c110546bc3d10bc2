import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/runtime.ts");
const installable = ["claude", "codex", "opencode", "gemini"];

export const commands: readonly CommandDeclaration[] = [
  {
    name: "runtime list",
    summary: "List the agent programs constel supports and which are installed",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel runtime list"],
    load: async () => (await load()).list,
  },
  {
    name: "runtime check",
    summary: "Compare installed versions with those constel was tested with",
    details: "Exits 1 if a version differs or the named program is not installed.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "runtime", summary: "Only this one", optional: true }],
    examples: ["constel runtime check claude"],
    load: async () => (await load()).check,
  },
  {
    name: "install",
    summary: "Add /up and /down to an agent program's own commands",
    details:
      "Shows what would change; `--yes` does it. Files that constel did not write, or that were changed since, are left alone.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [{ name: "runtime", summary: "The agent program", oneOf: installable }],
    flags: { yes: { summary: "Do it", short: "y" }, undo: { summary: "Remove what constel added" } },
    examples: ["constel install claude", "constel install claude --yes", "constel install claude --undo --yes"],
    load: async () => (await load()).install,
  },
];
