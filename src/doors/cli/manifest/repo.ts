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
  asking("repository.share", {
    name: "repo share",
    summary: "Have collisions with the work of other constellations foreseen: share the work in a repository with them",
    details:
      "Off until you say so. Sent are the worktrees with work of their own, uncommitted work included: under private refs at the origin (refs/constel/…), else through the database or the mesh; and the branch, agent and task of each. A worktree with a secret in a changed file is not sent. Where both owners share the repository, both sides' agents are told. `constel repo unshare` takes everything away again.",
    arguments: [{ field: "repository", name: "repo" }],
    flags: {
      "with-team": {
        summary: "With every constellation in the same database and every peer of the mesh (also the default)",
      },
    },
    examples: ["constel repo share app --with-team"],
    load: async () => (await load()).share,
  }),
  asking("repository.unshare", {
    name: "repo unshare",
    arguments: [{ field: "repository", name: "repo" }],
    examples: ["constel repo unshare app"],
    load: async () => (await load()).unshare,
  }),
  asking("repository.shared", {
    name: "repo shared",
    examples: ["constel repo shared", "constel repo shared --json"],
    load: async () => (await load()).shared,
  }),
];
