// Tasks for people: a table of many, and the story of one on one screen.

import type { z } from "zod";
import type { harvestShape, queueOfTasks, showTask, taskShape } from "../../../protocol/operations/tasks.ts";
import type { Output } from "../output.ts";
import { cut, oneLine, table } from "./table.ts";
import { ago, utc } from "./time.ts";

type TaskRow = z.output<typeof taskShape>;
export type HarvestRow = z.output<typeof harvestShape>;
type Story = z.output<typeof showTask.output>;
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

export function taskStory(story: Story, screen: Screen, options: { hunks: boolean }): string {
  const { task } = story;
  const { paint, columns } = screen;
  const field = (name: string, value: string | null | undefined): string[] =>
    value === null || value === undefined || value === ""
      ? []
      : [`  ${name.padEnd(10)} ${cut(oneLine(value), Math.max(40, columns - 14))}`];
  const lines = [
    paint.bold(cut(oneLine(`Task ${task.number}: ${task.title}`), Math.max(60, columns))),
    ...field("state", `${task.state}, ${task.priority}${task.agent === null ? "" : `, ${task.agent}`}`),
    ...field("reason", task.reason),
    ...field("asked", task.directive),
    ...field("brief", task.brief),
    ...field("repository", task.repository),
    ...field("branch", task.branch === null ? null : `${task.branch} → ${task.target ?? "?"}`),
    ...field("scope", task.scope.join(", ")),
    ...field(
      "after",
      task.after.map((one) => `${one}${task.blocked_by.includes(one) ? " (not landed)" : ""}`).join(", "),
    ),
    ...field("time", timeOf(task)),
    ...field("landed", task.landed_sha),
    ...story.workspaces.flatMap((one) =>
      field("workspace", `${one.path} (${one.state}${one.rescue === null ? "" : `, saved as ${one.rescue}`})`),
    ),
    ...field("possible", story.allowed.join(", ")),
    "",
    paint.bold("Timeline"),
    ...story.events.map(
      ({ at_ms: at, type, actor, data }) =>
        `  ${paint.dim(utc(at))}  ${type.padEnd(16)} ${cut(oneLine(`${actor}  ${eventText(data)}`), Math.max(40, columns - 42))}`,
    ),
    ...section(
      paint.bold("Messages"),
      story.messages.map(
        (one) => `  ${one.sender} → ${one.receiver}  ${cut(oneLine(one.text ?? ""), Math.max(40, columns - 30))}`,
      ),
    ),
    ...story.harvests.slice(-1).flatMap((harvest) => harvestLines(harvest, screen, options)),
  ];
  return lines.join("\n");
}

function timeOf(task: TaskRow): string {
  const estimate = task.estimate_ms === null ? "" : `estimated ${ago(task.estimate_ms)}`;
  const actual = task.actual_ms === null ? "" : `took ${ago(task.actual_ms)}`;
  return [estimate, actual].filter((one) => one !== "").join(", ");
}

function eventText(data: Readonly<Record<string, unknown>>): string {
  return Object.entries(data)
    .filter(([key, value]) => value !== null && key !== "conflicts" && key !== "gate")
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}

const section = (head: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ["", head, ...lines]);

interface ToldHunk {
  readonly line: number;
  readonly text: string;
}
interface ToldConflict {
  readonly path: string;
  readonly kind: string;
  readonly target_hunks: readonly ToldHunk[];
  readonly branch_hunks: readonly ToldHunk[];
}

function harvestLines(harvest: HarvestRow, { paint }: Screen, options: { hunks: boolean }): string[] {
  const took = harvest.gate_ms === null ? "" : `, gate ${harvest.gate_outcome} in ${ago(harvest.gate_ms)}`;
  const conflicts = (harvest.report["conflicts"] as readonly ToldConflict[] | undefined) ?? [];
  const lines = [
    `  ${harvest.outcome ?? harvest.phase}${took}, ${harvest.attempts} ${harvest.attempts === 1 ? "try" : "tries"}`,
  ];
  for (const { path, kind, target_hunks: ours, branch_hunks: theirs } of conflicts) {
    lines.push(`  ${paint.red(kind)} ${oneLine(path)}`);
    if (!options.hunks) continue;
    for (const [at, hunk] of ours.entries()) {
      lines.push(paint.dim(`    target, line ${hunk.line}:`), ...indented(hunk.text));
      lines.push(paint.dim(`    branch, line ${theirs[at]?.line}:`), ...indented(theirs[at]?.text ?? ""));
    }
  }
  const red = harvest.outcome === "red" ? (harvest.gate_tail ?? "") : "";
  if (red !== "") lines.push(paint.dim("  the gate printed:"), ...indented(red.split("\n").slice(-20).join("\n")));
  return section(paint.bold("Last harvest"), lines);
}

const indented = (text: string): string[] => text.split("\n").map((line) => `      ${oneLine(line)}`);
