import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/watchdog.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "watchdog tick",
    summary: "Look after everything once: record what is wanted and seen, keep the daemon up, sweep mailboxes",
    details: "One at a time. Exit code 1 when somebody who is wanted is not there, or a step failed.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    flags: { "existing-home": { summary: "Fail where there is no home, instead of making one" } },
    examples: ["constel watchdog tick", "constel watchdog tick --json"],
    load: async () => (await load()).tick,
  },
  {
    name: "watchdog ticker",
    summary: "Call the watchdog once a minute",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    hidden: true,
    examples: ["constel watchdog ticker"],
    load: async () => (await load()).ticker,
  },
  {
    name: "script-agent",
    summary: "An agent that acknowledges messages and does nothing else, for tests and demos",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    hidden: true,
    examples: ["constel script-agent"],
    load: async () => (await import("../commands/script-agent.ts")).scriptAgent,
  },
];
