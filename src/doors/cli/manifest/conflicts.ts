import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/conflicts.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "conflicts",
    summary: "What will collide between the worktrees of observed repositories",
    details:
      "One line per finding. Files nobody writes by hand and files that merge cleanly are context: `--all` shows them, and " +
      "what was dismissed. Exit code 1 when anything is open.",
    tier: "read",
    flags: {
      repo: { summary: "Only this repository: name, identity or a path in it", value: "REPO" },
      all: { summary: "Also what was dismissed and what is only context" },
      explain: { summary: "Show one finding with both sides' lines", value: "ID" },
      watch: { summary: "Go on showing them as they open and close, until Ctrl-C (starts the daemon)", short: "w" },
      limit: { summary: "How many lines (default 50)", value: "N", short: "n" },
    },
    examples: ["constel conflicts", "constel conflicts --explain 4k2p9x", "constel conflicts --watch"],
    load: async () => (await load()).conflicts,
  },
  {
    name: "conflicts dismiss",
    summary: "Say that a finding is no problem, and why",
    details:
      "The scope says how far that reaches: `finding` this one, until its evidence is of another kind; `files` whatever is " +
      "only about these files; `pair` whatever is between these two; `kind` this kind in the repository.",
    tier: "change",
    arguments: [{ name: "id", summary: "The finding: its id, or the end of it" }],
    flags: {
      reason: { summary: "Why; kept with it", value: "TEXT" },
      scope: {
        summary: "How far it reaches (default finding)",
        value: "SCOPE",
        oneOf: ["finding", "files", "pair", "kind"],
      },
    },
    examples: ['constel conflicts dismiss 4k2p9x --reason "both sides agreed on the order"'],
    load: async () => (await load()).dismiss,
  },
  {
    name: "plan",
    summary: "In which order to land the work in progress, what to hold, and why",
    details: "Merge readiness of each branch is 0 to 100; `--explain` says what took points away.",
    tier: "read",
    flags: {
      repo: { summary: "Only this repository: name, identity or a path in it", value: "REPO" },
      explain: { summary: "Also what readiness is made of, and which tests a branch likely affects" },
    },
    examples: ["constel plan", "constel plan --explain"],
    load: async () => (await import("../commands/plan.ts")).plan,
  },
];
