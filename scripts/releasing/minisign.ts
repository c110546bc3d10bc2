// Signatures as minisign makes and checks them (prehashed, Ed25519). The public half stands in the program and in install.sh's neighbours; the secret half comes
// from a file that only the release has.

import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";

/** PKCS#8 and SPKI of Ed25519 are these bytes, and then the key. */
const secretPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

export interface SigningKey {
  readonly id: Buffer;
  readonly seed: Buffer;
}

/** The secret half as a text of one line: for the store of secrets of the place that releases. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  const seed = privateKey.export({ format: "der", type: "pkcs8" }).subarray(-32);
  const id = crypto.getRandomValues(Buffer.alloc(8));
  return Buffer.concat([Buffer.from("CS"), id, seed]).toString("base64");
}

export function readKey(text: string): SigningKey {
  const bytes = Buffer.from(text.trim(), "base64");
  if (bytes.length !== 42 || bytes.toString("latin1", 0, 2) !== "CS")
    throw new Error("this is no signing key of `scripts/release --new-key`");
  return { id: bytes.subarray(2, 10), seed: bytes.subarray(10) };
}

const secretOf = ({ seed }: SigningKey) =>
  createPrivateKey({ key: Buffer.concat([secretPrefix, seed]), format: "der", type: "pkcs8" });

/** The second line of a minisign public key. */
export function publicKeyOf(key: SigningKey): string {
  const spki = createPublicKey(secretOf(key)).export({ format: "der", type: "spki" });
  return Buffer.concat([Buffer.from("Ed"), key.id, spki.subarray(-32)]).toString("base64");
}

export function signatureOf(content: Uint8Array, key: SigningKey, trusted: string): string {
  const digest = new Bun.CryptoHasher("blake2b512").update(content).digest();
  const signature = sign(null, digest, secretOf(key));
  const global = sign(null, Buffer.concat([signature, Buffer.from(trusted)]), secretOf(key));
  const line = Buffer.concat([Buffer.from("ED"), key.id, signature]).toString("base64");
  return `untrusted comment: signature of constel\n${line}\ntrusted comment: ${trusted}\n${global.toString("base64")}\n`;
}
