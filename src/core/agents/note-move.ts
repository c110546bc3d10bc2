// Puts on the timeline that an agent goes on with another account.

import type { Store } from "../../store/open.ts";
import type { OtherAccount } from "./other-account.ts";

export function noteMove(store: Store, { agent, from, to }: OtherAccount): Promise<void> {
  return store.write(async (tx) => {
    await tx.record({ type: "agent.account-changed", subject: `agent:${agent}`, actor: "daemon", data: { from, to } });
  });
}
