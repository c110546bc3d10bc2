// Looks at what lies in a mailbox, for a receiver that looks often: names only, and never into done/, which may be long.

import type { Envelope } from "../../protocol/envelope.ts";
import type { ProcessMark } from "../../ports/machine.ts";
import type { Bus } from "./bus.ts";
import { hasEnded } from "./claim.ts";
import { readEnvelope } from "./judge-envelope.ts";
import { Mailbox } from "./mailbox.ts";
import { type Claim, readClaim, readDone } from "./message-name.ts";
import type { InHand } from "./settle.ts";

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
  const isIt = (file: string): boolean => (readClaim(file) ?? readDone(file))?.name === name;
  const file = box.names("processing").find(isIt);
  const place = file !== undefined ? "processing" : box.names("inbox").includes(name) ? "inbox" : "done";
  const found = file ?? (place === "inbox" ? name : box.names("done").find(isIt));
  if (found === undefined) return undefined;
  const envelope = readEnvelope(box, place, found);
  if (envelope === "gone" || "code" in envelope) return undefined;
  const claim = file === undefined ? undefined : readClaim(file);
  return { envelope, claim: claim ?? ({ name, file: found } as Claim) };
}

/** The message behind a claim; undefined when it is gone or may not be read. */
export function inHand(bus: Bus, agent: string, claim: Claim): InHand | undefined {
  using box = Mailbox.find(bus, agent);
  const envelope: Envelope | { code: string } | "gone" =
    box === undefined ? "gone" : readEnvelope(box, "processing", claim.file);
  return envelope === "gone" || "code" in envelope ? undefined : { claim, envelope };
}
