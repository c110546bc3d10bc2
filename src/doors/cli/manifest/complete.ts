import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/complete.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "completion",
    summary: "Print the completion script for a shell",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "shell", summary: "bash, zsh or fish", oneOf: ["bash", "zsh", "fish"] }],
    examples: [
      'eval "$(constel completion bash)"',
      "constel completion fish > ~/.config/fish/completions/constel.fish",
    ],
    load: async () => (await load()).completion,
  },
  {
    name: "complete",
    summary: "Suggest the next word of a command line; called by the completion scripts",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    hidden: true,
    arguments: [
      {
        name: "words",
        summary: "The words so far; the last one is being typed",
        rest: true,
        optional: true,
        mayBeEmpty: true,
      },
    ],
    examples: ['constel complete -- daemon ""'],
    load: async () => (await load()).complete,
  },
];
