// Handing a message to a hook of the program that waits for one. The inbox is the door's; what is said of the outcome is ours.

import type { Clock } from "../../ports/machine.ts";
import { type Delivery, type OutgoingMessage, type Proof, type PushInbox } from "../../ports/runtime.ts";
import { markedText } from "../../protocol/message-marks.ts";

const lookMs = 50;

export async function pushWithProof(
  push: PushInbox | undefined,
  message: OutgoingMessage,
  clock: Clock,
  proof: () => Promise<Proof | undefined>,
): Promise<Delivery> {
  if (push === undefined) return { state: "unknown", way: "push", sent: false, reason: "there is no push inbox" };
  await push.put(message.id, markedText(message.id, message.text));
  const startedMs = clock.monotonicMs();
  for (;;) {
    const proven = await proof();
    if (proven !== undefined) return { state: "delivered", way: "push", proof: proven };
    if (clock.monotonicMs() - startedMs >= message.proofMs) break;
    await clock.sleep(lookMs);
  }
  if (await push.withdraw(message.id)) {
    return { state: "unknown", way: "push", sent: false, reason: "no waiting hook picked it up; it was taken back" };
  }
  return {
    state: "unknown",
    way: "push",
    sent: true,
    reason: "picked up by the waiting hook, but no turn with it has begun yet",
  };
}
