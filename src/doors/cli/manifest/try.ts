import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "try",
    summary: "Check this repository once: which worktrees will collide, and which can land",
    details:
      "Reads every worktree, uncommitted and untracked work included. Installs nothing, registers nothing, and writes nothing to the repository. In the list `+2 -1 *` is two commits of its own, one that it lacks, and uncommitted work. Plain `constel` does the same until you have set it up. Exits 1 if something collides.",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    flags: {
      branches: {
        summary: "Include local branches that are not checked out (the default when there is only one worktree)",
      },
      all: { summary: "Show every finding and every branch, not just one screen" },
    },
    examples: ["constel try", "constel try --branches"],
    load: async () => (await import("../commands/try.ts")).tryRepository,
  },
];
