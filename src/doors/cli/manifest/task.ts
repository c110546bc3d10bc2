import { asking } from "../input/asking.ts";
import type { CommandDeclaration } from "../input/command.ts";

const load = () => import("../commands/task.ts");
const artefacts = () => import("../commands/task-artefact.ts");
const transfer = () => import("../commands/task-transfer.ts");

const task = { field: "task" } as const;
const details = {
  text: { field: "directive", value: "TEXT" },
  brief: { field: "brief", value: "FILE" },
  priority: { field: "priority", value: "P" },
  estimate: { field: "estimate_ms" },
  repo: { field: "repositories", value: "DIR" },
  target: { field: "target", value: "BRANCH", offers: "branches" },
  scope: { field: "scope", value: "PATH" },
  after: { field: "after" },
  accept: { field: "accept", value: "WHAT" },
  by: { field: "by" },
} as const;
const limit = { field: "limit", short: "n" } as const;

export const commands: readonly CommandDeclaration[] = [
  asking("task.create", {
    name: "task create",
    elsewhere: true,
    insideRoot: true,
    arguments: [{ field: "title", rest: true }],
    flags: details,
    details:
      "--accept says what must be shown before the task counts as done. A command runs with the gate on the merged tree; a sentence is put before whoever lands it. `run:` or `say:` in front settles which it is.",
    examples: [
      'constel task create "Paginate the list of orders" --priority P1 --estimate 90m --brief briefs/orders.md',
      'constel task create "Paginate the list" --accept "bun test test/list.test.ts" --accept "The list has a next page"',
    ],
    load: async () => (await load()).create,
  }),
  asking("task.list", {
    name: "task list",
    elsewhere: true,
    summary: "The tasks that are not finished",
    flags: {
      state: { field: "states" },
      all: { field: "all", short: "a" },
      agent: { field: "agent" },
      priority: { field: "priority", value: "P" },
      limit,
    },
    examples: ["constel task list", "constel task list --state needs_review --json"],
    load: async () => (await load()).list,
  }),
  asking("task.show", {
    name: "task show",
    elsewhere: true,
    summary: "Everything about a task on one screen",
    arguments: [task],
    flags: {
      hunks: { summary: "Show both sides of every conflict and more of the gate's output" },
      all: { summary: "Show every event and message", short: "a" },
    },
    examples: ["constel task show 12", "constel task show 12 --all"],
    load: async () => (await load()).show,
  }),
  asking("task.next", {
    name: "task next",
    elsewhere: true,
    summary: "List tasks that can be started now",
    flags: { limit },
    examples: ["constel task next"],
    load: async () => (await load()).next,
  }),
  asking("task.queue", {
    name: "task queue",
    elsewhere: true,
    summary: "The tasks that wait for a free agent",
    examples: ["constel task queue"],
    load: async () => (await load()).queue,
  }),
  asking("task.update", {
    name: "task update",
    elsewhere: true,
    insideRoot: true,
    arguments: [task],
    flags: {
      title: { field: "title", value: "TEXT" },
      ...details,
      passed: { field: "passed", value: "N" },
      failed: { field: "failed", value: "N" },
      reopen: { field: "move", means: "reopen", summary: "Reopen a cancelled task" },
      rework: { field: "move", means: "rework", summary: "Put it back in progress" },
      release: { field: "move", means: "release", summary: "Take it back from its agent" },
    },
    examples: [
      "constel task update 12 --priority P0",
      "constel task update 12 --rework",
      "constel task update 12 --passed 2",
    ],
    load: async () => (await load()).update,
  }),
  asking("task.cancel", {
    name: "task cancel",
    elsewhere: true,
    summary: "Cancel a task; its workspace stays",
    insideRoot: true,
    arguments: [task, { field: "reason", rest: true }],
    examples: ['constel task cancel 12 "no longer wanted"'],
    load: async () => (await load()).cancel,
  }),
  asking("task.dispatch", {
    name: "task dispatch",
    elsewhere: true,
    summary: "Assign a task: create its workspace, branch and brief, and send the brief",
    details:
      "A number gives out a task that is there; a line of prose creates one and gives it out. The next free clone gets it, with proof of delivery. If no clone is free, the task waits in the queue and is assigned automatically. --to-workspace prepares the workspace for you instead.",
    insideRoot: true,
    arguments: [
      {
        name: "task",
        rest: true,
        summary: "A task's number, or one line that says what is to be done",
        offers: "tasks",
      },
    ],
    flags: {
      ...details,
      "to-workspace": { field: "to_workspace" },
      agent: { field: "agent" },
      hold: { field: "hold" },
      type: { field: "runtime", value: "RUNTIME", offers: "runtimes" },
      "no-wait": { summary: "Return once it is assigned, before the workspace is ready" },
      "no-fetch": { field: "fetch", means: false, summary: "Do not fetch from the origin first" },
      "dry-run": { field: "dry_run" },
    },
    examples: [
      "constel task dispatch 12",
      'constel task dispatch "fix the flaky login test" --accept "bun test test/login.test.ts"',
      "constel task dispatch 12 --agent 2",
      "constel task dispatch 12 --to-workspace",
    ],
    load: async () => (await load()).dispatch,
  }),
  asking("task.ready", {
    name: "task ready",
    arguments: [task],
    flags: {
      evidence: { field: "evidence", value: "TEXT" },
      branch: { field: "branch", value: "BRANCH", offers: "branches" },
    },
    examples: ["constel task ready 12", 'constel task ready 12 --evidence "40 of 40 runs of the login test are green"'],
    load: async () => (await load()).ready,
  }),
  asking("task.harvest", {
    name: "task harvest",
    elsewhere: true,
    summary: "Land ready tasks: pick, gate, push",
    details:
      "Works in a private clone and never touches your checkout. A task that conflicts or fails the gate goes back to its agent with the reason, and the command exits 1. A task that edits what another agent has claimed exclusively stays ready until the claim ends. After an interruption, run it again to continue.",
    insideRoot: true,
    arguments: [{ field: "tasks", name: "task" }],
    flags: {
      all: { field: "all", short: "a" },
      "over-claim": { field: "over_claim" },
      "no-wait": { summary: "Do not wait for the result" },
    },
    examples: ["constel task harvest 12", "constel task harvest --all"],
    load: async () => (await load()).harvest,
  }),
  asking("task.revert", {
    name: "task revert",
    elsewhere: true,
    summary: "Create the task that undoes what another landed",
    arguments: [task],
    examples: ["constel task revert 12"],
    load: async () => (await load()).revert,
  }),
  asking("task.diff", {
    name: "task diff",
    elsewhere: true,
    summary: "What a task changed, file by file, uncommitted changes included",
    arguments: [{ field: "task" }],
    flags: { stat: { summary: "Only the files, with how many lines" } },
    examples: ["constel task diff 12", "constel task diff 12 --stat"],
    load: async () => (await import("../commands/task-diff.ts")).diff,
  }),
  asking("task.handover", {
    name: "task handover",
    summary: "Hand a task over to another agent, which goes on in its workspace with all that is known",
    details:
      "From an agent that lives, is limited or is dead. All that the workspace holds is saved under a ref first; the next agent gets the brief with a capsule: branch, uncommitted work, decisions, what failed, open questions, and where the conversation lies. With --type, the agent is started on that program if it does not run.",
    arguments: [{ field: "task" }],
    flags: {
      to: { field: "to" },
      because: { field: "because", value: "TEXT" },
      type: { summary: "Start it on this program, if it does not run", value: "RUNTIME", offers: "runtimes" },
    },
    examples: [
      'constel task handover 12 --to agent4 --because "agent2 is at its limit"',
      "constel task handover 12 --to agent5",
    ],
    load: async () => (await import("../commands/task-handover.ts")).handover,
  }),
  asking("task.comment", {
    name: "task comment",
    elsewhere: true,
    summary: "Comment on a line of a task's changes; its agent gets it as a message",
    arguments: [
      { field: "task" },
      { name: "place", summary: "The file and the line: src/cart.ts:12" },
      { name: "text", summary: "What to say", rest: true },
    ],
    examples: ['constel task comment 12 src/cart.ts:12 "round half up, as the contract says"'],
    load: async () => (await import("../commands/task-diff.ts")).comment,
  }),
  asking("review.ask", {
    name: "task review",
    elsewhere: true,
    summary: "Have a task's ready work reviewed by somebody who did not do it",
    details:
      "The reviewer gets brief, acceptance, changes and open findings, and answers `constel review approve` or `constel review changes`. Without --by or --capability you review it yourself: `constel review show N`. Whoever worked on the task is refused. When other commits are ready later, the same reviewer is asked again.",
    insideRoot: true,
    arguments: [task],
    flags: {
      by: { field: "by" },
      capability: { field: "capability", value: "NAME" },
      note: { field: "note", value: "TEXT" },
    },
    examples: ["constel task review 12 --by 3", "constel task review 12 --capability review"],
    load: async () => (await import("../commands/review.ts")).ask,
  }),
  asking("artefact.add", {
    name: "task artefact add",
    summary: "Hand over a file with a task, besides its branch",
    details:
      "At most 4 MiB each and 20 for a task. It is kept by its content, searched for secrets, and goes some time after the task has ended (retention.artefacts_days).",
    arguments: [task, { name: "file", summary: "The file to hand over" }],
    flags: { name: { field: "name", value: "NAME", summary: "Another name for it (default: the file's own)" } },
    examples: ["constel task artefact add 12 report.html", "constel task artefact add 12 out.png --name after.png"],
    load: async () => (await artefacts()).add,
  }),
  asking("artefact.list", {
    name: "task artefact ls",
    summary: "The files that a task hands over",
    arguments: [task],
    examples: ["constel task artefact ls 12"],
    load: async () => (await artefacts()).list,
  }),
  asking("artefact.get", {
    name: "task artefact get",
    summary: "Save a file that a task hands over",
    details: "Writes a new file where you are, and replaces none.",
    arguments: [task, { field: "name" }],
    flags: { out: { summary: "Where to write it (default: its name, here)", value: "FILE" } },
    examples: ["constel task artefact get 12 report.html", "constel task artefact get 12 after.png --out /tmp/a.png"],
    load: async () => (await artefacts()).get,
  }),
  asking("task.export", {
    name: "task export",
    summary: "Print every task with its events as JSON",
    examples: ["constel task export > tasks.json"],
    load: async () => (await transfer()).exportAll,
  }),
  asking("task.import", {
    name: "task import",
    summary: "Create tasks from a markdown list or from a forge's issues",
    details:
      "Importing the same list again creates only new tasks. Finished items ([x]) are skipped. --filter takes the open issues of this repository's forge that have a label; with --follow, new ones become tasks too, where a task stands is written to its issue as one comment that is kept up to date, and a task ends with its issue. Whoever may set the label decides what agents work on. --github without --follow asks gh.",
    insideRoot: true,
    arguments: [{ name: "file", summary: "A markdown file; - for stdin", optional: true }],
    flags: {
      github: { summary: "Issues of this repository at github.com", value: "OWNER/NAME" },
      from: { summary: "Issues of this repository: its address, or a directory in a clone of it", value: "ADDRESS" },
      filter: { summary: "Only issues with this label", value: "LABEL" },
      follow: { summary: "From now on: new issues too, with one comment on each that says where its task stands" },
      repo: { field: "repository", value: "DIR" },
      "dry-run": { summary: "Show what would be created, and create nothing" },
    },
    examples: [
      "constel task import TODO.md",
      "constel task import --github octo/cat",
      "constel task import --filter agents --follow",
      "constel task import --from https://codeberg.org/octo/cat --filter agents --dry-run",
    ],
    load: async () => (await transfer()).importAll,
  }),
];
