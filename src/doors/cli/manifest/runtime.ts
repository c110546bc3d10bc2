import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/runtime.ts");
const installable = ["claude", "codex", "opencode", "gemini", "all"];

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
    arguments: [{ name: "runtime", summary: "Only this one", offers: "runtimes", optional: true }],
    examples: ["constel runtime check", "constel runtime check claude", "constel runtime check codex"],
    load: async () => (await load()).check,
  },
  {
    name: "install",
    summary: "Connect sessions that you start yourself to constel: hooks, instructions, /up and /down",
    details:
      "Adds to the program's own settings and keeps every other byte of them. Shows what would change and asks; without a terminal to ask on, it needs `--yes`. `--undo` puts the files back as they were. A link is followed to a file of your own; a file that is read-only or cannot be read is refused, and nothing is written.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      { name: "runtime", summary: "The agent program; all: every one that is installed", oneOf: installable },
    ],
    flags: {
      project: { summary: "Only for the repository you are in" },
      global: { summary: "For every session of yours (the default)" },
      print: { summary: "Print the files as they would be, and write nothing" },
      yes: { summary: "Do it without asking", short: "y" },
      undo: { summary: "Take away what constel added" },
    },
    examples: ["constel install claude", "constel install all --yes", "constel install codex --undo --yes"],
    load: async () => (await import("../commands/install.ts")).install,
  },
];
