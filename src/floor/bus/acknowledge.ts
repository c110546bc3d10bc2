// An agent says which of the messages that it was handed it has read. Only what was handed out to it can be acknowledged.

import { isComplaint } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { Mailbox } from "./mailbox.ts";
import { type Claim, readClaim, readDone, readMessageName } from "./message-name.ts";
import { type InHand, settle } from "./settle.ts";

/** Messages that arrived another way are looked for among so many of the newest. */
const maxLookedBack = 500;

/** Returns how many of the messages with these ids are acknowledged now. */
export function acknowledge(bus: Bus, agent: string, ids: ReadonlySet<string>, because: string): number {
  if (ids.size === 0) return 0;
  const messages = handedOut(bus, agent, ids);
  return settle(bus, agent, messages, "acked", because).filter((outcome) => outcome === "settled").length;
}

function handedOut(bus: Bus, agent: string, ids: ReadonlySet<string>): InHand[] {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return [];
  const inProcessing = box.names("processing").flatMap((file) => {
    const claim = readClaim(file);
    return claim?.state === "handed-out" ? [{ room: "processing" as const, file, claim }] : [];
  });
  const inDone = box
    .names("done")
    .slice(-maxLookedBack)
    .flatMap((file) => {
      const done = readDone(file);
      const claim = done?.settled === "delivered" ? endedClaim(bus, done.name) : undefined;
      return claim === undefined ? [] : [{ room: "done" as const, file, claim }];
    });
  return [...inProcessing, ...inDone].flatMap(({ room, file, claim }) => {
    const envelope = readEnvelope(box, room, file);
    if (envelope === "gone" || isComplaint(envelope) || envelope.id === undefined) return [];
    return ids.has(envelope.id) ? [{ claim, envelope }] : [];
  });
}

/** A message that is done has no claim any more; settling finds it by its name. */
function endedClaim(bus: Bus, name: string): Claim | undefined {
  const message = readMessageName(name);
  if (message === undefined) return undefined;
  return { ...message, file: name, state: "handed-out", attempt: 1, claimer: bus.liveness.self(), leaseUntilMs: 0 };
}
