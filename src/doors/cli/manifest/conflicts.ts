import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/conflicts.ts");
const finding = { field: "id", offers: "findings" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("finding.list", {
    name: "conflicts",
    elsewhere: true,
    summary: "What will collide between the worktrees of watched repositories",
    details:
      "One line per finding. Generated files and files that merge cleanly are context: `--all` shows them, and dismissed findings too. Exits 1 if any finding is open.",
    flags: {
      repo: { field: "repository" },
      all: { field: "all", short: "a" },
      explain: { summary: "Show one finding with what each side changed", value: "ID", offers: "findings" },
      watch: { summary: "Keep showing findings as they open and close, until Ctrl-C (starts the daemon)", short: "w" },
      limit: { field: "limit", short: "n", usual: "50" },
    },
    examples: ["constel conflicts", "constel conflicts --explain 4k2p9x", "constel conflicts --watch"],
    load: async () => (await load()).conflicts,
  }),
  asking("finding.dismiss", {
    name: "conflicts dismiss",
    summary: "Mark a finding as no problem, with the reason",
    details:
      "`--scope finding` covers this finding until its evidence changes in kind; `files` covers findings about only these files; `pair` covers everything between these two; `kind` covers this kind in the whole repository.",
    arguments: [finding],
    flags: { reason: { field: "reason", value: "TEXT" }, scope: { field: "scope" } },
    examples: ['constel conflicts dismiss 4k2p9x --reason "both sides agreed on the order"'],
    load: async () => (await load()).dismiss,
  }),
  asking("finding.block", {
    name: "conflicts block",
    summary: "Deny edits of a finding's files until it is settled",
    details:
      "Both sides' hooks deny an edit of these files, with the reason, while the finding is open. Closing it ends this.",
    arguments: [finding],
    flags: { off: { field: "blocking", means: false, summary: "Let the files be edited again" } },
    examples: ["constel conflicts block 4k2p9x"],
    load: async () => (await load()).block,
  }),
  asking("finding.tell", {
    name: "conflicts tell",
    summary: "Ask the agents on both sides of a finding to settle it",
    arguments: [finding, { field: "note", rest: true }],
    examples: ['constel conflicts tell 4k2p9x "agent2 keeps the name; agent1 follows"'],
    load: async () => (await load()).tell,
  }),
  asking("plan.landing", {
    name: "plan",
    elsewhere: true,
    summary: "The order in which to land the work in progress, what to hold back, and why",
    details:
      "Each branch has a merge readiness of 0 to 100; `--explain` shows what lowered it. Exits 1 if any finding is open.",
    flags: {
      repo: { field: "repository" },
      explain: { summary: "Show how readiness was computed and which tests each branch probably affects" },
    },
    examples: ["constel plan", "constel plan --explain"],
    load: async () => (await import("../commands/plan.ts")).plan,
  }),
];
