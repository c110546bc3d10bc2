import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/repo.ts");

export const commands: readonly CommandDeclaration[] = [
  {
    name: "repo add",
    summary: "Watch a repository: all its worktrees, present and future, including uncommitted work",
    details:
      "Writes nothing to the repository. Another clone of the same repository is watched as part of it. Returns when every worktree has been read once.",
    tier: "change",
    arguments: [{ name: "path", summary: "A path in it (default: here)", optional: true }],
    flags: { "no-wait": { summary: "Do not wait until every worktree has been read" } },
    examples: ["constel repo add", "constel repo add ~/code/app"],
    load: async () => (await load()).add,
  },
  {
    name: "repo ls",
    summary: "List watched repositories and their worktrees",
    tier: "read",
    flags: { worktrees: { summary: "One line per worktree", short: "w" } },
    examples: ["constel repo ls", "constel repo ls --worktrees"],
    load: async () => (await load()).list,
  },
  {
    name: "repo forget",
    summary: "Stop watching a repository and close its findings",
    tier: "change",
    arguments: [{ name: "repo", summary: "Name, identity or a path in it", offers: "repositories" }],
    examples: ["constel repo forget app"],
    load: async () => (await load()).forget,
  },
];
