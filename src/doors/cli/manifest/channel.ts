import { allowSecretFlag } from "../allow-secret.ts";
import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/channel.ts");
const agent = { name: "agent", summary: "An agent's id: agent0, agent3, agentinfinity", offers: "agents" } as const;

const sendFlags = {
  task: { summary: "The task it is about", value: "N", offers: "tasks" },
  thread: { summary: "The thread it belongs to", value: "T" },
  kind: { summary: "What kind of message it is (ready, question…)", value: "KIND" },
  "in-reply-to": { summary: "The id of the message it answers", value: "ID" },
  key: { summary: "Messages sent with the same key are delivered once", value: "KEY" },
  "requires-ack": { summary: "Ask the receiver to acknowledge it" },
  ...allowSecretFlag,
  wait: { summary: "Wait for a reply and print it" },
  timeout: { summary: "How long to wait (default 10m)", value: "TIME" },
} as const;

export const commands: readonly CommandDeclaration[] = [
  {
    name: "channel send",
    summary: "Send a message to an agent's inbox, or to several; needs no daemon",
    details:
      "`all` is every agent that is up, `agent1,agent2` are several: the message is stored for all of them in one step. `agent3@desk` is an agent of the peer desk (docs/guides/mesh.md). `sent` means the message is stored on disk. To see whether it reached the agent, use `constel channel ls` or the `messages` table.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [
      { ...agent, several: true },
      { name: "text", summary: "What to say; `-` reads standard input", rest: true },
    ],
    flags: sendFlags,
    examples: [
      'constel channel send agent1 "the parser moved to src/parse" --task 12',
      'constel channel send agent2 "which port?" --wait',
      'constel channel send agent3@desk "the parser moved"',
      'constel channel send all "main moved; rebase before you go on"',
    ],
    load: async () => (await load()).send,
  },
  {
    name: "tell",
    summary: "Say something to an agent as its owner",
    details:
      "`constel channel send` in the owner's name: the agent sees that it comes from the owner, which the signature proves. No agent can do this.",
    tier: "floor",
    may: "owner",
    effect: "writes",
    arguments: [
      { ...agent, several: true },
      { name: "text", summary: "What to say; `-` reads standard input", rest: true },
    ],
    flags: sendFlags,
    examples: [
      'constel tell agent1 "leave the parser alone; do the tests first"',
      'constel tell all "stop and commit"',
    ],
    load: async () => (await load()).send,
  },
  {
    name: "channel reply",
    summary: "Answer a message in its thread",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [
      { name: "message", summary: "The id of a message that you were sent" },
      { name: "text", summary: "What to say; `-` reads standard input", rest: true },
    ],
    flags: {
      ...allowSecretFlag,
      as: {
        summary: "Whose mailbox the message is in (the owner only; default: yours)",
        value: "AGENT",
        offers: "agents",
      },
    },
    examples: ['constel channel reply msg_01k… "port 8080"'],
    load: async () => (await load()).reply,
  },
  {
    name: "channel wait",
    summary: "Wait for the answer to a message, or for the next message in a thread, and print it",
    details:
      "Exits 1 if none came in time. It stops when nobody reads its output any more, so that no message is taken and lost.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [{ name: "message", summary: "The id of a message that you sent", optional: true }],
    flags: {
      thread: { summary: "A thread, instead of a message", value: "T" },
      timeout: { summary: "How long to wait (default 10m)", value: "TIME" },
    },
    examples: ["constel channel wait msg_01k… --timeout 2m", "constel channel wait --thread parser-move"],
    load: async () => (await load()).wait,
  },
  {
    name: "channel drain",
    summary: "Take an agent's messages from its inbox and print them, oldest first",
    details:
      "Printed messages count as delivered. `--json` prints the envelopes; otherwise you see the text a model is shown.",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [{ ...agent, optional: true }],
    flags: {
      max: { summary: "At most this many (default 50)", value: "N" },
      follow: { summary: "Keep waiting for more, one JSON line per message", short: "f" },
    },
    examples: ["constel channel drain agent1", "constel channel drain agent1 --follow"],
    load: async () => (await load()).drain,
  },
  {
    name: "channel ls",
    summary: "List mailboxes: messages waiting, handed out, done and rejected",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ ...agent, optional: true }],
    examples: ["constel channel ls", "constel channel ls agent1 --json"],
    load: async () => (await load()).list,
  },
  asking("message.list", {
    name: "channel messages",
    details:
      "From the account that the daemon keeps of the bus. `constel channel ls` counts what lies in each mailbox.",
    flags: {
      undelivered: { field: "undelivered" },
      agent: { field: "agent", offers: "agents" },
      thread: { field: "thread", value: "T" },
      limit: { field: "limit", short: "n" },
    },
    examples: ["constel channel messages", "constel channel messages --undelivered --json"],
    load: async () => (await import("../commands/messages.ts")).list,
  }),
  {
    name: "channel threads",
    summary: "The threads an agent takes part in",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [agent],
    examples: ["constel channel threads agent0"],
    load: async () => (await load()).threads,
  },
  {
    name: "channel history",
    summary: "Show the messages of a thread",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ name: "thread", summary: "The thread's name, or the id of a message in it" }],
    flags: { limit: { summary: "How many of the newest (default 100)", value: "COUNT" } },
    examples: ["constel channel history parser-move"],
    load: async () => (await load()).history,
  },
  {
    name: "channel poison ls",
    summary: "List rejected messages and why they were rejected",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [{ ...agent, optional: true }],
    examples: ["constel channel poison ls"],
    load: async () => (await load()).poisonList,
  },
  {
    name: "channel poison retry",
    summary: "Move a rejected message back to the inbox",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [agent, { name: "name", summary: "As `channel poison ls` shows it" }],
    examples: ["constel channel poison retry agent1 00000001794717412852-…"],
    load: async () => (await load()).poisonRetry,
  },
  {
    name: "channel poison drop",
    summary: "Delete a rejected message",
    tier: "floor",
    may: "everybody",
    effect: "writes",
    arguments: [agent, { name: "name", summary: "As `channel poison ls` shows it" }],
    examples: ["constel channel poison drop agent1 00000001794717412852-…"],
    load: async () => (await load()).poisonDrop,
  },
];
