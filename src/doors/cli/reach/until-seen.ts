// Waits for the daemon to have seen agents that were just started, so that the next command finds them.

import type { AgentUp } from "../../../floor/agents/up.ts";
import { systemClock } from "../../../host/clock/system-clock.ts";
import type { CliContext } from "../context.ts";
import { agentsNow } from "./agents-now.ts";

/** It goes on either way. */
const seenWithinMs = 5_000;

/** Without a daemon there is nobody to see them. */
export async function untilSeen(
  context: CliContext,
  agents: readonly Pick<AgentUp, "agent" | "outcome">[],
  sinceMs: number,
): Promise<void> {
  const ours = agents.filter(({ outcome }) => outcome !== "foreign");
  const deadline = systemClock.monotonicMs() + seenWithinMs;
  while (systemClock.monotonicMs() < deadline && !context.signal.aborted) {
    const now = await agentsNow(context);
    // One that ran before is known from then, too: as it was when it ended.
    const isSeen = ({ agent, outcome }: Pick<AgentUp, "agent" | "outcome">): boolean =>
      outcome === "running" ? now?.has(agent) === true : (now?.get(agent)?.launched_ms ?? 0) >= sinceMs;
    if (now === undefined || ours.every(isSeen)) return;
    await systemClock.sleep(30, context.signal);
  }
}
