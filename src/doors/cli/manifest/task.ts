import type { ArgumentDeclaration, FlagDeclaration } from "../input/command-shape.ts";
import { allowSecretFlag } from "../allow-secret.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/task.ts");
const transfer = () => import("../commands/task-transfer.ts");

const task: ArgumentDeclaration = { name: "task", summary: "The task's number", offers: "tasks" };
const priority: FlagDeclaration = { summary: "How urgent", value: "P", oneOf: ["P0", "P1", "P2", "P3"] };

const details: Readonly<Record<string, FlagDeclaration>> = {
  text: { summary: "What is asked, in your words", value: "TEXT" },
  brief: { summary: "A markdown file inside the root directory", value: "FILE" },
  priority,
  estimate: { summary: "How long it should take: 90m, 2h, 1d", value: "TIME" },
  repo: {
    summary: "The repository to work in (default: the root directory's own); several times for several",
    value: "DIR",
    repeat: true,
  },
  target: { summary: "The branch to land on (default: the origin's own)", value: "BRANCH", offers: "branches" },
  scope: { summary: "A path it will touch", value: "PATH", repeat: true },
  after: { summary: "Wait for this task to land", value: "N", offers: "tasks", repeat: true },
};

export const commands: readonly CommandDeclaration[] = [
  {
    name: "task create",
    summary: "Create a task",
    tier: "change",
    insideRoot: true,
    arguments: [{ name: "title", summary: "What is to be done", rest: true }],
    flags: { ...details, ...allowSecretFlag },
    examples: [
      'constel task create "Paginate the list of orders" --priority P1 --estimate 90m --brief briefs/orders.md',
    ],
    load: async () => (await load()).create,
  },
  {
    name: "task list",
    summary: "The tasks that are not finished",
    tier: "read",
    flags: {
      state: {
        summary: "Only this state",
        value: "STATE",
        repeat: true,
        oneOf: ["open", "queued", "in_progress", "ready", "needs_review", "closed", "taken_back", "cancelled"],
      },
      all: { summary: "Finished ones too", short: "a" },
      agent: { summary: "Only this agent's", value: "AGENT", offers: "agents" },
      priority: { ...priority, summary: "Only this priority" },
      limit: { summary: "How many at most (default 1000)", value: "COUNT" },
    },
    examples: ["constel task list", "constel task list --state needs_review --json"],
    load: async () => (await load()).list,
  },
  {
    name: "task show",
    summary: "Everything about a task on one screen",
    tier: "read",
    arguments: [task],
    flags: {
      hunks: { summary: "Show both sides of every conflict and more of the gate's output" },
      all: { summary: "Show every event and message", short: "a" },
    },
    examples: ["constel task show 12", "constel task show 12 --all"],
    load: async () => (await load()).show,
  },
  {
    name: "task next",
    summary: "List tasks that can be started now",
    tier: "read",
    flags: { limit: { summary: "How many (default 10)", value: "N", short: "n" } },
    examples: ["constel task next"],
    load: async () => (await load()).next,
  },
  {
    name: "task queue",
    summary: "The tasks that wait for a free agent",
    tier: "read",
    examples: ["constel task queue"],
    load: async () => (await load()).queue,
  },
  {
    name: "task update",
    summary: "Change a task, reopen a cancelled one, or send one back for rework",
    tier: "change",
    insideRoot: true,
    arguments: [task],
    flags: {
      ...allowSecretFlag,
      title: { summary: "New title", value: "TEXT" },
      ...details,
      reopen: { summary: "Reopen a cancelled task" },
      rework: { summary: "Put it back in progress" },
      release: { summary: "Take it back from its agent" },
    },
    examples: ["constel task update 12 --priority P0", "constel task update 12 --rework"],
    load: async () => (await load()).update,
  },
  {
    name: "task cancel",
    summary: "Cancel a task; its workspace stays",
    tier: "change",
    insideRoot: true,
    arguments: [task, { name: "reason", summary: "Why", optional: true, rest: true }],
    flags: allowSecretFlag,
    examples: ['constel task cancel 12 "no longer wanted"'],
    load: async () => (await load()).cancel,
  },
  {
    name: "task dispatch",
    summary: "Assign a task: create its workspace, branch and brief, and send the brief",
    details:
      "The next free clone gets it, with proof of delivery. If no clone is free, the task waits in the queue and is assigned automatically. --to-workspace prepares the workspace for you instead.",
    tier: "change",
    insideRoot: true,
    arguments: [task],
    flags: {
      "to-workspace": { summary: "Prepare the workspace for a person instead" },
      agent: { summary: "To this agent", value: "AGENT", offers: "agents" },
      hold: { summary: "Keep it queued while its scope collides with work in progress" },
      type: { summary: "To an agent on this runtime", value: "RUNTIME", offers: "runtimes" },
      "no-wait": { summary: "Return once it is assigned, before the workspace is ready" },
      "no-fetch": { summary: "Do not fetch from the origin first" },
      "dry-run": { summary: "Show what would happen, and do nothing" },
    },
    examples: [
      "constel task dispatch 12",
      "constel task dispatch 12 --agent 2",
      "constel task dispatch 12 --to-workspace",
    ],
    load: async () => (await load()).dispatch,
  },
  {
    name: "task ready",
    summary: "Mark a task as committed and ready to land",
    tier: "change",
    arguments: [task],
    flags: {
      branch: { summary: "The branch to land, if it is not the workspace's own", value: "BRANCH", offers: "branches" },
    },
    examples: ["constel task ready 12"],
    load: async () => (await load()).ready,
  },
  {
    name: "task harvest",
    summary: "Land ready tasks: pick, gate, push",
    details:
      "Works in a private clone and never touches your checkout. A task that conflicts or fails the gate goes back to its agent with the reason, and the command exits 1. A task that edits what another agent has claimed exclusively stays ready until the claim ends. After an interruption, run it again to continue.",
    tier: "change",
    insideRoot: true,
    arguments: [{ name: "task", summary: "Their numbers", offers: "tasks", optional: true, rest: true }],
    flags: {
      all: { summary: "Land everything that is ready, tested together", short: "a" },
      "over-claim": { summary: "Also land what edits paths that an agent has claimed exclusively (owner only)" },
      "no-wait": { summary: "Do not wait for the result" },
    },
    examples: ["constel task harvest 12", "constel task harvest --all"],
    load: async () => (await load()).harvest,
  },
  {
    name: "task export",
    summary: "Print every task with its events as JSON",
    tier: "read",
    examples: ["constel task export > tasks.json"],
    load: async () => (await transfer()).exportAll,
  },
  {
    name: "task import",
    summary: "Create tasks from a markdown list or from GitHub issues",
    details: "Importing the same list again creates only new tasks. Finished items ([x]) are skipped.",
    tier: "change",
    insideRoot: true,
    arguments: [{ name: "file", summary: "A markdown file; - for stdin", optional: true }],
    flags: {
      ...allowSecretFlag,
      github: { summary: "Open issues of this repository, through gh", value: "OWNER/NAME" },
      repo: { summary: "The repository to work in", value: "DIR" },
      "dry-run": { summary: "Show what would be created, and create nothing" },
    },
    examples: ["constel task import TODO.md", "constel task import --github octo/cat"],
    load: async () => (await transfer()).importAll,
  },
];
