// The code of an invitation: who invites (the whole mesh key), where, as what, and a secret that is good once. Written with capitals and digits
// alone, which a QR code holds in the least room and which can be read aloud; its last digits tell a slip of the hand.

import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { TransportKind } from "../../ports/mesh.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { PeerRole } from "./peer.ts";

export interface Invitation {
  /** 4 bytes, hex. */
  readonly id: string;
  readonly secret: Uint8Array;
  /** Of who invites: 32 bytes, base64url. */
  readonly key: string;
  /** The part of who invites, seen from who joins. */
  readonly role: PeerRole;
  readonly transport: Extract<TransportKind, "tls" | "iroh">;
  readonly at: string;
}

export const secretBytes = 16;
const prefix = "CM1";
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const idBytes = 4;
const keyBytes = 32;
const checkBytes = 3;
const roles: readonly PeerRole[] = ["root", "sibling"];
const transports = ["tls", "iroh"] as const;

export function writeCode({ id, secret, key, role, transport, at }: Invitation): string {
  const kinds = Buffer.of(roles.indexOf(role) * 16 + transports.indexOf(transport));
  const body = Buffer.concat([
    kinds,
    Buffer.from(id, "hex"),
    secret,
    Buffer.from(key, "base64url"),
    Buffer.from(at, "utf8"),
  ]);
  return prefix + base32(Buffer.concat([body, checkOf(body)]));
}

/** Blanks and dashes, small letters, and O, I and L for digits are taken as they were meant. */
export function readCode(text: string): Invitation {
  const plain = text.toUpperCase().replaceAll(/[\s-]/g, "");
  const bytes = plain.startsWith(prefix) ? fromBase32(plain.slice(prefix.length)) : undefined;
  const fixed = 1 + idBytes + secretBytes + keyBytes;
  if (bytes === undefined || bytes.length < fixed + checkBytes + 1) throw bad("it is no code of `constel mesh invite`");
  const body = bytes.subarray(0, -checkBytes);
  if (!checkOf(body).equals(bytes.subarray(-checkBytes))) throw bad("it was mistyped or cut");
  const [kinds = 0] = body;
  const role = roles[kinds >> 4];
  const transport = transports[kinds & 15];
  const at = body.subarray(fixed).toString("utf8");
  if (role === undefined || transport === undefined || !/^[\x21-\x7e]{1,200}$/.test(at))
    throw bad("a newer constel made it: upgrade this one");
  return {
    id: body.subarray(1, 1 + idBytes).toString("hex"),
    secret: body.subarray(1 + idBytes, 1 + idBytes + secretBytes),
    key: body.subarray(fixed - keyBytes, fixed).toString("base64url"),
    role,
    transport,
    at,
  };
}

/** The code over a handshake that only who has the secret can make; another handshake has another. */
export const redeeming = (secret: Uint8Array, before: Uint8Array, key: string): string =>
  createHmac("sha256", secret).update(before).update(key).digest("base64url");

export function isRedeemed(given: string, wanted: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Twelve digits that both owners compare: of the handshake and both keys, so that nobody in between has the same on both sides. */
export function fingerprintOf(transcript: Uint8Array, keys: readonly [string, string]): string {
  const hash = createHash("sha256").update("constel mesh fingerprint\0").update(transcript);
  const number =
    hash
      .update([...keys].sort().join())
      .digest()
      .readUIntBE(0, 6) %
    10 ** 12;
  return String(number)
    .padStart(12, "0")
    .replace(/^(.{4})(.{4})/, "$1-$2-");
}

const checkOf = (body: Uint8Array): Buffer => createHash("sha256").update(body).digest().subarray(0, checkBytes);

const bad = (why: string): Refusal => new Refusal("mesh.bad-code", `this code cannot be used: ${why}`);

function base32(bytes: Uint8Array): string {
  let text = "";
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : text + alphabet[(held << (5 - bits)) & 31];
}

function fromBase32(text: string): Buffer | undefined {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text.replaceAll("O", "0").replaceAll(/[IL]/g, "1")) {
    const value = alphabet.indexOf(letter);
    if (value < 0) return undefined;
    held = (held << 5) | value;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return Buffer.from(bytes);
}
