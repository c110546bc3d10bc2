import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/daemon.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "daemon start",
    summary: "Start the daemon, unless it runs",
    tier: "change",
    examples: ["constel daemon start"],
    load: async () => (await load()).start,
  },
  {
    name: "daemon stop",
    summary: "Let the daemon finish what is under way, and end it",
    tier: "floor",
    may: "operators",
    effect: "writes",
    examples: ["constel daemon stop"],
    load: async () => (await load()).stop,
  },
  {
    name: "daemon status",
    summary: "Whether the daemon runs, since when, and how it fares",
    details: "Exit code 1 when it does not run. Looking never starts it.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel daemon status", "constel daemon status --json"],
    load: async () => (await load()).status,
  },
  {
    name: "daemon logs",
    summary: "The last lines of the daemon's log",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: { lines: { summary: "How many lines (default 50)", value: "N", short: "n" } },
    examples: ["constel daemon logs -n 20"],
    load: async () => (await load()).logs,
  },
  {
    name: "daemon token",
    summary: "Print the token of the TCP surface, making it when there is none",
    tier: "floor",
    may: "owner",
    effect: "writes",
    examples: ["constel daemon token"],
    load: async () => (await load()).token,
  },
  {
    name: "daemon run",
    summary: "Run the daemon in the foreground",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: { "existing-home": { summary: "Fail where there is no home, instead of making one" } },
    examples: ["constel daemon run"],
    load: async () => (await load()).runHere,
  },
];
