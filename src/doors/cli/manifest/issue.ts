import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/issue.ts");

export const commands: readonly CommandDeclaration[] = [
  asking("issue.list", {
    name: "issue list",
    summary: "The labels whose issues become tasks",
    details:
      "`constel task import --filter LABEL --follow` begins one. Each new issue with the label becomes a task; where the task stands is written to the issue as one comment, which is kept up to date.",
    flags: { all: { field: "all", short: "a" }, limit: { field: "limit", short: "n" } },
    examples: ["constel issue list", "constel issue list --all --json"],
    load: async () => (await load()).list,
  }),
  asking("issue.stop", {
    name: "issue stop",
    summary: "Stop making tasks of a label's issues; the tasks stay",
    arguments: [{ field: "id" }],
    examples: ["constel issue stop 4k7zq2"],
    load: async () => (await load()).stop,
  }),
];
