// Workspaces of tasks: made, listed, removed, and brought back.

import { z } from "zod";
import { branchShape } from "../branch-shape.ts";
import { columnsOf } from "../columns.ts";
import { placeField, taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const nullableText = z.string().nullable();
const nullableNumber = z.number().nullable();

export const workspaceShape = z.object({
  id: z.string(),
  constellation: z.string(),
  task: z.number().int(),
  name: z.string(),
  state: z.string(),
  holder: nullableText,
  root: z.string(),
  place: z.string(),
  path: z.string(),
  source: z.string(),
  origin: z.string(),
  target: z.string(),
  branch: z.string(),
  base_sha: z.string(),
  port_first: z.number().int(),
  port_count: z.number().int(),
  rescue: nullableText,
  kept_ms: nullableNumber,
  ready_sha: nullableText,
  problem: nullableText,
  created_ms: z.number(),
  removing_ms: nullableNumber,
  removed_ms: nullableNumber,
});

const which = {
  task: taskField.describe("The task's number"),
  name: z.string().min(1).max(100).optional().describe("Which workspace, if the task has several (default: repo)"),
};

export const cloneWorkspace = defineOperation({
  name: "workspace.clone",
  summary: "Make a workspace for a task: a fresh clone on its branch.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({
    ...which,
    repository: placeField.optional().describe("The repository (default: the task's)"),
    target: branchShape.optional().describe("The branch to start from and land on"),
    fetch: z.boolean().default(true).describe("Fetch from the origin first"),
  }),
  output: z.object({
    workspace: workspaceShape,
    set_up: z.object({ copied: z.array(z.string()), command: z.string(), tail: z.string() }),
    notes: z.array(z.string()),
  }),
  refusals: [
    "task.unknown",
    "workspace.exists",
    "workspace.busy",
    "workspace.no-target",
    "git.not-a-repository",
    "path.symlink",
  ],
});

const listed = {
  task: taskField.optional().describe("Only this task's"),
  all: z.boolean().default(false).describe("Removed ones too"),
};

export const listWorkspaces = defineOperation({
  name: "workspace.list",
  summary: "List workspaces.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ ...listed, ...columnsOf(workspaceShape) }),
  output: z.object({ workspaces: z.array(workspaceShape) }),
  rows: "workspaces",
  refusals: [],
});

export const listRescues = defineOperation({
  name: "workspace.rescues",
  summary: "What was saved of removed workspaces.",
  may: "everybody",
  effect: "reads",
  needsDaemon: false,
  input: z.object({ ...listed }),
  output: z.object({
    rescues: z.array(
      z.object({
        id: z.string(),
        constellation: z.string(),
        task: z.number().int(),
        workspace: z.string(),
        name: z.string(),
        source: z.string(),
        kept_as: z.string(),
        saved_ms: z.number(),
        restored_ms: nullableNumber,
        announced_ms: nullableNumber,
        pruned_ms: nullableNumber,
        goes_ms: nullableNumber,
      }),
    ),
  }),
  refusals: [],
});

export const branchWorkspace = defineOperation({
  name: "workspace.branch",
  summary: "Switch a workspace to a new branch at its current commit.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ ...which, branch: branchShape.describe("Its name") }),
  output: z.object({ branch: z.string() }),
  refusals: ["task.unknown", "workspace.unknown", "usage.bad-value"],
});

/** Ignored by git and not saved. */
const leftOut = z.object({ path: z.string(), why: z.enum(["cache", "large"]), bytes: z.number() });

export const removeWorkspace = defineOperation({
  name: "workspace.remove",
  summary: "Save a workspace's work, then remove it.",
  may: "operators",
  effect: "destroys",
  needsDaemon: true,
  input: z.object({
    ...which,
    with_ignored: z.boolean().default(false).describe("Save caches and very large ignored files too"),
  }),
  output: z.object({
    path: z.string(),
    rescue: nullableText,
    files: z.number().int(),
    skipped: z.array(z.string()),
    left_out: z.array(leftOut),
    /** Somebody wrote at its place again while it was removed; that was left there. */
    written_again: z.boolean(),
  }),
  refusals: [
    "task.unknown",
    "workspace.unknown",
    "workspace.busy",
    "workspace.in-use",
    "workspace.changing",
    "path.symlink",
  ],
});

export const restoreWorkspace = defineOperation({
  name: "workspace.restore",
  summary: "Restore a removed workspace.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  input: z.object({ ...which }),
  output: z.object({ path: z.string(), left_out: z.array(leftOut), skipped: z.array(z.string()) }),
  refusals: [
    "task.unknown",
    "workspace.unknown",
    "workspace.busy",
    "workspace.exists",
    "workspace.no-rescue",
    "workspace.bad-rescue",
    "path.symlink",
  ],
});
