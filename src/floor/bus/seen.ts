// Which message first used an id or idempotency key, so that an agent sees each once however often it lies on disk. One file
// per key, named by its hash and holding the name of the message that owns it. It appears by a hard link, so of two
// receivers one wins, and it is never seen half written. Because it says *which* message owns the key, the mark may be made
// before the message is handed out: the owner itself, claimed again after a crash, is not its own duplicate.
//
// Keys belong to their sender, as its signature says: nobody can use up another's by copying an id.

import { createHash } from "node:crypto";
import type { Envelope } from "../../protocol/envelope.ts";
import { systemCode } from "../../protocol/errors.ts";
import type { TrustedDirectory } from "../../files/trusted-directory.ts";
import { step } from "./kill-points.ts";
import { readMessageName } from "./message-name.ts";

/** `uncertain`: the mark was torn by lost power, so nobody knows whose it is. */
export type Ownership = "own" | "duplicate" | "uncertain";

let sequence = 0;

/** Marks the keys of a message as its own, or says that another message has one of them. */
export function takeKeys(
  seen: TrustedDirectory,
  { envelope, verified }: { readonly envelope: Envelope; readonly verified: boolean },
  name: string,
): Ownership {
  let outcome: Ownership = "own";
  for (const key of keysOf(envelope, name, verified)) {
    const owner = takeKey(seen, key, name);
    if (owner === name) continue;
    if (readMessageName(owner) !== undefined) return "duplicate";
    outcome = "uncertain";
  }
  step("bus.claim.seen-marked");
  return outcome;
}

/** The name of the message that owns the key, which is the given one unless another came first. */
function takeKey(seen: TrustedDirectory, key: string, name: string): string {
  const owner = seen.read(key)?.toString("latin1");
  if (owner !== undefined) return owner;
  const temporary = `.${key}.${process.pid}.${++sequence}.tmp`;
  // Not synced: after loss of power an empty mark reads as uncertain, and a missing one as unseen. See claim.ts.
  seen.writeNew(temporary, name, { sync: false });
  step("bus.claim.seen-written");
  try {
    seen.link(temporary, key);
    step("bus.claim.seen-linked");
    return name;
  } catch (cause) {
    if (systemCode(cause) !== "EEXIST") throw cause;
    return seen.read(key)?.toString("latin1") ?? "";
  } finally {
    seen.remove(temporary);
  }
}

/** A message without an id is known by its file's name. What only says whose it is has keys of its own. */
function keysOf(envelope: Envelope, name: string, verified: boolean): string[] {
  const hashed = (kind: "id" | "key", value: string): string => hashOf(envelope, verified, kind, value);
  const keys = [hashed("id", envelope.id ?? name)];
  if (envelope.idempotency_key !== undefined) keys.push(hashed("key", envelope.idempotency_key));
  return keys;
}

function hashOf(envelope: Envelope, verified: boolean, kind: "id" | "key", value: string): string {
  const said = verified ? [] : ["not verified"];
  const whole = JSON.stringify([envelope.origin ?? "", envelope.from, kind, value, ...said]);
  return createHash("sha256").update(whole).digest("hex").slice(0, 40);
}
