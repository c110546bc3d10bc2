import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/session.ts");

const agent = {
  summary: "Whose session it is, when the owner runs it; an agent is itself",
  value: "AGENT",
  offers: "agents",
} as const;

export const commands: readonly CommandDeclaration[] = [
  {
    name: "session up",
    summary: "Begin an agent's session: twelve steps, one line each",
    details:
      "Works even when the daemon, the database and MCP are down. Prints the readiness line `agent<N> session <K> starting at <UTC>`. Exits 1 if the agent must not start work yet.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: { agent },
    examples: ["constel session up --agent agent0"],
    load: async () => (await load()).up,
  },
  {
    name: "session down",
    summary: "End an agent's session: leave notes for the next one",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    flags: {
      agent,
      did: { summary: "What was done", value: "TEXT" },
      why: { summary: "Why it was done so", value: "TEXT" },
      pickup: { summary: "Where the next session should continue", value: "TEXT" },
      loop: { summary: "The loop this session ran under, to be resumed", value: "LABEL" },
    },
    examples: [
      'constel session down --agent agent0 --did "moved the parser" --why "it was in two places" --pickup "tests of the parser"',
    ],
    load: async () => (await load()).down,
  },
  {
    name: "onboard",
    summary: "Set up the home and root directories, and watch the repository you are in",
    details:
      "Creates directories, constel.toml and notes where there is no root directory yet, and overwrites nothing. To watch the repository it starts the daemon if it is not running.",
    flags: { "no-repo": { summary: "Only the directories, with no daemon" } },
    tier: "floor",
    may: "operators",
    effect: "writes",
    examples: ["constel onboard"],
    load: async () => (await load()).onboardHere,
  },
  {
    name: "escalate",
    summary: "Notify the owner; needs no daemon, model or MCP",
    details: "Channels are configured in config.toml under [[escalate.channels]]. Exits 1 if no channel got through.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      { name: "subject", summary: "One line" },
      { name: "body", summary: "More", optional: true },
    ],
    flags: {
      urgent: { summary: "Marks it as urgent" },
      again: { summary: "Send it even if the same was sent within ten minutes" },
    },
    examples: ['constel escalate "disk is full" "constel2 has 12 MB left"'],
    load: async () => (await load()).escalateNow,
  },
  {
    name: "notify test",
    summary: "Send a test page through every channel, and say which got through",
    details: "Exits 1 unless every channel of config.toml took it.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    examples: ["constel notify test"],
    load: async () => (await load()).notifyTest,
  },
  {
    name: "quiet",
    summary: "Silence the watchdog for a while",
    tier: "floor",
    may: "operators",
    effect: "writes",
    arguments: [
      {
        name: "time",
        summary: "90m, 2h, 07:30 (UTC), an ISO time or `off`; without it, show the current state",
        optional: true,
      },
    ],
    examples: ["constel quiet 2h", "constel quiet off"],
    load: async () => (await load()).quietly,
  },
];
