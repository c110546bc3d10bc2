import type { CommandDeclaration } from "../command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "try",
    summary: "Look at this repository once: which of its worktrees will collide, and which can land",
    details:
      "Looks at every worktree with its uncommitted and untracked work. Nothing is installed, registered or left behind, " +
      "and nothing is written to the repository. `constel` alone does the same where constel was never used. Exit code 1 " +
      "when something collides.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: {
      branches: { summary: "Local branches that are checked out nowhere too; unasked where there is one worktree" },
      all: { summary: "Every finding and every line of work, not one screen" },
    },
    examples: ["constel try", "constel try --branches"],
    load: async () => (await import("../commands/try.ts")).tryRepository,
  },
];
