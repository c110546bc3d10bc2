import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/watchdog.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "watchdog tick",
    summary: "Run one watchdog round: bring back agents, daemon and ticker, look for hangs, sweep archives",
    details:
      "One at a time, with no daemon, no database and no model. The ticker runs it every minute. Exits 1 if a wanted agent was not running or a step failed.",
    tier: "floor",
    // A service manager or cron calls it; a clone's process is refused by the command itself.
    may: "anybody",
    effect: "writes",
    flags: { "existing-home": { summary: "Fail if there is no home, instead of creating one" } },
    examples: ["constel watchdog tick", "constel watchdog tick --json"],
    load: async () => (await load()).tick,
  },
  {
    name: "watchdog ticker",
    summary: "Run a watchdog round every minute",
    tier: "floor",
    // It begins before it is written down that this process is the ticker.
    may: "anybody",
    effect: "writes",
    hidden: true,
    examples: ["constel watchdog ticker"],
    load: async () => (await load()).ticker,
  },
  {
    name: "script-agent",
    summary: "An agent that acknowledges messages and does nothing else, for tests and demos",
    tier: "floor",
    may: "anybody",
    effect: "writes",
    hidden: true,
    examples: ["constel script-agent"],
    load: async () => (await import("../commands/script-agent.ts")).scriptAgent,
  },
  {
    name: "adopt-orphans",
    summary: "Become a program that keeps every process below it",
    tier: "floor",
    may: "anybody",
    effect: "writes",
    hidden: true,
    arguments: [{ name: "command", summary: "The program and its arguments", rest: true }],
    flags: { apart: { summary: "Keep it from the abstract sockets of other programs, where the kernel can" } },
    examples: ["constel adopt-orphans -- sh"],
    load: async () => (await import("../commands/adopt-orphans.ts")).adoptOrphans,
  },
];
