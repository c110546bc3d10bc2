// Every message that lies in the mailboxes now, by its file's name alone: for whoever keeps an account of them and may have
// missed a line of the journal.

import type { Bus } from "./bus.ts";
import { agentsWithMailbox } from "./list.ts";
import { Mailbox } from "./mailbox.ts";
import { type MessageName, readClaim, readDone, readMessageName } from "./message-name.ts";

export interface Sighting {
  readonly name: string;
  readonly receiver: string;
  readonly sender: string;
  readonly state: "sent" | "delivered" | "acked" | "duplicate" | "poisoned";
  readonly atMs: number;
}

export function* sightings(bus: Bus): Generator<Sighting> {
  for (const receiver of agentsWithMailbox(bus)) {
    using box = Mailbox.find(bus, receiver);
    if (box === undefined) continue;
    const sent = (message: MessageName | undefined): Sighting[] =>
      message === undefined
        ? []
        : [
            {
              name: message.name,
              receiver,
              sender: message.sender,
              state: "sent",
              atMs: Number(message.nanoseconds / 1_000_000n),
            },
          ];
    for (const file of box.names("inbox")) yield* sent(readMessageName(file));
    for (const file of box.names("processing")) yield* sent(readClaim(file));
    for (const file of box.names("done")) {
      const done = readDone(file);
      yield* sent(done);
      if (done !== undefined)
        yield { name: done.name, receiver, sender: done.sender, state: done.settled, atMs: done.settledAtMs };
    }
    for (const file of box.names("poison")) {
      const message = readMessageName(file);
      yield* sent(message);
      if (message !== undefined) {
        const atMs = Math.floor(box.room("poison").stat(file)?.ctimeMs ?? bus.clock.nowMs());
        yield { name: message.name, receiver, sender: message.sender, state: "poisoned", atMs };
      }
    }
  }
}
