import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/config.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "config show",
    summary: "Show every setting, its value and where it comes from",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "key", summary: "One setting only", offers: "settings", optional: true }],
    examples: ["constel config show", "constel config show http.port --json"],
    load: async () => (await load()).show,
  },
  {
    name: "config set",
    summary: "Change a setting in config.toml and leave the rest of the file as it is",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      { name: "key", summary: "The setting, as `config show` lists it", offers: "settings" },
      { name: "value", summary: "Its new value", offers: "values", mayBeEmpty: true },
    ],
    examples: ["constel config set http.enabled true"],
    load: async () => (await load()).set,
  },
  {
    name: "config path",
    summary: "Show the paths of the home, root directory and config.toml",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel config path"],
    load: async () => (await import("../commands/config-path.ts")).path,
  },
];
