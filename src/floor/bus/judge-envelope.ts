// Reads a claimed file and decides whether a model may see it. Everything that was refused on sending is looked at again,
// because whoever writes files into an inbox need not have used our `send`.

import {
  type Complaint,
  complaintAbout,
  type Envelope,
  isComplaint,
  isFor,
  maxFileBytes,
  parseEnvelope,
} from "../../protocol/envelope.ts";
import { isReserved, isReservedKind } from "../../protocol/bus-names.ts";
import { messageOf, Outage, Refusal, systemCode } from "../../protocol/errors.ts";
import type { Bus } from "./bus.ts";
import type { Mailbox, Room } from "./mailbox.ts";

export interface Sound {
  readonly envelope: Envelope;
  readonly verified: boolean;
}

/** It cannot be judged now, and waits where it is. `others`: messages behind it need not wait for it. */
export interface Waits {
  readonly waits: Refusal | Outage;
  readonly others: boolean;
}

export type Judgement = Sound | Complaint | Waits | "gone";

export async function judge(bus: Bus, box: Mailbox, file: string, sender: string): Promise<Judgement> {
  let content: Envelope | Complaint | "gone";
  try {
    content = readOrFail(box, "processing", file);
  } catch (cause) {
    // The disk or the system failed, or the file is closed to us: that says nothing of the message.
    if (cause instanceof Outage) return { waits: cause, others: true };
    throw cause;
  }
  if (content === "gone" || "code" in content) return content;
  if (content.from !== sender) {
    return { code: "bus.bad-name", message: `the name says ${sender}, the content ${JSON.stringify(content.from)}` };
  }
  if (!isFor(content, box.agent)) {
    const whom = content.to ?? `${content.receivers?.length ?? 0} others`;
    return { code: "bus.misaddressed", message: `it is addressed to ${whom}, not to ${box.agent}` };
  }
  const judged = await judgeSignature(bus, content);
  return "code" in judged || "waits" in judged ? judged : (impostor(bus, judged) ?? judged);
}

/** Names and kinds that are constel's own, or the owner's, are worth something only when their signature says so. */
function impostor(bus: Bus, { envelope, verified }: Sound): Complaint | undefined {
  if (bus.verify === undefined) return undefined;
  const { from, kind, origin } = envelope;
  if (origin !== undefined && !verified)
    return { code: "bus.impostor", message: `it says it came from ${origin}, and constel did not sign that` };
  if (isReserved(from))
    return verified ? undefined : { code: "bus.impostor", message: `it says it is from ${from}, and is not signed so` };
  if (!isReservedKind(kind)) return undefined;
  return { code: "bus.impostor", message: `only constel and the owner send messages of kind ${kind}` };
}

/** The envelope in a file, when it keeps every rule but those that need its place or a key. What cannot be read is no message. */
export function readEnvelope(box: Mailbox, room: Room, file: string): Envelope | Complaint | "gone" {
  try {
    return readOrFail(box, room, file);
  } catch (cause) {
    if (cause instanceof Outage) return { code: "bus.bad-name", message: messageOf(cause) };
    throw cause;
  }
}

function readOrFail(box: Mailbox, room: Room, file: string): Envelope | Complaint | "gone" {
  let bytes: Buffer | undefined;
  try {
    bytes = box.room(room).read(file, { maxBytes: maxFileBytes });
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === "path.too-large") {
      return { code: "bus.too-large", message: `the file is over ${maxFileBytes} bytes` };
    }
    // A link, a directory or a pipe: none of them is what `send` makes.
    if (cause instanceof Refusal || (cause instanceof Outage && systemCode(cause.cause) === "EISDIR"))
      return { code: "bus.bad-name", message: messageOf(cause) };
    throw cause;
  }
  if (bytes === undefined) return "gone";
  const envelope = parseEnvelope(bytes);
  return isComplaint(envelope) ? envelope : (complaintAbout(envelope) ?? envelope);
}

async function judgeSignature(bus: Bus, envelope: Envelope): Promise<Sound | Complaint | Waits> {
  if (envelope.sig === undefined || bus.verify === undefined) {
    return bus.requireSignature
      ? bad("a signature is needed and there is none to check")
      : { envelope, verified: false };
  }
  const verdict = await bus.verify(envelope);
  // Signed for nobody in particular, it could be laid before anybody.
  if (verdict === true) return { envelope, verified: envelope.to !== undefined || envelope.receivers !== undefined };
  if (verdict === "cannot-tell") return { waits: noRing(envelope.from), others: false };
  if (verdict === false) return bad(`the signature is not ${envelope.from}'s over this message`);
  // A key we do not know proves nothing either way: the frame says that the sender is not verified.
  return bus.requireSignature ? bad(`the key of ${envelope.from} is not known`) : { envelope, verified: false };
}

const noRing = (sender: string): Refusal =>
  new Refusal("keys.ring-missing", `a message from ${sender} waits, because the ring of keys cannot be read`, {
    sender,
  });

const bad = (message: string): Complaint => ({ code: "bus.bad-signature", message });
