// Undoing what landed, as a task like any other: it is worked on, gated and landed in the same way. Made once for each task.

import { Refusal } from "../../../protocol/errors.ts";
import { pullsOf } from "../../pulls/queries.ts";
import { importTasks } from "../create.ts";
import { harvestsOfTask } from "./harvests.sql.ts";
import { landedBy } from "./landed-commits.sql.ts";
import type { TaskContext } from "../task-context.ts";
import { findImported, findTask } from "../tasks.sql.ts";

export async function revertTask(
  context: TaskContext,
  input: { readonly task: number },
): Promise<{ number: number; is_new: boolean }> {
  const { store, constellation } = context;
  const task = await findTask(store.db, constellation, input.task);
  const landed = (await harvestsOfTask(store.db, constellation, task.number)).filter((row) => row.outcome === "landed");
  if (landed.length === 0 || task.state !== "closed")
    throw new Refusal("task.not-landed", `task ${task.number} is ${task.state}; only what landed can be undone`, {
      task: task.number,
      state: task.state,
    });
  const pulls = await pullsOf(context, task.number);
  const lines: string[] = [];
  for (const row of landed) {
    const pull = pulls.find(
      ({ origin, target, outcome }) => origin === row.origin && target === row.target && outcome === "landed",
    );
    const commits = (await landedBy(context, row)).reverse();
    lines.push(
      pull === undefined
        ? `On ${row.target}: git revert --no-edit ${commits.length === 0 ? row.landed_sha : commits.join(" ")}`
        : `On ${row.target}: the change that its pull request ${pull.url ?? pull.number} brought (the target stood at ${row.landed_sha} when it had landed; for a merge commit: git revert -m 1)`,
    );
  }
  const key = `revert:${task.number}`;
  const directive = [
    `Undo what task ${task.number} ("${task.title.split("\n")[0]?.slice(0, 200)}") landed, and nothing else.`,
    ...lines,
    "Keep what others built on it since; where that is not possible, say so instead of undoing more.",
  ].join("\n");
  const title = `Revert task ${task.number}: ${task.title.split("\n")[0]?.slice(0, 150)}`;
  const repository = task.repository ?? undefined;
  const { created } = await importTasks(context, {
    root: task.root,
    repository,
    tasks: [{ key, title, directive, priority: "P1" }],
  });
  const [number] = created;
  if (number !== undefined) return { number, is_new: true };
  return { number: await findImported(store.db, constellation, key), is_new: false };
}
