import { accountFlag } from "../account-flag.ts";
import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/restart.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "restart",
    summary: "Restart agents as they were, and release what the watchdog has given up",
    details:
      "Same runtime, and the same conversation where the runtime can resume it. Everything that could be refused is checked before an agent is stopped. The restart is made by a process of its own, so an agent may restart itself. Without a name: agent0. Exits 1 if an agent did not get ready.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    insideRoot: true,
    arguments: [{ name: "agent", summary: "Its number or name: 3, agent3", offers: "agents", optional: true }],
    flags: {
      ...allowSecretFlag,
      all: { summary: "Every numbered agent that is wanted" },
      handoff: { summary: "A text file for the restarted agent, sent to it as a message", value: "FILE" },
      fresh: { summary: "Begin a new conversation" },
      account: accountFlag,
      "no-wait": { summary: "Do not wait until the agents are ready" },
    },
    examples: [
      "constel restart 3",
      "constel restart --all",
      "constel restart 3 --handoff notes.md",
      "constel restart 3 --account second",
    ],
    load: async () => (await load()).restart,
  },
  {
    name: "restart-run",
    summary: "Make a restart that was asked for",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    hidden: true,
    arguments: [{ name: "agents", summary: "Their names", rest: true }],
    flags: {
      because: { summary: "restart, crash or hang", value: "WHY" },
      fresh: { summary: "Begin a new conversation" },
      account: accountFlag,
    },
    examples: ["constel restart-run agent3 --because crash"],
    load: async () => (await load()).run,
  },
  {
    name: "handoffs ls",
    summary: "List handoffs: what agents had in hand when they went down, and what operators gave them",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel handoffs ls"],
    load: async () => (await load()).list,
  },
  {
    name: "handoffs show",
    summary: "Show a handoff",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "name", summary: "Its name, or an agent for the newest: agent3", offers: "agents" }],
    examples: ["constel handoffs show agent3"],
    load: async () => (await load()).show,
  },
];
