// Tests the bus: the agent sends itself a message and takes it out again.

import { drain } from "../../../floor/bus/drain.ts";
import { send } from "../../../floor/bus/send.ts";
import { settle } from "../../../floor/bus/settle.ts";
import type { CliContext } from "../context.ts";
import { localBus } from "../reach/local-bus.ts";

/** Returns what is wrong. Undefined when the message came back. */
export async function probeBus(
  { home }: Pick<CliContext["places"], "home">,
  agent: string,
): Promise<string | undefined> {
  const bus = localBus({ home, agent });
  const { envelope } = send(bus, { from: agent, to: agent, kind: "probe", text: "Does the bus carry?" });
  const { messages } = await drain(bus, agent, { maxCount: 1, only: (candidate) => candidate.id === envelope.id });
  if (messages.length !== 1) return "a message sent to itself did not come back";
  settle(bus, agent, messages, "acked", "probe");
  return undefined;
}
