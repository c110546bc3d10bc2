// Messages that constel and the owner left in mailboxes before there were keys carry no signature, and would now be put aside as an
// impostor's. They are signed where they lie, once, when a home gets its keys; what they were is kept by the caller.

import { isReserved } from "../../protocol/bus-names.ts";
import { isComplaint } from "../../protocol/envelope.ts";
import type { Bus } from "./bus.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { agentsWithMailbox } from "./list.ts";
import { Mailbox } from "./mailbox.ts";

/** How many were signed. `keep` is given each file before it is changed. */
export function signWaiting(bus: Bus, keep: (path: string, content: string) => void): number {
  let signed = 0;
  for (const agent of agentsWithMailbox(bus)) {
    using box = Mailbox.find(bus, agent);
    if (box === undefined) continue;
    for (const room of ["inbox", "processing"] as const) {
      for (const file of box.names(room)) {
        const envelope = readEnvelope(box, room, file);
        if (envelope === "gone" || isComplaint(envelope) || envelope.sig !== undefined || !isReserved(envelope.from))
          continue;
        const whole = { ...envelope, to: envelope.to ?? agent };
        const sig = bus.sign?.(whole);
        if (sig === undefined) continue;
        keep(`${agent}/${file}`, JSON.stringify(envelope));
        box.room(room).write(file, JSON.stringify({ ...whole, sig }));
        signed += 1;
      }
    }
  }
  return signed;
}
