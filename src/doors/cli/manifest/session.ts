import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/session.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "session up",
    summary: "Begin an agent's session: twelve steps as code, one line each",
    details:
      "Works with the daemon, the database and MCP all dead. Prints the readiness line `agent<N> session <K> starting at <UTC>`. Exit code 1 when the agent must not work yet.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    examples: ["constel session up", "constel session up --json"],
    load: async () => (await load()).up,
  },
  {
    name: "session down",
    summary: "End an agent's session: leave notes for the next one",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: {
      did: { summary: "What was done", value: "TEXT" },
      why: { summary: "Why it was done so", value: "TEXT" },
      pickup: { summary: "Where the next session goes on", value: "TEXT" },
      loop: { summary: "The loop this session ran under, to be taken up again", value: "LABEL" },
    },
    examples: [
      'constel session down --did "moved the parser" --why "it was in two places" --pickup "tests of the parser"',
    ],
    load: async () => (await load()).down,
  },
  {
    name: "onboard",
    summary: "Set up home and root directory: directories, constel.toml, notes",
    tier: "floor",
    may: "operators",
    effect: "writes",
    examples: ["constel onboard"],
    load: async () => (await load()).onboardHere,
  },
  {
    name: "escalate",
    summary: "Tell the owner, with no daemon, no model and no MCP",
    details: "Channels are in config.toml under [[escalate.channels]]. Exit code 1 when nobody could be told.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      { name: "subject", summary: "One line" },
      { name: "body", summary: "More", optional: true },
    ],
    flags: { urgent: { summary: "Marks it as urgent" } },
    examples: ['constel escalate "disk is full" "constel2 has 12 MB left"'],
    load: async () => (await load()).escalateNow,
  },
  {
    name: "quiet",
    summary: "Keep the watchdog silent for a while",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      { name: "time", summary: "90m, 2h, 07:30 (UTC), an ISO time, `off`, or nothing to look", optional: true },
    ],
    examples: ["constel quiet 2h", "constel quiet off"],
    load: async () => (await load()).quietly,
  },
];
