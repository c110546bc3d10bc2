import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/claim.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "claim add",
    summary: "Ask others to leave paths alone for a while",
    details:
      "While the claim lasts, an edit there by anybody else is a finding. Claims expire by themselves; claiming the same paths again renews the claim. Paths are relative to the current directory; patterns work as in .gitignore.",
    tier: "change",
    arguments: [{ name: "paths", summary: "Files, directories or patterns", rest: true }],
    flags: {
      ...allowSecretFlag,
      agent: { summary: "The agent that holds the claim (default: you)", value: "AGENT", offers: "agents" },
      for: { summary: "How long it lasts: 30m, 2h, 1d (default 2h, at most 30d)", value: "TIME" },
      severity: {
        summary: "How serious an edit there is (default medium)",
        value: "LEVEL",
        oneOf: ["high", "medium", "low"],
      },
      reason: { summary: "The reason, shown to anyone who edits there", value: "TEXT" },
      exclusive: { summary: "Deny others the edit, where their hooks can; plain paths only, not patterns" },
    },
    examples: [
      "constel claim add src/store/ --for 2h",
      "constel claim add 'migrations/*.sql' --agent agent3 --severity high --reason 'renumbering them'",
    ],
    load: async () => (await load()).add,
  },
  {
    name: "claim ls",
    summary: "List current claims",
    tier: "read",
    flags: {
      repo: { summary: "Only this repository: name, identity or a path in it", value: "REPO", offers: "repositories" },
    },
    examples: ["constel claim ls"],
    load: async () => (await load()).list,
  },
  {
    name: "claim drop",
    summary: "End a claim early",
    tier: "change",
    arguments: [{ name: "id", summary: "The claim: its id, or the end of it", offers: "claims" }],
    examples: ["constel claim drop 4k2p9x"],
    load: async () => (await load()).drop,
  },
];
