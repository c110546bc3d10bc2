// Remembers which message first used an id or idempotency key, so that an agent sees each once however often it lies on disk and
// whatever its file is called. One file per key, named by its hash and holding the name of the message that owns it. It appears by a
// hard link, so of two receivers one wins, and it is never seen half written. Because it says *which* message owns the key, the mark
// may be made before the message is handed out: the owner itself, claimed again after a crash, is not its own duplicate.
//
// Once the message is settled its marks say `taken`, and a file of that name is a copy that somebody laid there again. A signature
// counts for as long as its key does, so nothing taken is ever forgotten: sweep.ts moves old marks into one list (taken-list.ts).
//
// Keys belong to their sender, as its signature says: nobody can use up another's by copying an id.

import { createHash } from "node:crypto";
import { type Envelope, signedBytes } from "../../protocol/envelope.ts";
import { systemCode } from "../../protocol/errors.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { step } from "./kill-points.ts";
import type { Mailbox } from "./mailbox.ts";
import { type Claim, readClaim, readDone, readMessageName } from "./message-name.ts";
import { isListed } from "./taken-list.ts";

/** `uncertain`: the mark was torn by lost power, so nobody knows whose it is. */
export type Ownership = "own" | "duplicate" | "uncertain";

export interface Mark {
  /** The message that owns the key; no message's name when the mark is torn. */
  readonly owner: string;
  readonly taken: boolean;
}

type Judged = { readonly envelope: Envelope; readonly verified: boolean };

const takenLine = "\ntaken";
let sequence = 0;

/** Marks the keys of a message as its own, or says that they were used before. */
export function takeKeys(box: Mailbox, judged: Judged, held: Pick<Claim, "name" | "file">): Ownership {
  let outcome: Ownership = "own";
  let before = false;
  for (const key of keysOf(judged, held.name)) {
    const mark = takeKey(box.room("seen"), key, held.name);
    if (mark === "new") continue;
    if (mark.taken) return "duplicate";
    if (mark.owner === held.name) before = true;
    else if (readMessageName(mark.owner) !== undefined) return "duplicate";
    else outcome = "uncertain";
  }
  step("bus.claim.seen-marked");
  return before && isCopy(box, held) ? "duplicate" : outcome;
}

/** Says in the marks of a settled message that it was taken: nothing with its id or key is handed out again. */
export function markTaken(box: Mailbox, envelope: Envelope, name: string): void {
  const seen = box.room("seen");
  // Only what carries a signature can have been verified.
  const kinds = envelope.sig === undefined ? [false] : [true, false];
  const keys = kinds.flatMap((verified) => keysOf({ envelope, verified }, name));
  for (const key of new Set(keys)) {
    const mark = readMark(seen, key);
    // Not synced: until the disk has it, the message in done/ says the same.
    if (mark?.owner === name && !mark.taken) seen.write(key, `${name}${takenLine}`, { sync: false });
  }
}

export function readMark(seen: TrustedDirectory, key: string): Mark | undefined {
  const text = seen.read(key)?.toString("latin1");
  if (text === undefined) return undefined;
  const taken = text.endsWith(takenLine);
  return { owner: taken ? text.slice(0, -takenLine.length) : text, taken };
}

/** A message is in one place at a time. One that is also in somebody's hands, or done, was laid here a second time. */
function isCopy(box: Mailbox, { name, file }: Pick<Claim, "name" | "file">): boolean {
  return (
    box.unsorted("processing").some((other) => other !== file && readClaim(other)?.name === name) ||
    box.unsorted("done").some((other) => readDone(other)?.name === name)
  );
}

/** The mark that a key has already, or `new` when the given message owns it from now on. */
function takeKey(seen: TrustedDirectory, key: string, name: string): Mark | "new" {
  const known = readMark(seen, key);
  if (known !== undefined) return known;
  if (isListed(seen, key)) return { owner: "", taken: true };
  const temporary = `.${key}.${process.pid}.${++sequence}.tmp`;
  // Not synced: after loss of power an empty mark reads as uncertain, and a missing one as unseen. See claim.ts.
  seen.writeNew(temporary, name, { sync: false });
  step("bus.claim.seen-written");
  try {
    seen.link(temporary, key);
    step("bus.claim.seen-linked");
    return "new";
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause;
    return readMark(seen, key) ?? { owner: "", taken: false };
  } finally {
    seen.remove(temporary);
  }
}

/** A message without an id is known by what was signed, or by its file's name. What only says whose it is has keys of its own. */
function keysOf({ envelope, verified }: Judged, name: string): string[] {
  const hashed = (kind: "id" | "key" | "signed", value: string): string => hashOf(envelope, verified, kind, value);
  const whole = (): string => Buffer.from(signedBytes(envelope)).toString("latin1");
  const own = envelope.id ?? (verified ? undefined : name);
  const keys = [own === undefined ? hashed("signed", whole()) : hashed("id", own)];
  if (envelope.idempotency_key !== undefined) keys.push(hashed("key", envelope.idempotency_key));
  return keys;
}

function hashOf(envelope: Envelope, verified: boolean, kind: "id" | "key" | "signed", value: string): string {
  const said = verified ? [] : ["not verified"];
  const whole = JSON.stringify([envelope.origin ?? "", envelope.from, kind, value, ...said]);
  return createHash("sha256").update(whole).digest("hex").slice(0, 40);
}
