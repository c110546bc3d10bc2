import { eventTypeNames, eventTypes } from "../../../protocol/event-types.ts";
import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const decisions = () => import("../commands/decision.ts");
const memory = () => import("../commands/memory.ts");
const about = { repo: { field: "repository" }, task: { field: "task" } } as const;
const decision = { field: "id", offers: "decisions" } as const;
const remembered = { field: "id", offers: "memories" } as const;
const service = { field: "service", value: "SERVICE" } as const;
const reason = { reason: { field: "reason", value: "TEXT" } } as const;
const limit = { field: "limit", short: "n" } as const;

/** `test-failed (test*, command)`. */
const shapeOf = (type: keyof typeof eventTypes): string => {
  const { requires, allows } = eventTypes[type];
  const fields = [...requires.map((name) => `${name}*`), ...allows];
  return fields.length === 0 ? type : `${type} (${fields.join(", ")})`;
};

export const commands: readonly CommandDeclaration[] = [
  asking("event.publish", {
    name: "publish",
    summary: "Publish a typed event to the agents it concerns",
    details: `An event must be addressed: to named agents, or by paths, topics, services, a capability or a task. Types and the fields they take, needed ones with a star: ${eventTypeNames.map(shapeOf).join(", ")}.`,
    arguments: [{ field: "type" }, { field: "text", rest: true }],
    flags: {
      to: { field: "to" },
      path: { field: "paths", value: "PATH" },
      ...about,
      topic: { field: "topics", value: "TOPIC" },
      service: { field: "services", value: "SERVICE" },
      capability: { field: "capability", value: "WORD" },
      field: { summary: "A field of its type", value: "NAME=VALUE", repeat: true },
      severity: { field: "severity", value: "LEVEL" },
      key: { field: "key", value: "KEY" },
      blocking: { field: "blocking" },
    },
    examples: [
      'constel publish blocked "the migration of agent2 must land first" --to agent2 --task 12',
      'constel publish test-failed "login fails on main" --field test=login --path src/login.ts',
      'constel publish hand-off "release 2.0 can go out" --to agent1 --blocking',
    ],
    load: async () => (await import("../commands/publish.ts")).publish,
  }),
  asking("decision.record", {
    name: "decision add",
    elsewhere: true,
    summary: "Record a decision, or replace an earlier one",
    details:
      "What the owner records is marked as verified by the owner. An agent cannot replace or reject such a decision; it can record a draft beside it.",
    arguments: [{ field: "title", rest: true }],
    flags: {
      text: { field: "text", value: "TEXT" },
      draft: { field: "draft" },
      file: { field: "files", value: "PATH" },
      ...about,
      service,
      supersedes: { field: "supersedes", value: "ID", offers: "decisions" },
    },
    examples: ['constel decision add "Money is stored in cents" --file src/price.ts --text "floats lost a cent"'],
    load: async () => (await decisions()).add,
  }),
  asking("decision.list", {
    name: "decision ls",
    elsewhere: true,
    summary: "List decisions that hold, the newest first",
    arguments: [{ field: "query", name: "words", rest: true }],
    flags: {
      all: {
        field: "states",
        means: ["draft", "active", "superseded", "rejected"],
        summary: "Also superseded and rejected ones",
        short: "a",
      },
      file: { field: "file", value: "PATH" },
      ...about,
      service,
      limit,
    },
    examples: ["constel decision ls", "constel decision ls --file src/price.ts"],
    load: async () => (await decisions()).list,
  }),
  asking("decision.show", {
    name: "decision show",
    elsewhere: true,
    summary: "Show one decision",
    arguments: [decision],
    examples: ["constel decision show 4k2p9x"],
    load: async () => (await decisions()).show,
  }),
  asking("decision.settle", {
    name: "decision accept",
    elsewhere: true,
    summary: "Make a draft active; the owner's word also verifies it",
    fixed: { verdict: "accept" },
    arguments: [decision],
    flags: reason,
    examples: ["constel decision accept 4k2p9x"],
    load: async () => (await decisions()).settle,
  }),
  asking("decision.settle", {
    name: "decision reject",
    elsewhere: true,
    summary: "Reject a decision",
    fixed: { verdict: "reject" },
    arguments: [decision],
    flags: reason,
    examples: ['constel decision reject 4k2p9x --reason "we keep floats"'],
    load: async () => (await decisions()).settle,
  }),
  asking("memory.remember", {
    name: "memory add",
    elsewhere: true,
    summary: "Remember a short text for later sessions",
    arguments: [{ field: "text", rest: true }],
    flags: { own: { field: "own" }, ...about, pin: { field: "pinned" }, "valid-while": { field: "valid_while" } },
    examples: [
      'constel memory add "the tests need a running Postgres" --pin',
      'constel memory add "retry is safe to call twice" --valid-while src/retry.ts',
    ],
    load: async () => (await memory()).add,
  }),
  asking("memory.recall", {
    name: "memory recall",
    elsewhere: true,
    summary: "Search what was remembered, by words; without any, show the pinned and newest",
    arguments: [{ field: "query", name: "words", rest: true }],
    flags: { ...about, pinned: { field: "pinned" }, stale: { field: "stale" }, limit },
    examples: ["constel memory recall postgres tests", "constel memory recall --stale"],
    load: async () => (await memory()).recall,
  }),
  asking("memory.pin", {
    name: "memory pin",
    elsewhere: true,
    summary: "Show a memory at the start of every session",
    arguments: [remembered],
    flags: { off: { field: "pinned", means: false, summary: "Unpin it" } },
    examples: ["constel memory pin 4k2p9x"],
    load: async () => (await memory()).pin,
  }),
  asking("memory.forget", {
    name: "memory forget",
    elsewhere: true,
    arguments: [remembered],
    examples: ["constel memory forget 4k2p9x"],
    load: async () => (await memory()).forget,
  }),
];
