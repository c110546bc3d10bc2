import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/claim.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("claim.add", {
    name: "claim add",
    summary: "Ask others to leave paths alone for a while",
    details:
      "While the claim lasts, an edit there by anybody else is a finding. Claims expire by themselves; claiming the same paths again renews the claim. Paths are relative to the current directory; patterns work as in .gitignore.",
    arguments: [{ field: "paths" }],
    flags: {
      agent: { field: "agent" },
      for: { field: "for_ms" },
      severity: { field: "severity", value: "LEVEL" },
      reason: { field: "reason", value: "TEXT" },
      exclusive: { field: "exclusive" },
    },
    examples: [
      "constel claim add src/store/ --for 2h",
      "constel claim add 'migrations/*.sql' --agent agent3 --severity high --reason 'renumbering them'",
    ],
    load: async () => (await load()).add,
  }),
  asking("claim.list", {
    name: "claim ls",
    flags: { repo: { field: "repository" } },
    examples: ["constel claim ls"],
    load: async () => (await load()).list,
  }),
  asking("claim.drop", {
    name: "claim drop",
    arguments: [{ field: "id", offers: "claims" }],
    examples: ["constel claim drop 4k2p9x"],
    load: async () => (await load()).drop,
  }),
];
