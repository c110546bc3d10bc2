import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/timeline.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "announce",
    summary: "Put a line of text on the timeline for everyone to see",
    tier: "change",
    arguments: [{ name: "text", summary: "What to say", rest: true }],
    examples: ['constel announce "main is frozen until 15:00 UTC"'],
    load: async () => (await load()).announce,
  },
  {
    name: "events",
    summary: "The newest events of the timeline, or all of them as they happen",
    tier: "read",
    flags: {
      limit: { summary: "How many (default 20)", value: "N", short: "n" },
      type: { summary: "Only events of this type", value: "TYPE" },
      after: { summary: "Only events after this sequence number", value: "SEQ" },
      follow: { summary: "Go on printing as events happen (starts the daemon)", short: "f" },
    },
    examples: ["constel events -n 5", "constel events --follow --json"],
    load: async () => (await load()).events,
  },
  {
    name: "audit verify",
    summary: "Verify the hash chain of the timeline",
    details: "Finds a changed, deleted, reordered or cut-off row. Exit code 1 when the chain is broken.",
    tier: "read",
    examples: ["constel audit verify"],
    load: async () => (await load()).verify,
  },
];
