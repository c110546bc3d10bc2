// The bytes that a handshake is made of. Both ends say hello in the open, with nothing but a version and a key that lives as long as the line:
//
//   dialler   magic, versions, fresh key                      42 bytes
//   answerer  magic, status, version, versions, fresh key     44 bytes
//
// From there on all is sealed. Each says who it is: its mesh key, a few words about itself, and its signature over everything before it, the
// other's mesh key, and what only this wire's two ends know (handshake.ts).

import { createHash, hkdfSync } from "node:crypto";
import type { Versions } from "./versions.ts";

const magic = Buffer.from("constelm");
const freshBytes = 32;
export const helloBytes = magic.length + 2 + freshBytes;
export const answerBytes = magic.length + 4 + freshBytes;
export const keyBytes = 32;
export const signatureBytes = 64;
/** The words of either end, sealed; nothing longer is read before its proof. */
export const mostWordsBytes = 2048;
/** All that is read of a stranger, whatever it is. */
export const mostBytesBeforeProof = 4096;

export interface Hello {
  readonly versions: Versions;
  readonly fresh: Buffer;
}

export const helloOf = ({ versions, fresh }: Hello): Buffer =>
  Buffer.concat([magic, Buffer.of(versions.least, versions.newest), fresh]);

/** Undefined for what does not speak this protocol. */
export function readHello(bytes: Buffer): Hello | undefined {
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const [least = 0, newest = 0] = bytes.subarray(magic.length);
  if (least < 1 || newest < least) return undefined;
  return { versions: { least, newest }, fresh: bytes.subarray(magic.length + 2) };
}

/** `version`: 0 where none is common. */
export interface Answer extends Hello {
  readonly version: number;
}

export const answerOf = ({ version, versions, fresh }: Answer): Buffer =>
  Buffer.concat([magic, Buffer.of(version === 0 ? 1 : 0, version, versions.least, versions.newest), fresh]);

export function readAnswer(bytes: Buffer): Answer | undefined {
  if (!bytes.subarray(0, magic.length).equals(magic)) return undefined;
  const [status = 0, version = 0, least = 0, newest = 0] = bytes.subarray(magic.length);
  if ((status === 0) !== version > 0) return undefined;
  return { version, versions: { least, newest }, fresh: bytes.subarray(magic.length + 4) };
}

/** The words that an end says of itself. They are its own: nothing is believed of them but that the key's holder said so. */
export interface Said {
  /** Its name for itself, and its program's version. */
  readonly constellation: string;
  readonly program: string;
  readonly now_ms: number;
  /** Of who redeems an invitation: its number, and a code over this very handshake that only who has the secret can make. */
  readonly invitation?: { readonly id: string; readonly code: string };
  /** Of the answerer, to a dialler whose invitation it took. */
  readonly joined?: true;
}

const plainName = /^[a-z0-9][a-z0-9._-]{0,62}$/i;

export function readSaid(bytes: Buffer): Said | undefined {
  try {
    const said = JSON.parse(bytes.toString("utf8")) as Partial<Said> | null;
    const { constellation, program, now_ms: nowMs, invitation, joined } = said ?? {};
    if (typeof constellation !== "string" || !plainName.test(constellation)) return undefined;
    if (typeof program !== "string" || !/^[\x21-\x7e]{1,60}$/.test(program)) return undefined;
    if (typeof nowMs !== "number" || !Number.isSafeInteger(nowMs)) return undefined;
    const { id, code } = invitation ?? {};
    const isInvited = typeof id === "string" && typeof code === "string";
    return {
      constellation,
      program,
      now_ms: nowMs,
      ...(isInvited ? { invitation: { id, code } } : {}),
      ...(joined === true ? { joined } : {}),
    };
  } catch {
    return undefined;
  }
}

export const digest = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash("sha256");
  // Each with its length: two lists of parts never have the same bytes.
  for (const part of parts) {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32BE(part.length, 0);
    hash.update(length).update(part);
  }
  return hash.digest();
};

/** Two keys for one purpose, the dialler's first. */
export function twoKeys(shared: Uint8Array, salt: Uint8Array, purpose: string): readonly [Buffer, Buffer] {
  const both = Buffer.from(hkdfSync("sha256", shared, salt, `constel mesh ${purpose}`, 64));
  return [both.subarray(0, 32), both.subarray(32)];
}

/** The bytes that an end signs: its part, all before it, and both mesh keys. No signature of ours over anything else reads like this. */
export const bytesToProve = (
  part: "dial" | "answer",
  before: Uint8Array,
  theirs: Uint8Array,
  own: Uint8Array,
  said: Uint8Array,
): Buffer => Buffer.concat([Buffer.from(`constel mesh ${part}\0`), digest(before, theirs, own, said)]);
