// Every message that lies in the mailboxes now, by its file's name alone: for whoever keeps an account of them and may have
// missed a line of the journal. What a message says is read only when it is asked for.

import type { Envelope } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { agentsWithMailbox } from "./list.ts";
import { Mailbox, type Room } from "./mailbox.ts";
import { type MessageName, readClaim, readDone, readMessageName } from "./message-name.ts";

export interface Sighting {
  readonly name: string;
  readonly receiver: string;
  readonly sender: string;
  readonly state: "sent" | "delivered" | "acked" | "duplicate" | "poisoned";
  readonly atMs: number;
  readonly room: Room;
  readonly file: string;
}

export function* sightings(bus: Bus): Generator<Sighting> {
  for (const receiver of agentsWithMailbox(bus)) {
    using box = Mailbox.find(bus, receiver);
    if (box === undefined) continue;
    const sent = (room: Room, file: string, message: MessageName | undefined): Sighting[] => {
      if (message === undefined) return [];
      const { name, sender, nanoseconds } = message;
      return [{ name, receiver, sender, state: "sent", atMs: Number(nanoseconds / 1_000_000n), room, file }];
    };
    for (const file of box.names("inbox")) yield* sent("inbox", file, readMessageName(file));
    for (const file of box.names("processing")) yield* sent("processing", file, readClaim(file));
    for (const file of box.names("done")) {
      const done = readDone(file);
      for (const sighting of sent("done", file, done)) {
        yield sighting;
        if (done !== undefined) yield { ...sighting, state: done.settled, atMs: done.settledAtMs };
      }
    }
    for (const file of box.names("poison")) {
      for (const sighting of sent("poison", file, readMessageName(file))) {
        yield sighting;
        const atMs = Math.floor(box.room("poison").stat(file)?.ctimeMs ?? bus.clock.nowMs());
        yield { ...sighting, state: "poisoned", atMs };
      }
    }
  }
}

/** What the message says; undefined when it has moved on since, or is not what a model may see. */
export function sightedEnvelope(bus: Bus, { receiver, sender, room, file }: Sighting): Envelope | undefined {
  if (room === "poison") return undefined;
  using box = Mailbox.find(bus, receiver);
  const envelope = box === undefined ? "gone" : readEnvelope(box, room, file);
  if (envelope === "gone" || "code" in envelope) return undefined;
  return envelope.from === sender && (envelope.to ?? receiver) === receiver ? envelope : undefined;
}
