// Puts a message into an agent's inbox so that it is there whole or not at all: exclusive dot-temp, fsync, its final name unless
// something has that, fsync of the directory. When `send` returns, the message survives loss of power; when it
// throws, the inbox is as before. A process that dies on the way leaves at most a dot-temp, which sweep takes away.

import { complaintAbout, type Envelope, isComplaint, refusalOf, shapeEnvelope } from "../../protocol/envelope.ts";
import { isReserved, isReservedKind } from "../../protocol/bus-names.ts";
import { messageOf, Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import { TrustedDirectory } from "../../files/trusted-directory.ts";
import type { Bus } from "./bus.ts";
import { record } from "./bus-journal.ts";
import { step } from "./kill-points.ts";
import { diskOf, Mailbox } from "./mailbox.ts";
import { makeMessageName, type MessageName } from "./message-name.ts";

export type Draft = Omit<Envelope, "ts" | "to"> & { readonly to: string; readonly ts?: string };

export interface Sent {
  /** Durable in the inbox. Nothing is said about delivery. */
  readonly state: "sent";
  readonly envelope: Envelope & { readonly id: string; readonly to: string };
  readonly name: string;
  /** True if the journal has it too. */
  readonly recorded: boolean;
}

/** Names are random enough that a second try is already strange; eight say that something else is wrong. */
const maxNames = 8;
/** Below channels/: a mark for each sender. */
export const lastSent = "last-sent";
const markLength = 20;

export function send(bus: Bus, draft: Draft): Sent {
  const unsigned = completeEnvelope(bus, draft);
  refuseReservedKind(unsigned);
  const sig = unsigned.sig ?? bus.sign?.(unsigned);
  const envelope = sig === undefined ? unsigned : { ...unsigned, sig };
  // Each directory is opened once: of a message's time, opening them was a tenth.
  using home = openHome(bus, envelope);
  const name = place(bus, envelope, home);
  const recorded = record(bus, [{ state: "sent", to: envelope.to, name, envelope }], home);
  step("bus.send.recorded");
  return { state: "sent", envelope, name, recorded };
}

/** The envelope as it will be written, id and time filled in: what a sender signs before it sends. Refuses what may not be sent. */
export function completeEnvelope(bus: Bus, draft: Draft): Sent["envelope"] {
  const nowMs = bus.clock.nowMs();
  const id = draft.id ?? makeId("msg", nowMs, bus.random.bytes(10));
  // Half a character cannot be signed. What is no text at all is refused below.
  const text = typeof draft.text === "string" ? draft.text.toWellFormed() : draft.text;
  const shaped = shapeEnvelope({ ...draft, text, id, ts: draft.ts ?? new Date(nowMs).toISOString() });
  if (isComplaint(shaped)) throw refusalOf(shaped);
  const complaint = complaintAbout(shaped);
  if (complaint !== undefined) throw refusalOf(complaint);
  return { ...shaped, id, to: draft.to };
}

/** Readers would put it aside; who sends it is better told at once. */
export function refuseReservedKind({ kind, from }: Envelope): void {
  if (!isReservedKind(kind) || isReserved(from)) return;
  throw new Refusal("bus.reserved-kind", `only constel and the owner send messages of kind ${kind}`, { kind, from });
}

/** The message that could not be sent, and its receivers. */
type Unsent = { readonly id: string; readonly to: string | readonly string[] };

export function openHome(bus: Bus, message: Unsent): TrustedDirectory {
  try {
    return TrustedDirectory.open(bus.home, "", { create: true, ...diskOf(bus) });
  } catch (cause) {
    throw notSent(message, cause);
  }
}

function place(bus: Bus, envelope: Sent["envelope"], home: TrustedDirectory): string {
  try {
    using channels = home.child("channels", { create: true });
    using box = Mailbox.below(channels, envelope.to);
    using order = channels.child(lastSent, { create: true });
    return placeIn(bus, envelope, box.room("inbox"), order);
  } catch (cause) {
    throw notSent(envelope, cause);
  }
}

export function notSent({ to, id }: Unsent, cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  const why = cause instanceof Outage ? cause.cause : cause;
  const whom = typeof to === "string" ? to : `any of ${to.length} agents`;
  return new Refusal("bus.not-sent", `nothing was sent to ${whom}: ${messageOf(cause)}`, {
    to,
    id,
    ...(systemCode(why) === undefined ? {} : { systemCode: systemCode(why) }),
  });
}

function placeIn(bus: Bus, envelope: Sent["envelope"], inbox: TrustedDirectory, order: TrustedDirectory): string {
  let message = nextName(bus, envelope.from, order);
  const temporary = `.${message.name}.tmp`;
  try {
    inbox.writeNew(temporary, JSON.stringify(envelope), {
      step: (reached) => step(reached === "created" ? "bus.send.temp-created" : "bus.send.temp-written"),
    });
    step("bus.send.temp-synced");
    for (let tried = 1; !inbox.renameUnlessTaken(temporary, message.name, () => step("bus.send.linked")); tried++) {
      if (tried === maxNames) throw new Error(`${maxNames} names in a row were taken`);
      message = nextName(bus, envelope.from, order);
    }
  } catch (cause) {
    inbox.remove(temporary);
    throw cause;
  }
  step("bus.send.temp-removed");
  makeItLast(inbox, message.name);
  step("bus.send.synced");
  return message.name;
}

/** A name later than the sender's last one, also across its processes; noted before it is used, so that no crash loses it. */
export function nextName(bus: Bus, sender: string, order: TrustedDirectory): MessageName {
  const { pid } = bus.liveness.self();
  let message: MessageName | undefined;
  order.changeMark(sender, markLength, (noted) => {
    message = makeMessageName(bus, pid, sender, /^\d{20}$/.test(noted) ? BigInt(noted) : 0n);
    return message.name.slice(0, markLength);
  });
  if (message === undefined) throw new Error("no name was made");
  step("bus.send.order-noted");
  return message;
}

/** If the name cannot be made to last we take the message back; a receiver that was faster has it, and then it was sent. */
function makeItLast(inbox: TrustedDirectory, name: string): void {
  try {
    inbox.sync();
  } catch (cause) {
    if (inbox.remove(name)) throw cause;
  }
}
