import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

export const commands: readonly CommandDeclaration[] = [
  asking("pull.list", {
    name: "pull list",
    elsewhere: true,
    summary: "The pull requests of tasks: where each stands, and what it waits for",
    details:
      'A task lands by pull request where its repository says so (by = "pull-request" under [land] in constel.toml), or where you say so for the task (--by pull-request). The daemon opens it, brings red checks and remarks back to the agent, and merges it when it is green and approved.',
    flags: { all: { field: "all", short: "a" }, limit: { field: "limit", short: "n" } },
    examples: ["constel pull list", "constel pull list --all --json"],
    load: async () => (await import("../commands/pull.ts")).list,
  }),
];
