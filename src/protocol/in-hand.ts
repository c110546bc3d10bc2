// The tasks of an agent, as every screen says them.

import { nounFor } from "./counted.ts";

interface HasTasks {
  /** The one that its program was told of last. */
  readonly task: string | null;
  readonly tasks: readonly number[];
}

/** The numbers of all that it has in hand; what it was told of last, in its own words, where that is none of them. */
export function inHand({ task, tasks }: HasTasks): string[] {
  const told = task === null ? "" : task.replace(/^task (\d+)$/, "$1");
  return [...new Set([...tasks.map(String), told])].filter((one) => one !== "");
}

/** So many are named; the others are counted. */
const mostNamed = 3;

/** `2, 5`, `2, 5, 7 +3`, or nothing: for a column. */
export function inHandText(agent: HasTasks): string {
  const all = inHand(agent);
  const more = all.length - mostNamed;
  return `${all.slice(0, mostNamed).join(", ")}${more > 0 ? ` +${more}` : ""}`;
}

/** `task 2`, `tasks 2, 5`, or undefined: in a line. */
export function inHandWords(agent: HasTasks): string | undefined {
  const all = inHand(agent);
  if (all.length === 0) return undefined;
  const isNumbered = all.every((one) => /^\d+$/.test(one));
  return isNumbered ? `${nounFor(all.length, "task")} ${inHandText(agent)}` : inHandText(agent);
}
