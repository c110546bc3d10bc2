import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/daemon.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "daemon start",
    summary: "Start the daemon, unless it is already running",
    tier: "change",
    examples: ["constel daemon start"],
    load: async () => (await load()).start,
  },
  {
    name: "daemon stop",
    summary: "Stop the daemon after it finishes its current work",
    details: "It stays stopped, with the ticker running too, until a command needs it.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    examples: ["constel daemon stop"],
    load: async () => (await load()).stop,
  },
  {
    name: "daemon status",
    summary: "Show whether the daemon is running, since when, and its health",
    details: "Exits 1 if it is not running. Never starts it.",
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
    flags: {
      lines: { summary: "How many lines (default 50)", value: "N", short: "n" },
      follow: { summary: "Keep printing lines as they are written, until Ctrl-C", short: "f" },
    },
    examples: ["constel daemon logs -n 20", "constel daemon logs -f"],
    load: async () => (await load()).logs,
  },
  {
    name: "daemon run",
    summary: "Run the daemon in the foreground",
    tier: "floor",
    // The owner or a service manager starts it; an agent's process is refused by the command itself. Only the owner's own terminal chooses its settings.
    may: "anybody",
    effect: "writes",
    flags: { "existing-home": { summary: "Fail if there is no home, instead of creating one" } },
    examples: ["constel daemon run"],
    load: async () => (await load()).runHere,
  },
];
