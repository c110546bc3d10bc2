import { accountFlag } from "../account-flag.ts";
import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";
import type { FlagDeclaration } from "../input/command-shape.ts";

const load = () => import("../commands/agents.ts");

const type: FlagDeclaration = {
  summary:
    "The agent program: claude, codex, opencode, gemini, qwen, kimi, script or remote (an agent of somebody else's, over A2A); untried: copilot, droid, cursor, agy",
  value: "RUNTIME",
  offers: "runtimes",
};

const restart: FlagDeclaration = {
  summary:
    "What the watchdog does when it is down: always (bring it back), after-failure (unless it ended with 0) or never",
  value: "KIND",
};

const driven: FlagDeclaration = {
  summary:
    "Drive its program over a pipe instead of typing into its terminal (claude, codex, opencode; the others always)",
};

const confined: FlagDeclaration = {
  summary:
    "Run it in a sandbox that hides constel's home, the other agents and your own files (bubblewrap on Linux; sandbox-exec on macOS, untried)",
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "up",
    summary: "Start the constellation: daemon, ticker, root, clones and watchdog",
    details:
      "Says first which sessions it starts: each is a program of its own. Besides the clones these are agent0 (the root; `agents.root = false` leaves it out) and agentinfinity (the watchdog). Agents already running are left alone, so this is safe to repeat. Whoever was taken down with `constel down`, or went with the machine, comes back on the same program and goes on with its conversation; with a number, as many clones as it says. On a terminal, attaches to agent0, or to the first clone if there is no root.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    arguments: [{ name: "clones", summary: "Clones agent1 to agent<clones>", optional: true }],
    flags: {
      type,
      account: accountFlag,
      restart,
      confined: {
        summary:
          "Run the clones in a sandbox that hides constel's home, the other agents and your own files (bubblewrap on Linux; sandbox-exec on macOS, untried)",
      },
      fresh: { summary: "Leave down whoever was taken down, and begin new conversations" },
      "no-attach": { summary: "Do not attach to an agent" },
    },
    examples: ["constel up", "constel up 3", "constel up 2 --type script --no-attach", "constel up 2 --confined"],
    load: async () => (await load()).up,
  },
  {
    name: "down",
    summary: "Stop agents and every process they started",
    details:
      "Without a name: the root and all clones, which the next `constel up` brings back. Processes that cannot be stopped are listed.",
    tier: "floor",
    may: "operators",
    effect: "destroys",
    insideRoot: true,
    arguments: [{ name: "agent", summary: "Only this one", offers: "agents", optional: true }],
    flags: { all: { summary: "Also the ticker, the watchdog, the daemon and the tmux server" } },
    examples: ["constel down agent2", "constel down --all"],
    load: async () => (await load()).down,
  },
  {
    name: "agent",
    summary: "Start one agent, unless it is already running",
    details: "It goes on with its last conversation on the same program, unless `--fresh` is given.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    arguments: [{ name: "agent", summary: "Its number or name: 3, agent3", offers: "agents" }],
    flags: {
      type,
      account: accountFlag,
      restart,
      confined,
      driven,
      model: {
        summary: "The model it uses, as its program names it; of remote: which agent, by its name in `a2a.remotes`",
        value: "MODEL",
      },
      fresh: { summary: "Stop it first if it is running, and start over" },
    },
    examples: [
      "constel agent 3 --type codex",
      "constel agent 3 --driven",
      "constel agent 3 --type remote --model theirs",
      "constel agent 3 --fresh",
      "constel agent 3 --fresh --confined",
    ],
    load: async () => (await load()).agent,
  },
  {
    name: "agentinfinity",
    summary: "Start the watchdog agent, unless it is already running",
    details: "The runtime is remembered, so the watchdog restarts on the same one.",
    tier: "floor",
    may: "operators",
    effect: "writes",
    insideRoot: true,
    flags: { type, restart, fresh: { summary: "Stop it first if it is running, and start over" } },
    examples: ["constel agentinfinity", "constel agentinfinity --type codex"],
    load: async () => (await load()).agentinfinity,
  },
  asking("agents.screen", {
    name: "screen",
    summary: "Show an agent's screen as rows of text, without attaching",
    details: "Exits 1 if there is no screen to show. Looking resizes nothing: the agent's terminal keeps its size.",
    arguments: [{ field: "agent", offers: "agents" }],
    flags: { follow: { summary: "Draw it again whenever it changes, until Ctrl-C", short: "f" } },
    examples: ["constel screen agent2", "constel screen 2 --follow"],
    load: async () => (await import("../commands/screen.ts")).screen,
  }),
  {
    name: "attach",
    summary: "Show an agent's terminal in this one (Ctrl-b d to leave)",
    tier: "floor",
    may: "operators",
    effect: "reads",
    arguments: [{ name: "agent", summary: "Default: agent0", offers: "agents", optional: true }],
    examples: ["constel attach agent2"],
    load: async () => (await load()).attach,
  },
  asking("agents.show", {
    name: "agent show",
    summary: "Everything known about one agent: its state and why, sessions, messages, hooks and usage",
    arguments: [{ field: "agent" }],
    examples: ["constel agent show 3"],
    load: async () => (await import("../commands/agent-show.ts")).agentShow,
  }),
  {
    name: "agents",
    summary: "List agents: wanted, running, and what each is doing",
    details:
      "Activity comes from the daemon; without it, only running agents are listed. Exits 1 if a wanted agent is not running.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: { all: { summary: "Also the ticker, which is no agent but has a terminal as they do" } },
    examples: ["constel agents", "constel agents --json"],
    load: async () => (await load()).agents,
  },
];
