import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/timeline.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("timeline.announce", {
    name: "announce",
    elsewhere: true,
    arguments: [{ field: "text", rest: true }],
    examples: ['constel announce "main is frozen until 15:00 UTC"'],
    load: async () => (await load()).announce,
  }),
  asking("timeline.list", {
    name: "events",
    elsewhere: true,
    summary: "Show recent events, or follow them as they happen",
    flags: {
      limit: { field: "limit", short: "n", usual: "20" },
      type: { field: "type", value: "TYPE" },
      after: { field: "after_seq", value: "SEQ" },
      follow: { summary: "Keep printing events as they happen (starts the daemon)", short: "f" },
    },
    examples: ["constel events -n 5", "constel events --follow --json"],
    load: async () => (await load()).events,
  }),
  asking("audit.verify", {
    name: "audit verify",
    summary: "Verify the timeline: its hash chain, its guards in the database, and the signed heads outside it",
    details:
      "Finds changed, deleted, reordered or cut-off rows, a history that was rewritten, and guards that were dropped. Exits 1 if anything is wrong. With --bundle it checks an exported file alone; with --heads, or by the setting audit.kept_command, also against heads that were kept elsewhere (audit.anchor_command).",
    flags: {
      bundle: { summary: "Check a file of `audit export`; needs no home", value: "FILE" },
      heads: { summary: "Compare with anchored heads that were kept elsewhere", value: "FILE" },
    },
    examples: ["constel audit verify", "constel audit verify --bundle audit.jsonl"],
    load: async () => (await import("../commands/audit.ts")).verify,
  }),
  {
    name: "audit export",
    summary: "Print the timeline, its signed heads and the public keys as lines that can be verified on their own",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    examples: ["constel audit export > audit.jsonl"],
    load: async () => (await import("../commands/audit.ts")).exportAll,
  },
];
