import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/conflicts.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "conflicts",
    summary: "What will collide between the worktrees of watched repositories",
    details:
      "One line per finding. Generated files and files that merge cleanly are context: `--all` shows them, and dismissed findings too. Exits 1 if any finding is open.",
    tier: "read",
    flags: {
      repo: { summary: "Only this repository: name, identity or a path in it", value: "REPO", offers: "repositories" },
      all: { summary: "Include dismissed findings and context" },
      explain: { summary: "Show one finding with both sides' lines", value: "ID", offers: "findings" },
      watch: { summary: "Keep showing findings as they open and close, until Ctrl-C (starts the daemon)", short: "w" },
      limit: { summary: "How many lines (default 50)", value: "N", short: "n" },
    },
    examples: ["constel conflicts", "constel conflicts --explain 4k2p9x", "constel conflicts --watch"],
    load: async () => (await load()).conflicts,
  },
  {
    name: "conflicts dismiss",
    summary: "Mark a finding as no problem, with the reason",
    details:
      "`--scope finding` covers this finding until its evidence changes in kind; `files` covers findings about only these files; `pair` covers everything between these two; `kind` covers this kind in the whole repository.",
    tier: "change",
    arguments: [{ name: "id", summary: "The finding: its id, or the end of it", offers: "findings" }],
    flags: {
      ...allowSecretFlag,
      reason: { summary: "The reason, stored with the finding", value: "TEXT" },
      scope: {
        summary: "How much the dismissal covers (default: finding)",
        value: "SCOPE",
        oneOf: ["finding", "files", "pair", "kind"],
      },
    },
    examples: ['constel conflicts dismiss 4k2p9x --reason "both sides agreed on the order"'],
    load: async () => (await load()).dismiss,
  },
  {
    name: "conflicts block",
    summary: "Deny edits of a finding's files until it is settled",
    details:
      "Both sides' hooks deny an edit of these files, with the reason, while the finding is open. Closing it ends this.",
    tier: "change",
    arguments: [{ name: "id", summary: "The finding: its id, or the end of it", offers: "findings" }],
    flags: { off: { summary: "Let the files be edited again" } },
    examples: ["constel conflicts block 4k2p9x"],
    load: async () => (await load()).block,
  },
  {
    name: "plan",
    summary: "The order in which to land the work in progress, what to hold back, and why",
    details:
      "Each branch has a merge readiness of 0 to 100; `--explain` shows what lowered it. Exits 1 if any finding is open.",
    tier: "read",
    flags: {
      repo: { summary: "Only this repository: name, identity or a path in it", value: "REPO", offers: "repositories" },
      explain: { summary: "Show how readiness was computed and which tests each branch probably affects" },
    },
    examples: ["constel plan", "constel plan --explain"],
    load: async () => (await import("../commands/plan.ts")).plan,
  },
];
