// The mesh key of a constellation, from its ring: it proves who is at the end of a wire, and signs nothing else.

import { createPublicKey, type KeyObject, sign } from "node:crypto";
import type { Clock } from "../../ports/machine.ts";
import { meshHolder } from "../../ports/keys.ts";
import { signingKey } from "../keys/key-files.ts";
import { keyId } from "../keys/ed25519.ts";

export interface MeshKey {
  /** 32 bytes, base64url. */
  readonly publicKey: string;
  readonly id: string;
  readonly privateKey: KeyObject;
  sign(bytes: Uint8Array): Buffer;
}

/** Made when it is first asked for. */
export const meshKeyOf = (home: string, clock: Clock): MeshKey => asMeshKey(signingKey(home, meshHolder, clock).key);

export function asMeshKey(privateKey: KeyObject): MeshKey {
  const publicKey = String(createPublicKey(privateKey).export({ format: "jwk" }).x);
  return { publicKey, id: keyId(publicKey), privateKey, sign: (bytes) => sign(null, bytes, privateKey) };
}

export const pemOf = (key: KeyObject): string => String(key.export({ type: "pkcs8", format: "pem" }));
