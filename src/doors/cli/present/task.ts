// Tasks for people: tables of many. The story of one is in task-story.ts.

import type { z } from "zod";
import type { harvestShape, queueOfTasks, taskShape } from "../../../protocol/operations/tasks.ts";
import type { Output } from "./output.ts";
import { table } from "./table.ts";

type TaskRow = z.output<typeof taskShape>;

/** All that a table of tasks needs to be told. */
export const taskColumns = ["number", "priority", "state", "agent", "title", "blocked_by", "reason"] as const;
export const queueColumns = [
  "number",
  "priority",
  "title",
  "blocked_by",
  "wanted_agent",
  "wanted_runtime",
  "hold",
] as const;

export type HarvestRow = z.output<typeof harvestShape>;
type Screen = Pick<Output, "columns" | "paint">;

export function taskTable(tasks: readonly Pick<TaskRow, (typeof taskColumns)[number]>[], screen: Screen): string {
  const rows = tasks.map((task) => [
    String(task.number),
    task.priority,
    task.state,
    task.agent ?? "",
    task.title,
    task.blocked_by.length > 0 ? `waits for ${task.blocked_by.join(", ")}` : (task.reason?.split("\n")[0] ?? ""),
  ]);
  return table(["task", "prio", "state", "agent", "title", ""], rows, { ...screen, right: new Set([0]) });
}

type QueuedRow = z.output<typeof queueOfTasks.output>["tasks"][number];

export function queueTable(tasks: readonly Pick<QueuedRow, (typeof queueColumns)[number]>[], screen: Screen): string {
  const rows = tasks.map((task) => [
    String(task.number),
    task.priority,
    task.title,
    task.blocked_by.length > 0
      ? `task ${task.blocked_by.join(", ")} to land`
      : `${task.wanted_agent ?? (task.wanted_runtime === null ? "a clone" : `a ${task.wanted_runtime} clone`)} to be free${task.hold ? ", and no collision" : ""}`,
  ]);
  return table(["task", "prio", "title", "waits for"], rows, { ...screen, right: new Set([0]) });
}
