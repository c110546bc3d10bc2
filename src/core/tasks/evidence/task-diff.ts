// What a task changed, file by file, in each of its workspaces; and comments on its lines, which go to its agent as one message.

import { Refusal } from "../../../protocol/errors.ts";
import type { commentTask, diffTask } from "../../../protocol/operations/task-diff.ts";
import type { OutputOf, ParsedInputOf } from "../../../protocol/operation.ts";
import { readPatch } from "./read-patch.ts";
import type { TaskContext } from "../task-context.ts";
import { findTask } from "../tasks.sql.ts";
import { workspacesOf } from "../workspaces/workspaces.sql.ts";
import type { Context } from "../../context.ts";

export async function diffOfTask(
  { store, machine }: TaskContext,
  { task }: ParsedInputOf<typeof diffTask>,
): Promise<OutputOf<typeof diffTask>> {
  const { number } = await findTask(store.db, store.constellation, task);
  const all = (await workspacesOf(store.db, store.constellation, { task: number })).filter(
    ({ state }) => state === "ready",
  );
  if (all.length === 0) throw new Refusal("task.no-workspace", `task ${number} has no workspace now`, { task: number });
  const workspaces = await Promise.all(
    all.map(async ({ name, path, branch, base_sha: base }) => {
      const { head } = await machine.workspaces.look(path, base, branch);
      const uncommitted = await machine.workspaces.uncommitted(path, head);
      const patch = await machine.workspaces.diff(path, base);
      return { name, path, branch, base, head: head ?? null, uncommitted, files: readPatch(patch) };
    }),
  );
  return { task: number, workspaces };
}

/** Returns whom the comments are for, and the message that says them all. */
export async function commentsFor(
  { store }: Pick<Context, "store">,
  { task, comments }: ParsedInputOf<typeof commentTask>,
): Promise<{ agent: string; text: string }> {
  const { number, agent } = await findTask(store.db, store.constellation, task);
  if (agent === null) throw new Refusal("task.not-given-out", `nobody has task ${number}`, { task: number });
  const said = comments.map(({ path, line, side, text }) => {
    const where = side === "before" ? `${path}:${line} (as it was before)` : `${path}:${line}`;
    return `${where}\n${text
      .split("\n")
      .map((one) => `  ${one}`)
      .join("\n")}`;
  });
  const head = `Comments on your changes for task ${number}, to be worked in:`;
  return { agent, text: [head, ...said].join("\n\n") };
}
