// Who had a hand in a task's work: whoever was given it at any time, whoever edited in its workspaces, and whoever worked on it by hand.
// None of them reviews it.

import type { Tx } from "../../store/group-commit.ts";
import { actorsOf, agentsGiven, editorsIn, type TaskWithSpaces } from "./reviews.sql.ts";

export async function whoWorked(
  db: Tx["db"],
  constellation: string,
  { task, spaces }: TaskWithSpaces,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const add = (name: string, why: string): void => void (found.has(name) || found.set(name, why));
  const given = await agentsGiven(db, constellation, task.number);
  for (const agent of given) add(agent, "was given the task");
  for (const agent of await editorsIn(
    db,
    constellation,
    spaces.map(({ path }) => path),
  ))
    add(agent, "edited files in its workspace");
  const said = await actorsOf(db, constellation, { task: task.number, types: ["dispatched", "ready"] });
  const byHand = said.filter(({ type, data }) => type === "dispatched" && isByHand(data));
  for (const { actor } of byHand) add(actor, "took the task by hand");
  // Nobody was given it: whoever called it ready brought the work.
  if (given.length === 0 && byHand.length === 0)
    for (const { actor, type } of said) if (type === "ready") add(actor, "called the work ready");
  return found;
}

const isByHand = (data: string): boolean => (JSON.parse(data) as { agent?: unknown }).agent === null;
