import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/approvals.ts");

const id = { name: "id", summary: "The request: its id, or the end of it", offers: "approvals" } as const;
const all = { all: { summary: "Include answered and expired ones (the newest hundred)", short: "a" } } as const;

export const commands: readonly CommandDeclaration[] = [
  {
    name: "approvals",
    summary: "List the permission requests that wait for you",
    tier: "read",
    flags: all,
    examples: ["constel approvals"],
    load: async () => (await load()).list,
  },
  {
    name: "approvals ls",
    summary: "List the permission requests that wait for you",
    tier: "read",
    flags: all,
    examples: ["constel approvals ls --all"],
    load: async () => (await load()).list,
  },
  {
    name: "approvals allow",
    summary: "Let an agent do what it asks for, this once",
    details: "To allow it for good, write a rule: docs/guides/schedules-and-approvals.md.",
    tier: "change",
    arguments: [id],
    flags: allowSecretFlag,
    examples: ["constel approvals allow 4k2p9x"],
    load: async () => (await load()).allow,
  },
  {
    name: "approvals deny",
    summary: "Refuse what an agent asks for",
    tier: "change",
    arguments: [id, { name: "note", summary: "What to tell the agent", optional: true, rest: true }],
    flags: allowSecretFlag,
    examples: ['constel approvals deny 4k2p9x "never push by hand; use task ready"'],
    load: async () => (await load()).deny,
  },
  {
    name: "approvals check",
    summary: "Show what the rules answer to a command, without running or asking anything",
    details: "Judged as a Bash command of the agent, with its workspace. Exits 1 unless it is allowed.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "command", summary: "The command, in quotes", optional: true }],
    flags: {
      agent: { summary: "Whose command it is (default: you, or agent1)", value: "AGENT", offers: "agents" },
      in: { summary: "The directory it would run in (default: the current one)", value: "DIR" },
      request: { summary: "Read a request as JSON from stdin instead: tool, input, cwd" },
    },
    examples: ["constel approvals check 'git commit -m done && git push' --agent agent1"],
    load: async () => (await load()).check,
  },
];
