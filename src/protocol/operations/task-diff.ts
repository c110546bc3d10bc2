// What a task changed, and comments on its lines.

import { z } from "zod";
import { taskField } from "../fields.ts";
import { defineOperation } from "../operation.ts";

const number = z.number().int();

/** One file of a diff. */
export const changedFile = z.object({
  path: z.string(),
  /** Where it was before, when it was moved. */
  old_path: z.string().nullable(),
  change: z.enum(["added", "removed", "changed", "renamed"]),
  binary: z.boolean(),
  added: number,
  removed: number,
  hunks: z
    .array(
      z.object({
        heading: z.string(),
        lines: z
          .array(
            z.object({
              kind: z.enum(["same", "added", "removed"]),
              text: z.string(),
              before: number.nullable(),
              after: number.nullable(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
  /** True when not all its lines are here. */
  cut: z.boolean(),
});

export const diffTask = defineOperation({
  name: "task.diff",
  summary: "What a task changed, file by file, uncommitted changes included.",
  may: "everybody",
  effect: "reads",
  needsDaemon: true,
  input: z.object({ task: taskField.describe("The task's number") }),
  output: z.object({
    task: number,
    workspaces: z.array(
      z.object({
        name: z.string(),
        path: z.string(),
        branch: z.string(),
        base: z.string(),
        head: z.string().nullable(),
        /** Files with changes that are not committed; new ones are named here and not in `files`. */
        uncommitted: z.array(z.string()).readonly(),
        files: z.array(changedFile),
      }),
    ),
  }),
  refusals: ["task.unknown", "task.no-workspace"],
});

export const commentTask = defineOperation({
  name: "task.comment",
  summary: "Comment on lines of a task's changes: its agent gets all of them as one message.",
  may: "operators",
  effect: "writes",
  needsDaemon: true,
  speaks: ["comments"],
  input: z.object({
    task: taskField.describe("The task's number"),
    comments: z
      .array(
        z.object({
          path: z.string().min(1).max(1_000),
          line: number.min(1).max(10_000_000),
          /** The side whose line it is. */
          side: z.enum(["before", "after"]).default("after"),
          text: z.string().trim().min(1).max(5_000),
        }),
      )
      .min(1)
      .max(100),
  }),
  output: z.object({ task: number, agent: z.string(), comments: number, message: z.string() }),
  refusals: ["task.unknown", "task.not-given-out"],
});
