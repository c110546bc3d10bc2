// A brief that reached an agent makes its task the agent's: what it uses from then on is that task's cost.

import type { Store } from "../../store/open.ts";
import { updateAgent } from "./agents.sql.ts";

export const briefKind = "brief";

export function takeBrief(store: Store, input: { readonly agent: string; readonly task: string }): Promise<void> {
  const { constellation } = store;
  return store.write((tx) => updateAgent(tx.db, { constellation, agent: input.agent }, { task: input.task }));
}
