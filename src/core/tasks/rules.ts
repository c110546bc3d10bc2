// Pure decisions about tasks.

import type { DispatchesTable, TasksTable } from "../../store/tables/tasks.ts";

/** Orders tasks by priority, then by age. */
export function byUrgency(
  a: Pick<TasksTable, "priority" | "number">,
  b: Pick<TasksTable, "priority" | "number">,
): number {
  return a.priority === b.priority ? a.number - b.number : a.priority < b.priority ? -1 : 1;
}

/** Paths of one declared scope that lie in the other: equal, or one above the other. */
export function scopeOverlap(one: readonly string[], other: readonly string[]): string[] {
  const plain = (path: string): string => path.replace(/^\.\//, "").replace(/(?<![/*])[/*]+$/, "");
  const above = (a: string, b: string): boolean => a === b || a === "" || b.startsWith(`${a}/`);
  return one.filter((a) => other.some((b) => above(plain(a), plain(b)) || above(plain(b), plain(a))));
}

/** Tells whether `from` waits, through others perhaps, for `to`. */
export function waitsFor(edges: readonly { task: number; after: number }[], from: number, to: number): boolean {
  const seen = new Set<number>();
  const visit = (task: number): boolean => {
    if (task === to) return true;
    if (seen.has(task)) return false;
    seen.add(task);
    return edges.some((edge) => edge.task === task && visit(edge.after));
  };
  return visit(from);
}

/** In an order in which each comes after those it waits for; otherwise by urgency. */
export function inLandingOrder<Task extends Pick<TasksTable, "priority" | "number">>(
  tasks: readonly Task[],
  edges: readonly { task: number; after: number }[],
): Task[] {
  const left = [...tasks].sort(byUrgency);
  const ordered: Task[] = [];
  while (left.length > 0) {
    const free = left.findIndex(
      ({ number }) => !edges.some((edge) => edge.task === number && left.some((other) => other.number === edge.after)),
    );
    ordered.push(...left.splice(Math.max(0, free), 1));
  }
  return ordered;
}

/** From the start of work to its end, at least a minute. */
export function actualMs(task: Pick<TasksTable, "started_ms" | "created_ms">, endMs: number): number {
  return Math.max(60_000, endMs - (task.started_ms ?? task.created_ms));
}

/**
 * Returns the reason why an agent cannot speak for a task, or undefined when it can: only the agent that was given it last can, unless it
 * was taken back, and when the word answers an assignment, only the last one.
 */
export function whyNotTheirs(
  newest: Pick<DispatchesTable, "id" | "agent" | "state"> | undefined,
  word: { readonly agent: string; readonly answers?: string | null | undefined },
): string | undefined {
  if (newest === undefined || newest.agent === null) return "no agent has it";
  const isTakenBack = newest.state === "cancelled" || newest.state === "released" || newest.state === "failed";
  if (isTakenBack) return newest.agent === word.agent ? `it was taken back (${newest.state})` : "no agent has it";
  if (newest.agent !== word.agent) return `${newest.agent} has it`;
  const answers = word.answers?.startsWith("dsp_") === true ? word.answers : newest.id;
  return answers === newest.id ? undefined : "this answers an earlier assignment of it";
}
