import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/channel.ts");
const agent = { name: "agent", summary: "An agent's id: agent0, agent3, agentinfinity" };

export const commands: readonly CommandDeclaration[] = [
  {
    name: "channel send",
    summary: "Put a message into an agent's inbox; needs no daemon",
    details:
      "Says `sent` when the message is on the disk. Whether it reached the agent is another state: `constel channel ls` and the table `messages` tell.",
    tier: "floor",
    arguments: [agent, { name: "text", summary: "What to say; `-` reads standard input", rest: true }],
    flags: {
      task: { summary: "The task it is about", value: "N" },
      thread: { summary: "The thread it belongs to", value: "T" },
      kind: { summary: "What kind of message it is (ready, question…)", value: "KIND" },
      "in-reply-to": { summary: "The id of the message it answers", value: "ID" },
      key: { summary: "Sending the same key twice is one message", value: "KEY" },
      "requires-ack": { summary: "Ask the receiver to acknowledge it" },
      wait: { summary: "Wait for a reply and print it" },
      timeout: { summary: "How long to wait (default 10m)", value: "TIME" },
    },
    examples: [
      'constel channel send agent1 "the parser moved to src/parse" --task 12',
      'constel channel send agent2 "which port?" --wait',
    ],
    load: async () => (await load()).send,
  },
  {
    name: "channel drain",
    summary: "Take an agent's messages, oldest first, and print them",
    details:
      "What is printed counts as delivered. `--json` prints the envelopes, otherwise the frame that a model is shown.",
    tier: "floor",
    arguments: [{ ...agent, optional: true }],
    flags: {
      max: { summary: "At most this many (default 50)", value: "N" },
      follow: { summary: "Wait for more and go on, one JSON line a message", short: "f" },
    },
    examples: ["constel channel drain agent1", "constel channel drain agent1 --follow"],
    load: async () => (await load()).drain,
  },
  {
    name: "channel ls",
    summary: "What lies in the mailboxes: waiting, handed out, done, poisoned",
    tier: "floor",
    arguments: [{ ...agent, optional: true }],
    examples: ["constel channel ls", "constel channel ls agent1 --json"],
    load: async () => (await load()).list,
  },
  {
    name: "channel threads",
    summary: "The threads an agent takes part in",
    tier: "floor",
    arguments: [agent],
    examples: ["constel channel threads agent0"],
    load: async () => (await load()).threads,
  },
  {
    name: "channel history",
    summary: "What was said in a thread",
    tier: "floor",
    arguments: [{ name: "thread", summary: "The thread's name, or the id of a message in it" }],
    examples: ["constel channel history parser-move"],
    load: async () => (await load()).history,
  },
  {
    name: "channel poison ls",
    summary: "Messages that were put aside, and why",
    tier: "floor",
    arguments: [{ ...agent, optional: true }],
    examples: ["constel channel poison ls"],
    load: async () => (await load()).poisonList,
  },
  {
    name: "channel poison retry",
    summary: "Put a poisoned message back into the inbox",
    tier: "floor",
    arguments: [agent, { name: "name", summary: "As `channel poison ls` shows it" }],
    examples: ["constel channel poison retry agent1 00000001794717412852-…"],
    load: async () => (await load()).poisonRetry,
  },
  {
    name: "channel poison drop",
    summary: "Throw a poisoned message away",
    tier: "floor",
    arguments: [agent, { name: "name", summary: "As `channel poison ls` shows it" }],
    examples: ["constel channel poison drop agent1 00000001794717412852-…"],
    load: async () => (await load()).poisonDrop,
  },
];
