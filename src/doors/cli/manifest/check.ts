import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  {
    name: "check",
    summary: "Tell whether two branches or worktrees will collide, before anyone merges them",
    details:
      "Each side is a revision, or the path of a worktree with its uncommitted and untracked work. One side: the current worktree against it. None: the current worktree against its upstream or the default branch. Needs no daemon and writes nothing to the repository. Exits 1 if it finds anything above `context`. With --open-prs it asks the forge for the open pull requests and compares one with each of the others (docs/guides/pull-requests.md).",
    tier: "floor",
    may: "everybody",
    effect: "reads",
    arguments: [
      { name: "ours", summary: "A revision or a worktree", offers: "branches", optional: true },
      { name: "theirs", summary: "What to compare it with", offers: "branches", optional: true },
    ],
    flags: {
      explain: { summary: "Show every piece of evidence with both sides' lines" },
      gate: { summary: "Run the gate of the repository's constel.toml on the merge too (runs its code)" },
      "gate-command": { summary: "Run this command as the gate instead", value: "COMMAND" },
      all: { summary: "Also show context, which is never an alarm" },
      "open-prs": { summary: "Tell which open pull requests of the forge collide with one" },
      pr: { summary: "With --open-prs: the number of the one that is asked about", value: "N" },
      comment: { summary: "With --open-prs: write it as one comment, which is updated" },
      "red-on": {
        summary: "With --open-prs: exit 1 on never (the default), any, high, or a kind of finding such as textual",
        value: "RULE",
      },
      "token-env": { summary: "With --open-prs: the variable that has the forge's token", value: "NAME" },
      most: { summary: "With --open-prs: compare at most so many (default 50)", value: "N" },
    },
    examples: [
      "constel check",
      "constel check ../feature-a ../feature-b",
      "constel check main --explain",
      "constel check --open-prs --pr 42",
    ],
    load: async () => (await import("../commands/check.ts")).check,
  },
];
