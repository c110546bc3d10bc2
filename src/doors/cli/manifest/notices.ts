import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/notices.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "notices",
    summary: "What agents were told, or will be told at their next safe moment",
    details:
      "One line per notice. `waiting`: not told yet. `told`: the hook or message that is named proves it. `handled`: the agent dealt with it, or said so. `withdrawn`: it ended without the agent. `constel why` explains one.",
    tier: "read",
    flags: {
      agent: { summary: "Only what is addressed to this agent", value: "AGENT", offers: "agents" },
      all: { summary: "Include notices that have ended" },
      limit: { summary: "How many lines (default 50)", value: "N", short: "n" },
    },
    examples: ["constel notices", "constel notices --agent agent2 --all"],
    load: async () => (await load()).notices,
  },
  {
    name: "notices done",
    summary: "Say that a notice was dealt with",
    tier: "change",
    arguments: [{ name: "id", summary: "The notice: its id, or the end of it", offers: "notices" }],
    examples: ["constel notices done 4k2p9x"],
    load: async () => (await load()).done,
  },
  {
    name: "notices subscribe",
    summary: "Choose what an agent hears of besides its own work",
    details:
      "Replaces what the agent chose before. A capability brings it requests for reviews and hand-offs. `constel notices subscriptions` lists what is chosen.",
    tier: "change",
    flags: {
      agent: { summary: "The agent that subscribes (default: you)", value: "AGENT", offers: "agents" },
      repo: { summary: "The repository of the paths (default: every one)", value: "REPO", offers: "repositories" },
      path: { summary: "Changes of this path or pattern", value: "PATH", repeat: true },
      topic: { summary: "Events about this topic", value: "TOPIC", repeat: true },
      service: { summary: "Events about this service", value: "NAME", repeat: true },
      capability: { summary: "Something the agent can do", value: "NAME", repeat: true },
    },
    examples: ["constel notices subscribe --agent agent2 --topic releases --path 'src/api/**'"],
    load: async () => (await load()).subscribe,
  },
  {
    name: "notices subscriptions",
    summary: "What agents chose to hear of, and what they can do",
    tier: "read",
    flags: { agent: { summary: "Only those of this agent", value: "AGENT", offers: "agents" } },
    examples: ["constel notices subscriptions --agent agent2"],
    load: async () => (await load()).subscriptions,
  },
  {
    name: "notices unsubscribe",
    summary: "End everything that an agent chose to hear of",
    details: "What concerns its own work is still told.",
    tier: "change",
    flags: { agent: { summary: "The agent (default: you)", value: "AGENT", offers: "agents" } },
    examples: ["constel notices unsubscribe --agent agent2"],
    load: async () => (await load()).unsubscribe,
  },
  {
    name: "why",
    summary: "Why an agent was told something: the rule, the facts and the proof",
    tier: "read",
    arguments: [{ name: "notice", summary: "The notice: its id, or the end of it", offers: "notices" }],
    examples: ["constel why 4k2p9x"],
    load: async () => (await load()).why,
  },
];
