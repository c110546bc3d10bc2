import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/runtime.ts");
const installable = ["claude", "codex", "opencode", "gemini"];

export const commands: readonly CommandDeclaration[] = [
  {
    name: "runtime list",
    summary: "The agent programs constel knows, and which are installed",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel runtime list"],
    load: async () => (await load()).list,
  },
  {
    name: "runtime check",
    summary: "Whether installed versions are the ones constel was checked with",
    details: "Exit code 1 when one is not, or when the named one is not installed.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "runtime", summary: "Only this one", optional: true }],
    examples: ["constel runtime check claude"],
    load: async () => (await load()).check,
  },
  {
    name: "install",
    summary: "Put /up and /down into an agent program's own commands",
    details:
      "Shows what would change; `--yes` does it. Files that are not constel's, or were changed since, are left alone.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [{ name: "runtime", summary: "The agent program", oneOf: installable }],
    flags: { yes: { summary: "Do it", short: "y" }, undo: { summary: "Take away what constel put there" } },
    examples: ["constel install claude", "constel install claude --yes", "constel install claude --undo --yes"],
    load: async () => (await load()).install,
  },
];
