import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/workspace.ts");
const task = { field: "task" } as const;
const name = { field: "name", value: "NAME" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("workspace.clone", {
    name: "workspace clone",
    insideRoot: true,
    arguments: [task],
    flags: {
      name,
      repo: { field: "repository", value: "DIR" },
      target: { field: "target", value: "BRANCH", offers: "branches" },
      "no-fetch": { field: "fetch", means: false, summary: "Do not fetch from the origin first" },
    },
    examples: ["constel workspace clone 12", "constel workspace clone 12 --name api --repo ../api"],
    load: async () => (await load()).clone,
  }),
  asking("workspace.list", {
    name: "workspace ls",
    flags: {
      all: { field: "all", short: "a" },
      task,
      rescued: { summary: "What was saved from removed workspaces, and how long it is kept" },
    },
    examples: ["constel workspace ls", "constel workspace ls --rescued"],
    load: async () => (await load()).list,
  }),
  asking("workspace.branch", {
    name: "workspace branch",
    insideRoot: true,
    arguments: [task, { field: "branch" }],
    flags: { name },
    examples: ["constel workspace branch 12 constel/constel0/12-second-try"],
    load: async () => (await load()).branch,
  }),
  asking("workspace.remove", {
    name: "workspace rm",
    details:
      "Commits, index, stashes, changes, untracked files and operations under way are saved on a ref of the source repository. Of what git ignores, caches and very large files are left out, and named; with --with-ignored nothing is.",
    insideRoot: true,
    arguments: [task],
    flags: { name, "with-ignored": { field: "with_ignored" } },
    examples: ["constel workspace rm 12"],
    load: async () => (await load()).remove,
  }),
  asking("workspace.restore", {
    name: "workspace restore",
    insideRoot: true,
    arguments: [task],
    flags: { name },
    examples: ["constel workspace restore 12"],
    load: async () => (await load()).restore,
  }),
];
