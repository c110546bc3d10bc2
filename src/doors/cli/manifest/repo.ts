import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/repo.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("repository.add", {
    name: "repo add",
    summary: "Watch a repository: all its worktrees, present and future, including uncommitted work",
    details:
      "Writes nothing to the repository. Another clone of the same repository is watched as part of it. Returns when every worktree has been read once.",
    arguments: [{ field: "path", optional: true }],
    flags: { "no-wait": { summary: "Do not wait until every worktree has been read" } },
    examples: ["constel repo add", "constel repo add ~/code/app"],
    load: async () => (await load()).add,
  }),
  asking("repository.list", {
    name: "repo ls",
    flags: { worktrees: { summary: "One line per worktree", short: "w" } },
    examples: ["constel repo ls", "constel repo ls --worktrees"],
    load: async () => (await load()).list,
  }),
  asking("repository.forget", {
    name: "repo forget",
    arguments: [{ field: "repository", name: "repo" }],
    examples: ["constel repo forget app"],
    load: async () => (await load()).forget,
  }),
];
