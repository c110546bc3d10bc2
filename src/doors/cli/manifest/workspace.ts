import type { ArgumentDeclaration, FlagDeclaration } from "../input/command-shape.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/workspace.ts");

const task: ArgumentDeclaration = { name: "task", summary: "The task's number", offers: "tasks" };
const name: FlagDeclaration = { summary: "Which workspace, if the task has several (default: repo)", value: "NAME" };

export const commands: readonly CommandDeclaration[] = [
  {
    name: "workspace clone",
    summary: "Make a workspace for a task: a fresh clone on its branch",
    tier: "change",
    insideRoot: true,
    arguments: [task],
    flags: {
      name,
      repo: { summary: "The repository (default: the task's)", value: "DIR" },
      target: { summary: "The branch to start from and land on", value: "BRANCH", offers: "branches" },
      "no-fetch": { summary: "Do not fetch from the origin first" },
    },
    examples: ["constel workspace clone 12", "constel workspace clone 12 --name api --repo ../api"],
    load: async () => (await load()).clone,
  },
  {
    name: "workspace ls",
    summary: "List workspaces",
    tier: "read",
    flags: {
      all: { summary: "Removed ones too", short: "a" },
      task: { summary: "Only this task's", value: "N", offers: "tasks" },
      rescued: { summary: "What was saved from removed workspaces, and how long it is kept" },
    },
    examples: ["constel workspace ls", "constel workspace ls --rescued"],
    load: async () => (await load()).list,
  },
  {
    name: "workspace branch",
    summary: "Switch a workspace to a new branch at its current commit",
    tier: "change",
    insideRoot: true,
    arguments: [task, { name: "branch", summary: "Its name" }],
    flags: { name },
    examples: ["constel workspace branch 12 constel/constel0/12-second-try"],
    load: async () => (await load()).branch,
  },
  {
    name: "workspace rm",
    summary: "Save a workspace's work, then remove it",
    details:
      "Commits, index, stashes, changes, untracked files and operations under way are saved on a ref of the source repository. Of what git ignores, caches and very large files are left out, and named; with --with-ignored nothing is.",
    tier: "change",
    insideRoot: true,
    arguments: [task],
    flags: { name, "with-ignored": { summary: "Save caches and very large ignored files too" } },
    examples: ["constel workspace rm 12"],
    load: async () => (await load()).remove,
  },
  {
    name: "workspace restore",
    summary: "Restore a removed workspace",
    tier: "change",
    insideRoot: true,
    arguments: [task],
    flags: { name },
    examples: ["constel workspace restore 12"],
    load: async () => (await load()).restore,
  },
];
