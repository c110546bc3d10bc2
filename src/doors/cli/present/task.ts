// Tasks for people: tables of many. The story of one is in task-story.ts.

import type { z } from "zod";
import type { harvestShape, queueOfTasks, taskShape } from "../../../protocol/operations/tasks.ts";
import type { Output } from "../output.ts";
import { table } from "./table.ts";

type TaskRow = z.output<typeof taskShape>;
export type HarvestRow = z.output<typeof harvestShape>;
type Screen = Pick<Output, "columns" | "paint">;

export function taskTable(tasks: readonly TaskRow[], screen: Screen): string {
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

export function queueTable(tasks: readonly QueuedRow[], screen: Screen): string {
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
