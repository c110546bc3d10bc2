import type { CommandDeclaration } from "../input/command.ts";
import type { FlagDeclaration } from "../input/command-shape.ts";

const load = () => import("../commands/service.ts");

const flags: Readonly<Record<string, FlagDeclaration>> = {
  manager: { summary: "systemd, launchd or cron; without it, the one this machine has", value: "NAME" },
  print: { summary: "Show what would be written and run, and change nothing" },
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "service install",
    summary: "Have the machine's scheduler run the watchdog every two minutes, even after a reboot",
    details:
      "systemd of this user, launchd, or a line in the crontab. Files that are not constel's, or were changed by hand, are left alone. Keys that agents need at boot: NAME=value lines in `service.env` in the home.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    flags,
    examples: ["constel service install --print", "constel service install", "constel service install --manager cron"],
    load: async () => (await load()).install,
  },
  {
    name: "service uninstall",
    summary: "Remove what `service install` set up",
    tier: "floor",
    may: "owner",
    effect: "destroys",
    flags,
    examples: ["constel service uninstall"],
    load: async () => (await load()).uninstall,
  },
  {
    name: "service status",
    summary: "Show whether the machine's scheduler runs the watchdog",
    details: "Exits 1 if it does not.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags,
    examples: ["constel service status"],
    load: async () => (await load()).status,
  },
];
