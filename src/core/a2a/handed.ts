// What is handed over to whoever asked: the changes as they were called ready, files that show that it is done, and where it landed.

import { a2aLimits, type A2aArtefact } from "../../protocol/a2a.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { TasksTable } from "../../store/tables/tasks.ts";
import { readyPatches } from "../reviews/packet.ts";
import type { TaskContext } from "../tasks/task-context.ts";

/** Undefined while nothing is ready, or where it cannot be read now. */
export async function changesOf(
  context: TaskContext,
  task: TasksTable,
  log: (line: string) => void,
): Promise<A2aArtefact | undefined> {
  try {
    const patches = await readyPatches(context, task.number);
    const parts = patches.map(({ name, commit, patch }) => {
      const isWhole = patch.length <= a2aLimits.patch;
      return {
        text: isWhole
          ? patch
          : `The diff has ${patch.length} characters and is not handed over; its commit is ${commit}.`,
        mediaType: isWhole ? "text/x-diff" : "text/plain",
        filename: `${name === "" ? "changes" : name}.diff`,
      };
    });
    return parts.length === 0 ? undefined : { id: "changes", name: "The changes, as a diff", parts };
  } catch (cause) {
    if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
    log(`the changes of task ${task.number} cannot be handed over: ${cause.message}`);
    return undefined;
  }
}

export function landedOf({ landed_sha: commit, target, evidence }: TasksTable): A2aArtefact {
  const said = evidence === null || evidence.trim() === "" ? [] : [{ text: evidence }];
  const data = { ...(commit === null ? {} : { commit }), ...(target === null ? {} : { branch: target }) };
  return { id: "landed", name: "Where it landed", parts: [{ data, mediaType: "application/json" }, ...said] };
}
