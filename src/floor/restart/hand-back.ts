// An agent that was taken down, or that went with the machine, is back: it is told of the tasks that it has in hand. What the watchdog
// drafted when it found it gone is given with it, or stands for less and is archived.

import type { SealedHome } from "../../ports/keys.ts";
import type { AgentLaunch } from "../../ports/agent-launch.ts";
import { deliverHandoffs } from "./deliver-handoffs.ts";
import { type DraftPorts, lastMessagesOf, workOf } from "./draft-handoff.ts";
import { handoffName, writeHandoff } from "./handoff-files.ts";
import { handoffText } from "./handoff-text.ts";

type Ports = Pick<DraftPorts, "home" | "clock" | "bus" | "workOf" | "seal"> & Pick<SealedHome, "isGenuine">;

/** `before` is the launch that it comes back from. Answers the tasks it is told of. */
export async function handBack(ports: Ports, before: AgentLaunch, isResumed: boolean): Promise<readonly string[]> {
  const { agent, runtime, wanted } = before;
  const work = await workOf(ports, agent, undefined);
  if (work.tasks.length > 0) {
    const atMs = ports.clock.nowMs();
    const what = wanted === "down" ? "was taken down" : "was not running";
    // Whoever goes on with its conversation has its messages in it.
    const messages = isResumed ? [] : lastMessagesOf(ports.bus, agent);
    const text = handoffText({ agent, runtime, atMs, what, screen: "", messages, work });
    writeHandoff(ports, handoffName(agent, atMs, "down"), text);
  }
  deliverHandoffs(ports, agent);
  return work.tasks.map(({ task }) => task);
}
