import type { CommandDeclaration } from "../command.ts";

const load = () => import("../commands/repo.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "repo add",
    summary: "Observe a repository: all its worktrees, with uncommitted work, now and as they come",
    details:
      "Nothing is written to the repository. Another clone of the same repository joins it. Answers when every worktree was " +
      "looked at for the first time.",
    tier: "change",
    arguments: [{ name: "path", summary: "A path in it (default: here)", optional: true }],
    flags: { "no-wait": { summary: "Do not wait for the first look" } },
    examples: ["constel repo add", "constel repo add ~/code/app"],
    load: async () => (await load()).add,
  },
  {
    name: "repo ls",
    summary: "The observed repositories and their worktrees as last seen",
    tier: "read",
    flags: { worktrees: { summary: "A line for each worktree", short: "w" } },
    examples: ["constel repo ls", "constel repo ls --worktrees"],
    load: async () => (await load()).list,
  },
  {
    name: "repo forget",
    summary: "Observe a repository no longer; its findings are closed",
    tier: "change",
    arguments: [{ name: "repo", summary: "Name, identity or a path in it" }],
    examples: ["constel repo forget app"],
    load: async () => (await load()).forget,
  },
];
