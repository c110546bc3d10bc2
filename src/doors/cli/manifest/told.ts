import { eventSeverities, eventTypeNames, eventTypes } from "../../../protocol/event-types.ts";
import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const decisions = () => import("../commands/decision.ts");
const memory = () => import("../commands/memory.ts");
const limit = { summary: "How many at most (default 50)", value: "COUNT" };
const repo = {
  summary: "The repository: name, identity or a path in it",
  value: "REPO",
  offers: "repositories",
} as const;
const task = { summary: "The task it is about", value: "N", offers: "tasks" } as const;
const decision = { name: "id", summary: "The decision: its id, or the end of it", offers: "decisions" } as const;
const remembered = { name: "id", summary: "The memory: its id, or the end of it", offers: "memories" } as const;

/** `test-failed (test*, command)`. */
const shapeOf = (type: keyof typeof eventTypes): string => {
  const { requires, allows } = eventTypes[type];
  const fields = [...requires.map((name) => `${name}*`), ...allows];
  return fields.length === 0 ? type : `${type} (${fields.join(", ")})`;
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "publish",
    summary: "Publish a typed event to the agents it concerns",
    details: `An event must be addressed: to named agents, or by paths, topics, services, a capability or a task. Types and the fields they take, needed ones with a star: ${eventTypeNames.map(shapeOf).join(", ")}.`,
    tier: "change",
    arguments: [
      { name: "type", summary: "What kind of event it is", oneOf: eventTypeNames },
      { name: "text", summary: "What happened, in a sentence or two", rest: true },
    ],
    flags: {
      ...allowSecretFlag,
      to: { summary: "An agent it is for; may be given several times", value: "AGENT", offers: "agents", repeat: true },
      path: { summary: "A path it concerns", value: "PATH", repeat: true },
      repo,
      topic: { summary: "A topic it belongs to", value: "TOPIC", repeat: true },
      service: { summary: "A service it concerns", value: "SERVICE", repeat: true },
      capability: { summary: "For agents that have this capability", value: "WORD" },
      task,
      field: { summary: "A field of its type", value: "NAME=VALUE", repeat: true },
      severity: { summary: "How serious it is (default: by type)", value: "LEVEL", oneOf: eventSeverities },
      key: { summary: "An event published again with the same key counts as the same event", value: "KEY" },
    },
    examples: [
      'constel publish blocked "the migration of agent2 must land first" --to agent2 --task 12',
      'constel publish test-failed "login fails on main" --field test=login --path src/login.ts',
    ],
    load: async () => (await import("../commands/publish.ts")).publish,
  },
  {
    name: "decision add",
    summary: "Record a decision, or replace an earlier one",
    details:
      "What the owner records is marked as verified by the owner. An agent cannot replace or reject such a decision; it can record a draft beside it.",
    tier: "change",
    arguments: [{ name: "title", summary: "What was decided, in a sentence", rest: true }],
    flags: {
      ...allowSecretFlag,
      text: { summary: "Why, and what follows from it", value: "TEXT" },
      draft: { summary: "Only proposed so far" },
      file: { summary: "A file, directory or pattern it is about", value: "PATH", repeat: true },
      repo,
      service: { summary: "The service it is about", value: "SERVICE" },
      task,
      supersedes: { summary: "The decision it replaces", value: "ID", offers: "decisions" },
    },
    examples: ['constel decision add "Money is stored in cents" --file src/price.ts --text "floats lost a cent"'],
    load: async () => (await decisions()).add,
  },
  {
    name: "decision ls",
    summary: "List decisions that hold, the newest first",
    tier: "read",
    arguments: [{ name: "words", summary: "Only those that contain all of these", rest: true, optional: true }],
    flags: {
      all: { summary: "Also superseded and rejected ones" },
      file: { summary: "Only those about this file", value: "PATH" },
      repo,
      service: { summary: "Only of this service", value: "SERVICE" },
      task,
      limit,
    },
    examples: ["constel decision ls", "constel decision ls --file src/price.ts"],
    load: async () => (await decisions()).list,
  },
  {
    name: "decision show",
    summary: "Show one decision",
    tier: "read",
    arguments: [decision],
    examples: ["constel decision show 4k2p9x"],
    load: async () => (await decisions()).show,
  },
  {
    name: "decision accept",
    summary: "Make a draft active; the owner's word also verifies it",
    tier: "change",
    arguments: [decision],
    flags: {
      ...allowSecretFlag,
      reason: { summary: "Why", value: "TEXT" },
    },
    examples: ["constel decision accept 4k2p9x"],
    load: async () => (await decisions()).accept,
  },
  {
    name: "decision reject",
    summary: "Reject a decision",
    tier: "change",
    arguments: [decision],
    flags: {
      ...allowSecretFlag,
      reason: { summary: "Why", value: "TEXT" },
    },
    examples: ['constel decision reject 4k2p9x --reason "we keep floats"'],
    load: async () => (await decisions()).reject,
  },
  {
    name: "memory add",
    summary: "Remember a short text for later sessions",
    tier: "change",
    arguments: [{ name: "text", summary: "What to remember", rest: true }],
    flags: {
      ...allowSecretFlag,
      own: { summary: "Only for whoever remembers it" },
      repo,
      task,
      pin: { summary: "Show it at the start of every session" },
    },
    examples: ['constel memory add "the tests need a running Postgres" --pin'],
    load: async () => (await memory()).add,
  },
  {
    name: "memory recall",
    summary: "Search what was remembered, by words; without any, show the pinned and newest",
    tier: "change",
    arguments: [
      { name: "words", summary: "Words to look for; texts with more of them come first", rest: true, optional: true },
    ],
    flags: {
      repo,
      task,
      pinned: { summary: "Only pinned ones" },
      limit: { ...limit, summary: "How many at most (default 20)" },
    },
    examples: ["constel memory recall postgres tests"],
    load: async () => (await memory()).recall,
  },
  {
    name: "memory pin",
    summary: "Show a memory at the start of every session",
    tier: "change",
    arguments: [remembered],
    flags: { off: { summary: "Unpin it" } },
    examples: ["constel memory pin 4k2p9x"],
    load: async () => (await memory()).pin,
  },
  {
    name: "memory forget",
    summary: "Delete a memory for good",
    tier: "change",
    arguments: [remembered],
    examples: ["constel memory forget 4k2p9x"],
    load: async () => (await memory()).forget,
  },
];
