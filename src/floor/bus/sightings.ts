// The messages that lie in a mailbox now, by their files' names alone: for whoever keeps an account of them and may have
// missed a line of the journal. What a message says is read only when it is asked for.

import { type Envelope, isFor } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { readEnvelope } from "./judge-envelope.ts";
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

/** Messages of one mailbox that were sent, or came to rest, at this time or later. */
export function* sightingsIn(bus: Bus, receiver: string, sinceMs: number): Generator<Sighting> {
  using box = Mailbox.find(bus, receiver);
  if (box === undefined) return;
  const sent = (room: Room, file: string, message: MessageName): Sighting => {
    const { name, sender, nanoseconds } = message;
    return { name, receiver, sender, state: "sent", atMs: Number(nanoseconds / 1_000_000n), room, file };
  };
  // Names begin with their time, so that of a long room most are passed over without a look at the rest.
  const since = String(BigInt(Math.max(0, Math.floor(sinceMs))) * 1_000_000n).padStart(20, "0");
  for (const room of ["inbox", "processing"] as const) {
    for (const file of box.unsorted(room)) {
      const message = file < since ? undefined : room === "inbox" ? readMessageName(file) : readClaim(file);
      if (message !== undefined) yield sent(room, file, message);
    }
  }
  for (const file of box.unsorted("done")) {
    // …~delivered.<ms>: the time at the end is the later one.
    if (Number(file.slice(file.lastIndexOf(".") + 1)) < sinceMs) continue;
    const done = readDone(file);
    if (done === undefined) continue;
    const sighting = sent("done", file, done);
    yield sighting;
    yield { ...sighting, state: done.settled, atMs: done.settledAtMs };
  }
  for (const file of box.unsorted("poison")) {
    const message = readMessageName(file);
    if (message === undefined) continue;
    const sighting = sent("poison", file, message);
    yield sighting;
    const atMs = Math.floor(box.room("poison").stat(file)?.ctimeMs ?? bus.clock.nowMs());
    yield { ...sighting, state: "poisoned", atMs };
  }
}

/** Differs from an earlier one when something came, went or moved in a mailbox. */
export function changedMark(bus: Bus, agent: string): string {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return "";
  return (["inbox", "processing", "done", "poison"] as const)
    .map((room) => box.room(room).ownStat())
    .map(({ ino, mtimeMs }) => `${ino} ${mtimeMs}`)
    .join();
}

/** Reads the message. Undefined when it has moved on since, or when a model may not see it. */
export function sightedEnvelope(bus: Bus, { receiver, sender, room, file }: Sighting): Envelope | undefined {
  if (room === "poison") return undefined;
  using box = Mailbox.find(bus, receiver);
  const envelope = box === undefined ? "gone" : readEnvelope(box, room, file);
  if (envelope === "gone" || "code" in envelope) return undefined;
  return envelope.from === sender && isFor(envelope, receiver) ? envelope : undefined;
}
