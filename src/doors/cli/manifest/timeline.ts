import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/timeline.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "announce",
    summary: "Post a line of text on the timeline for everyone to see",
    tier: "change",
    arguments: [{ name: "text", summary: "What to say", rest: true }],
    examples: ['constel announce "main is frozen until 15:00 UTC"'],
    load: async () => (await load()).announce,
  },
  {
    name: "events",
    summary: "Show recent events, or follow them as they happen",
    tier: "read",
    flags: {
      limit: { summary: "How many (default 20)", value: "N", short: "n" },
      type: { summary: "Only events of this type", value: "TYPE" },
      after: { summary: "Only events after this sequence number", value: "SEQ" },
      follow: { summary: "Keep printing events as they happen (starts the daemon)", short: "f" },
    },
    examples: ["constel events -n 5", "constel events --follow --json"],
    load: async () => (await load()).events,
  },
  {
    name: "audit verify",
    summary: "Verify the hash chain of the timeline",
    details: "Finds changed, deleted, reordered or cut-off rows. Exits 1 if the chain is broken.",
    tier: "read",
    examples: ["constel audit verify"],
    load: async () => (await load()).verify,
  },
];
