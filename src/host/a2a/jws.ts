// Signatures as JOSE has them (RFC 7515), with EdDSA and ES256, over what RFC 8785 makes of a JSON value. Keys are known by their thumbprint
// (RFC 7638), and only keys that were given count: no header of a signature leads anywhere.

import { createHash, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { canonical } from "../../protocol/canonical.ts";

export interface CardKey {
  readonly id: string;
  readonly algorithm: "EdDSA" | "ES256";
  readonly key: KeyObject;
}

export type Jwk = Readonly<Record<string, unknown>>;

const base64url = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64url");

export function publicJwk(key: KeyObject): Jwk {
  const { kty, crv, x, y } = (key.type === "private" ? createPublicKey(key) : key).export({ format: "jwk" });
  return kty === "OKP" ? { crv, kty, x } : { crv, kty, x, y };
}

export const thumbprint = (jwk: Jwk): string =>
  createHash("sha256")
    .update(
      canonical(
        Object.fromEntries(
          ["crv", "kty", "x", "y"].flatMap((name) => (jwk[name] === undefined ? [] : [[name, jwk[name]]])),
        ),
      ),
    )
    .digest("base64url");

export interface Signature {
  readonly protected: string;
  readonly signature: string;
}

export function signPayload({ id, algorithm, key }: CardKey, payload: Uint8Array): Signature {
  const head = base64url(canonical({ alg: algorithm, kid: id, typ: "JOSE" }));
  const bytes = Buffer.from(`${head}.${base64url(payload)}`);
  const made =
    algorithm === "EdDSA" ? sign(null, bytes, key) : sign("sha256", bytes, { key, dsaEncoding: "ieee-p1363" });
  return { protected: head, signature: base64url(made) };
}

/** Without the payload, which travels beside it. */
export function signDetached(key: CardKey, payload: Uint8Array): string {
  const made = signPayload(key, payload);
  return `${made.protected}..${made.signature}`;
}

/** The thumbprint of the key that made it, if it is one of these and the signature holds. */
export function verifyPayload(made: Signature, payload: Uint8Array, keys: readonly Jwk[]): string | undefined {
  const head = headOf(made.protected);
  if (head === undefined) return undefined;
  const bytes = Buffer.from(`${made.protected}.${base64url(payload)}`);
  const signature = Buffer.from(made.signature, "base64url");
  for (const jwk of keys) {
    const wanted =
      jwk["kty"] === "OKP" && jwk["crv"] === "Ed25519" ? "EdDSA" : jwk["crv"] === "P-256" ? "ES256" : undefined;
    if (wanted === undefined || head.alg !== wanted) continue;
    try {
      const key = createPublicKey({ key: jwk as never, format: "jwk" });
      const holds =
        wanted === "EdDSA"
          ? verify(null, bytes, key, signature)
          : verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, signature);
      if (holds) return thumbprint(jwk);
    } catch {
      // not a key: the next one
    }
  }
  return undefined;
}

function headOf(text: string): { readonly alg: string } | undefined {
  try {
    const head = JSON.parse(Buffer.from(text, "base64url").toString()) as { alg?: unknown; crit?: unknown };
    return typeof head.alg === "string" && head.crit === undefined ? { alg: head.alg } : undefined;
  } catch {
    return undefined;
  }
}
