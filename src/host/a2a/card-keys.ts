// The keys that sign our agent card: the constellation's own, and one of P-256 for those who know no Ed25519. The second is made when it is
// first needed, and lies beside the others.

import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { readTrusted, writeTrusted } from "../../files/trusted-files.ts";
import { constellationHolder } from "../../ports/keys.ts";
import type { Clock } from "../../ports/machine.ts";
import { signingKey } from "../keys/key-files.ts";
import { type CardKey, publicJwk, thumbprint } from "./jws.ts";

const es256File = "keys/a2a-es256.pem";

export function cardKeys(home: string, clock: Clock): CardKey[] {
  const own = signingKey(home, constellationHolder, clock).key;
  const second = es256Key(home);
  return [
    { id: thumbprint(publicJwk(own)), algorithm: "EdDSA", key: own },
    { id: thumbprint(publicJwk(second)), algorithm: "ES256", key: second },
  ];
}

function es256Key(home: string) {
  const kept = readTrusted(home, es256File);
  if (kept !== undefined) return createPrivateKey(kept.toString());
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeTrusted(home, es256File, privateKey.export({ type: "pkcs8", format: "pem" }) as string);
  return privateKey;
}
