import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/notices.ts");
const agent = { field: "agent" } as const;
const notice = { field: "id", offers: "notices" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("notice.list", {
    name: "notices",
    elsewhere: true,
    summary: "What agents were told, or will be told at their next safe moment",
    details:
      "One line per notice. `waiting`: not told yet. `told`: the hook or message that is named proves it. `handled`: the agent dealt with it, or said so. `withdrawn`: it ended without the agent. `constel why` explains one.",
    flags: { agent, all: { field: "all", short: "a" }, limit: { field: "limit", short: "n", usual: "50" } },
    examples: ["constel notices", "constel notices --agent agent2 --all"],
    load: async () => (await load()).notices,
  }),
  asking("notice.handle", {
    name: "notices done",
    arguments: [notice],
    examples: ["constel notices done 4k2p9x"],
    load: async () => (await load()).done,
  }),
  asking("notice.subscribe", {
    name: "notices subscribe",
    summary: "Choose what an agent hears of besides its own work",
    details:
      "Replaces what the agent chose before. A capability brings it requests for reviews and hand-offs. `constel notices subscriptions` lists what is chosen.",
    flags: {
      agent,
      repo: { field: "repository" },
      path: { field: "paths", value: "PATH" },
      topic: { field: "topics", value: "TOPIC" },
      service: { field: "services", value: "NAME" },
      capability: { field: "capabilities", value: "NAME" },
    },
    examples: ["constel notices subscribe --agent agent2 --topic releases --path 'src/api/**'"],
    load: async () => (await load()).subscribe,
  }),
  asking("notice.subscriptions", {
    name: "notices subscriptions",
    flags: { agent },
    examples: ["constel notices subscriptions --agent agent2"],
    load: async () => (await load()).subscriptions,
  }),
  asking("notice.subscribe", {
    name: "notices unsubscribe",
    summary: "End everything that an agent chose to hear of",
    details: "What concerns its own work is still told.",
    fixed: { paths: [], topics: [], services: [], capabilities: [] },
    flags: { agent: { field: "agent", summary: "The agent (default: you)" } },
    examples: ["constel notices unsubscribe --agent agent2"],
    load: async () => (await load()).unsubscribe,
  }),
  asking("notice.why", {
    name: "why",
    summary: "Why an agent was told something: the rule, the facts and the proof",
    arguments: [{ ...notice, name: "notice" }],
    examples: ["constel why 4k2p9x"],
    load: async () => (await load()).why,
  }),
];
