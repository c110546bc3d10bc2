import type { CommandDeclaration } from "../command.ts";
import type { FlagDeclaration } from "../command-shape.ts";

const load = () => import("../commands/agents.ts");

const type: FlagDeclaration = {
  summary: "The agent program: claude, codex, opencode, gemini or script",
  value: "RUNTIME",
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "up",
    summary: "Bring up the constellation: daemon, ticker, root, clones and watchdog",
    details:
      "Who lives is left alone, so asking twice changes nothing. Clones that are wanted already come back too. Attaches to agent0 on a terminal.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    arguments: [{ name: "clones", summary: "Clones agent1 to agent<clones>", optional: true }],
    flags: { type, "no-attach": { summary: "Do not attach to agent0" } },
    examples: ["constel up 3", "constel up 2 --type script --no-attach"],
    load: async () => (await load()).up,
  },
  {
    name: "down",
    summary: "End agents with everything they started",
    details: "Without a name: root and clones. Nothing of an agent survives; what cannot be ended is named.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    insideRoot: true,
    arguments: [{ name: "agent", summary: "Only this one", optional: true }],
    flags: { all: { summary: "Also the ticker, the watchdog, the daemon and the tmux server" } },
    examples: ["constel down agent2", "constel down --all"],
    load: async () => (await load()).down,
  },
  {
    name: "agent",
    summary: "Start one agent, unless it runs",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    arguments: [{ name: "agent", summary: "Its number or name: 3, agent3" }],
    flags: { type, fresh: { summary: "End it first if it runs, and begin anew" } },
    examples: ["constel agent 3 --type codex", "constel agent 3 --fresh"],
    load: async () => (await load()).agent,
  },
  {
    name: "agentinfinity",
    summary: "Start the watchdog agent, unless it runs",
    details: "The runtime is remembered: it comes back on the same one.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    flags: { type, fresh: { summary: "End it first if it runs, and begin anew" } },
    examples: ["constel agentinfinity --type claude"],
    load: async () => (await load()).agentinfinity,
  },
  {
    name: "attach",
    summary: "Show an agent's terminal in this one (Ctrl-b d to leave)",
    tier: "floor",
    may: "operators",
    effect: "reads",
    arguments: [{ name: "agent", summary: "agent0 without it", optional: true }],
    examples: ["constel attach agent2"],
    load: async () => (await load()).attach,
  },
  {
    name: "agent show",
    summary: "All that is known of one agent: its state and why, sessions, messages, hooks and usage",
    tier: "read",
    arguments: [{ name: "agent", summary: "Its number or name: 3, agent3" }],
    examples: ["constel agent show 3"],
    load: async () => (await import("../commands/agent-show.ts")).agentShow,
  },
  {
    name: "agents",
    summary: "Who is wanted, who is there, and what each is doing",
    details:
      "What an agent is doing is the daemon's to tell; without it only who is there is shown. Exit code 1 when somebody who is wanted is not there.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel agents", "constel agents --json"],
    load: async () => (await load()).agents,
  },
];
