// The word to go on for an agent whose usage limit has lifted. Its key makes it one message however often it is sent, and by whom.

import type { Draft } from "./send.ts";

export const goOnDraft = ({ agent, dueMs }: { readonly agent: string; readonly dueMs: number }): Draft => ({
  from: "agentlimits",
  to: agent,
  text: "Your usage limit has lifted. Go on with what you were doing when it was reached.",
  kind: "resume",
  idempotency_key: `resume:${agent}:${dueMs}`,
});
