// A brief that reached an agent makes its task the agent's, until it is done with it.

import type { Tx } from "../../store/group-commit.ts";
import { agentRow, updateAgent } from "./agents.sql.ts";

export const briefKind = "brief";

/** Inside a job. */
export async function takeBrief(
  tx: Tx,
  input: { readonly constellation: string; readonly agent: string; readonly task: string },
): Promise<void> {
  await updateAgent(tx.db, input, { task: input.task });
}

/** Inside a job. Nothing when it has another task by now. */
export async function leaveTask(
  tx: Tx,
  input: { readonly constellation: string; readonly agent: string; readonly task: string },
): Promise<void> {
  const row = await agentRow(tx.db, input.constellation, input.agent);
  if (row?.task === input.task) await updateAgent(tx.db, row, { task: null });
}
