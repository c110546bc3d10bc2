// Reads the public keys by which another agent's card is judged: as one word (`EdDSA:x`, `ES256:x.y`, coordinates in base64url), or a file
// with a JWK, a set of them, or PEM. They come from the owner alone. A card and its headers name keys too, and those are never asked for.

import { createPublicKey } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { messageOf, Refusal } from "../../../protocol/errors.ts";
import { type Jwk, publicJwk } from "../jws.ts";

export function keyWord({ kty, x, y }: Jwk): string {
  return kty === "OKP" ? `EdDSA:${String(x)}` : `ES256:${String(x)}.${String(y)}`;
}

const coordinate = "[A-Za-z0-9_-]{43}";
const eddsa = new RegExp(`^EdDSA:(${coordinate})$`);
const es256 = new RegExp(`^ES256:(${coordinate})\\.(${coordinate})$`);

/** Undefined for anything else, and for a point that is on no curve. */
export function keyOfWord(word: string): Jwk | undefined {
  const [, edX] = eddsa.exec(word) ?? [];
  if (edX !== undefined) return usable({ crv: "Ed25519", kty: "OKP", x: edX });
  const [, x, y] = es256.exec(word) ?? [];
  return x === undefined || y === undefined ? undefined : usable({ crv: "P-256", kty: "EC", x, y });
}

const mostBytes = 64 * 1024;
const mostKeys = 50;

/** A word, or the path of a file. */
export function keysFrom(given: string): readonly Jwk[] {
  const key = keyOfWord(given);
  if (key !== undefined) return [key];
  const no = (why: string): Refusal => new Refusal("a2a.key", `${JSON.stringify(given.slice(0, 200))} ${why}`, {});
  if (/^(EdDSA|ES256):/.test(given)) throw no("is not a public key");
  let text: string;
  try {
    if (statSync(given).size > mostBytes) throw no("is too large for a file of keys");
    text = readFileSync(given, "utf8");
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw no(`is no key, and cannot be read as a file: ${messageOf(cause)}`);
  }
  const keys = text.includes("-----BEGIN PUBLIC KEY-----") ? fromPem(text) : fromJson(text);
  if (keys.length === 0) throw no("has no key of Ed25519 or P-256 in it");
  return keys;
}

function fromPem(text: string): readonly Jwk[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return blocks.slice(0, mostKeys).flatMap((pem) => {
    try {
      return some(usable(publicJwk(createPublicKey(pem))));
    } catch {
      return [];
    }
  });
}

function fromJson(text: string): readonly Jwk[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  const set = (value as { keys?: unknown } | null)?.keys;
  const given = Array.isArray(set) ? (set as unknown[]) : [value];
  return given
    .slice(0, mostKeys)
    .flatMap((one) => (typeof one === "object" && one !== null ? some(usable(one as Jwk)) : []));
}

const some = (jwk: Jwk | undefined): readonly Jwk[] => (jwk === undefined ? [] : [jwk]);

function usable(jwk: Jwk): Jwk | undefined {
  const isKnown = (jwk["kty"] === "OKP" && jwk["crv"] === "Ed25519") || jwk["crv"] === "P-256";
  if (!isKnown) return undefined;
  try {
    return publicJwk(createPublicKey({ key: jwk as never, format: "jwk" }));
  } catch {
    return undefined;
  }
}
