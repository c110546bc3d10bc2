// Refusals about tasks and workspaces.

import type { CatalogueEntry } from "./entry.ts";

export const tasksRefusals = {
  "workspace.exists": {
    exit: "refused",
    means: "A workspace stands at this place already.",
    hint: "`constel workspace ls` lists them; remove it first, or give the new one another name.",
  },
  "workspace.unknown": {
    exit: "usage",
    means: "There is no such workspace.",
    hint: "`constel workspace ls --all` lists them, removed ones too.",
  },
  "workspace.no-target": {
    exit: "refused",
    means: "The origin has no branch of this name to start from.",
    hint: "Name one that exists with --target, and fetch in the source repository.",
  },
  "workspace.busy": {
    exit: "refused",
    means: "The workspace is being created, removed or restored right now.",
    hint: "Wait until it finishes; progress: `constel workspace ls`.",
  },
  "workspace.in-use": {
    exit: "refused",
    means: "A process lives in the workspace: it is its current directory, or a file below it is open.",
    hint: "End the processes named, or leave the directory, then try again.",
  },
  "workspace.changing": {
    exit: "refused",
    means: "Files in the workspace kept changing while they were being saved, so it was not removed.",
    hint: "Find out what writes there, then try again.",
  },
  "workspace.no-rescue": {
    exit: "refused",
    means: "What was saved of this workspace cannot be found any more.",
    hint: "Look for refs/constel/rescue/* in the source repository, or for a bundle in state/rescues of the home.",
  },
  "workspace.bad-rescue": {
    exit: "refused",
    means:
      "What was saved of this workspace was changed since, and names paths outside the workspace or things that are not files.",
    hint: "Nothing was written. Look at the rescue with `git show <commit>:manifest.json` in the source repository.",
  },
  "task.unknown": {
    exit: "usage",
    means: "There is no task with this number.",
    hint: "`constel task list` lists them.",
  },
  "task.not-allowed": {
    exit: "refused",
    means: "The task's state does not allow this.",
    hint: "`constel task show <number>` says where it stands.",
  },
  "task.waits-for-itself": {
    exit: "refused",
    means: "With this dependency a task would wait for itself.",
    hint: "`constel task show <number>` says what it waits for.",
  },
  "task.waits": {
    exit: "refused",
    means: "The task waits for others that have not landed.",
    hint: "`constel task next` says what can be done now.",
  },
  "task.landing": {
    exit: "refused",
    means: "The task is being harvested right now.",
    hint: "Wait until it finishes; progress: `constel task show <number>`.",
  },
  "task.agent-cannot": {
    exit: "refused",
    means:
      "The agent named for the task cannot take it: it is down, parked, over its budget, no clone, or cannot see the task's workspace.",
    hint: "Name one of those that can, or leave --agent out: the next free clone gets it.",
  },
  "task.no-criterion": {
    exit: "refused",
    means: "The task has no acceptance sentence with this number. Commands are judged by being run.",
    hint: "`constel task show <number>` lists the criteria with their numbers.",
  },
  "task.artefact-too-large": {
    exit: "refused",
    means: "An artefact has at most 4 MiB, and a task at most 20 of them.",
    hint: "Commit large files to the branch, or hand over what matters of them.",
  },
  "task.no-artefact": {
    exit: "refused",
    means: "The task has no artefact of this name, or what is kept is not what was added.",
    hint: "`constel task artefact ls <number>` lists them.",
  },
  "task.nothing-to-land": {
    exit: "refused",
    means: "The task has no commits of its own, or nothing is ready to land.",
    hint: "Commit the work on the task's branch in its workspace, then `constel task ready <number>`.",
  },
  "task.no-workspace": {
    exit: "refused",
    means: "The task has no workspace and no branch that is known.",
    hint: "`constel task dispatch <number> --to-workspace` makes one; or name a branch of the origin with --branch.",
  },
  "task.no-repository": {
    exit: "refused",
    means: "The task names no repository, and the root directory is not in one.",
    hint: "Name one: `constel task update <number> --repo PATH`.",
  },
  "task.no-agents": {
    exit: "refused",
    means: "No agents can be given work here.",
    hint: "Work by hand with `constel task dispatch <number> --to-workspace`.",
  },
  "task.not-given-out": {
    exit: "refused",
    means: "The workspace or the brief of a task could not be made; the task is open again.",
    hint: "Fix the cause, then dispatch it again. `constel task show <n>` shows the reason.",
  },
  "task.not-landed": {
    exit: "refused",
    means: "The task has not landed, so there is nothing to undo.",
    hint: "`constel task show <number>` says where it stands; `constel task cancel <number>` ends one that is open.",
  },
  "task.leased": {
    exit: "refused",
    means: "The task is already assigned to an agent.",
    hint: "`constel task update <number> --release` takes it back.",
  },
  "task.not-yours": {
    exit: "refused",
    means: "Only the assigned agent can mark the task ready.",
    hint: "`constel task show <number>` says who has it.",
  },
  "task.lease-lost": {
    exit: "refused",
    means: "Another harvester took over while this one was slow.",
    hint: "Nothing is lost; the other one finishes the work.",
  },
  "review.nothing-ready": {
    exit: "refused",
    means: "The task has no commits that were called ready, so there is nothing to review.",
    hint: "When its work is committed: `constel task ready <number>`.",
  },
  "review.own-work": {
    exit: "refused",
    means: "Nobody reviews their own work, nor work that they had a hand in.",
    hint: "Ask somebody else: `constel task review <number> --by AGENT`.",
  },
  "review.nobody": {
    exit: "refused",
    means: "There is no agent that could review this: none has the capability, or all of them worked on it.",
    hint: "`constel notices subscribe --agent N --capability review` gives an agent the capability; without --by you review it yourself.",
  },
  "review.not-asked": {
    exit: "refused",
    means: "An agent answers only the reviews that it was asked for.",
    hint: "`constel review ls` lists them; `constel task review <number> --by AGENT` asks for one.",
  },
  "review.stale": {
    exit: "refused",
    means: "Other commits are ready now than those that were read.",
    hint: "`constel review show <number>` shows what is ready now.",
  },
  "review.says-nothing": {
    exit: "usage",
    means: "A review that asks for changes says which.",
    hint: 'Say it in words, or line by line: `--on "src/cart.ts:12: round half up"`.',
  },
  "review.unreadable": {
    exit: "refused",
    means: "The commits that were called ready are nowhere to be found, or git refuses them.",
    hint: "`constel task show <number>` says where the work was; call it ready again.",
  },
  "brief.missing": {
    exit: "usage",
    means: "The brief is not there.",
    hint: "Give the path of a file that exists, inside the root directory.",
  },
  "import.no-program": {
    exit: "refused",
    means: "The program that reads the source (gh) is not installed or not logged in.",
    hint: "Install GitHub's gh and run `gh auth login`, or import from a markdown list.",
  },
} as const satisfies Record<string, CatalogueEntry>;
