import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/approvals.ts");

const id = { field: "id", offers: "approvals" } as const;
const all = { all: { field: "all", short: "a" } } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("approval.list", {
    name: "approvals",
    elsewhere: true,
    summary: "List the permission requests that wait for you",
    flags: all,
    examples: ["constel approvals"],
    load: async () => (await load()).list,
  }),
  asking("approval.list", {
    name: "approvals ls",
    elsewhere: true,
    summary: "List the permission requests that wait for you",
    flags: all,
    examples: ["constel approvals ls --all"],
    load: async () => (await load()).list,
  }),
  asking("approval.answer", {
    name: "approvals allow",
    elsewhere: true,
    summary: "Let an agent do what it asks for, this once",
    details: "To allow it for good, write a rule: docs/guides/schedules-and-approvals.md.",
    fixed: { allow: true },
    arguments: [id],
    examples: ["constel approvals allow 4k2p9x"],
    load: async () => (await load()).answer,
  }),
  asking("approval.answer", {
    name: "approvals deny",
    elsewhere: true,
    summary: "Refuse what an agent asks for",
    fixed: { allow: false },
    arguments: [id, { field: "note", rest: true }],
    examples: ['constel approvals deny 4k2p9x "never push by hand; use task ready"'],
    load: async () => (await load()).answer,
  }),
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
