// Looks at what lies in a mailbox, for a receiver that looks often: names only, and never into done/, which may be long.

import type { Envelope } from "../../protocol/envelope.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import type { Bus } from "./bus.ts";
import { hasEnded } from "./claim.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { Mailbox, type Room } from "./mailbox.ts";
import { type Claim, readClaim, readDone } from "./message-name.ts";
import type { InHand } from "./settle.ts";

/** From the inbox into somebody's hands, back, and on until it is done. */
const mostMoves = 4;

export interface Pending {
  /** In the inbox. */
  readonly waiting: number;
  /** Handed out by us, or by a receiver that is gone: nobody has said that they arrived. */
  readonly doubtful: readonly Claim[];
  /** Claimed by a receiver that is gone before any model could see them. */
  readonly orphaned: number;
  /** In the hands of a receiver that lives. */
  readonly held: number;
}

export function pendingFor(bus: Bus, agent: string, receiver: ProcessMark = bus.liveness.self()): Pending {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return { waiting: 0, doubtful: [], orphaned: 0, held: 0 };
  const waiting = box.unsorted("inbox").length;
  const claims = box.names("processing").flatMap((file) => readClaim(file) ?? []);
  const isOurs = ({ claimer }: Claim): boolean => claimer.pid === receiver.pid && claimer.token === receiver.token;
  const loose = claims.filter((claim) => isOurs(claim) || hasEnded(bus, claim));
  return {
    waiting,
    doubtful: loose.filter((claim) => claim.state === "handed-out"),
    orphaned: loose.filter((claim) => claim.state === "claimed").length,
    held: claims.length - loose.length,
  };
}

/** A message by the name of its file, wherever it lies by now; undefined when it is gone or may not be read. */
export function messageNamed(bus: Bus, agent: string, name: string): InHand | undefined {
  using box = Mailbox.find(bus, agent);
  if (box === undefined) return undefined;
  // It may move on while it is looked for.
  for (let look = 0; look < mostMoves; look++) {
    const place = placeOf(box, name);
    if (place === undefined) return undefined;
    const envelope = readEnvelope(box, place.room, place.file);
    if (envelope === "gone") continue;
    if ("code" in envelope) return undefined;
    const claim = place.room === "processing" ? readClaim(place.file) : undefined;
    return { envelope, claim: claim ?? ({ name, file: place.file } as Claim) };
  }
  return undefined;
}

/** The rooms in the order in which messages go through them. */
function placeOf(box: Mailbox, name: string): { readonly room: Room; readonly file: string } | undefined {
  const isIt = (file: string): boolean => (readClaim(file) ?? readDone(file))?.name === name;
  if (box.unsorted("inbox").includes(name)) return { room: "inbox", file: name };
  for (const room of ["processing", "done"] as const) {
    const file = box.names(room).find(isIt);
    if (file !== undefined) return { room, file };
  }
  return undefined;
}

/** The message behind a claim; undefined when it is gone or may not be read. */
export function inHand(bus: Bus, agent: string, claim: Claim): InHand | undefined {
  using box = Mailbox.find(bus, agent);
  const envelope: Envelope | { code: string } | "gone" =
    box === undefined ? "gone" : readEnvelope(box, "processing", claim.file);
  return envelope === "gone" || "code" in envelope ? undefined : { claim, envelope };
}
