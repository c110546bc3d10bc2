// A key of X25519 that lives as long as one handshake: who takes a mesh key later still reads nothing of the lines before.

import { createPublicKey, diffieHellman, generateKeyPairSync } from "node:crypto";

export interface FreshKey {
  readonly publicKey: Buffer;
  /** Undefined where the other end sent what is no key, or one that makes the secret known to all. */
  agree(theirs: Buffer): Buffer | undefined;
}

export function makeFreshKey(): FreshKey {
  const pair = generateKeyPairSync("x25519");
  return {
    publicKey: Buffer.from(String(pair.publicKey.export({ format: "jwk" }).x), "base64url"),
    agree(theirs) {
      try {
        const key = { kty: "OKP", crv: "X25519", x: theirs.toString("base64url") };
        const publicKey = createPublicKey({ key, format: "jwk" });
        const shared = diffieHellman({ privateKey: pair.privateKey, publicKey });
        return shared.every((byte) => byte === 0) ? undefined : shared;
      } catch {
        return undefined;
      }
    },
  };
}
