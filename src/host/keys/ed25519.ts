// Ed25519 by the runtime's own library, at once: a message is put into an inbox in one go, so its signature cannot be waited for.

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { bytesFor } from "../../protocol/canonical.ts";

export interface NewKey {
  readonly id: string;
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  /** PKCS #8, base64url. */
  readonly privateKey: string;
}

export function makeKey(): NewKey {
  const pair = generateKeyPairSync("ed25519");
  const publicKey = String(pair.publicKey.export({ format: "jwk" }).x);
  const privateKey = pair.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64url");
  return { id: keyId(publicKey), publicKey, privateKey };
}

/** Returns the name of a key: the beginning of its hash. */
export function keyId(publicKey: string): string {
  return createHash("sha256").update(Buffer.from(publicKey, "base64url")).digest("hex").slice(0, 20);
}

export function privateFrom(text: string): KeyObject {
  return createPrivateKey({ key: Buffer.from(text, "base64url"), format: "der", type: "pkcs8" });
}

/** Undefined for what is no key. */
export function publicFrom(text: string): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: text }, format: "jwk" });
  } catch {
    return undefined;
  }
}

export interface SigningKey {
  readonly id: string;
  readonly key: KeyObject;
  /** The one it signs for. */
  readonly constellation: string;
}

/** A signature that is good in the key's own constellation and in no other. */
export const signWith = ({ id, key, constellation }: SigningKey, bytes: Uint8Array): string =>
  signatureOf(id, constellation, sign(null, bytesFor(constellation, bytes), key));

/** For statements of the ring, which name the one before them and with it the first; everything else says for which constellation it is. */
export const statementSignature = (id: string, key: KeyObject, bytes: Uint8Array): string =>
  `ed25519:${id}:${sign(null, bytes, key).toString("base64url")}`;

/** `signature`: over `bytesFor` this constellation. */
export const signatureOf = (id: string, constellation: string, signature: Uint8Array): string =>
  `ed25519:${id}.${constellation}:${Buffer.from(signature).toString("base64url")}`;

export interface ReadSignature {
  readonly key: string;
  readonly constellation: string | undefined;
  readonly bytes: Buffer;
}

export function readSignature(text: string): ReadSignature | undefined {
  const [, key, constellation, signature] =
    /^ed25519:([0-9a-f]{20})(?:\.([0-9a-f]{20}))?:([A-Za-z0-9_-]{86})$/.exec(text) ?? [];
  if (key === undefined || signature === undefined) return undefined;
  return { key, constellation, bytes: Buffer.from(signature, "base64url") };
}

export const holds = (key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean =>
  verify(null, bytes, key, signature);
