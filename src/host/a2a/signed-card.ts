// Signs an agent card, and tells whether another's holds by keys that were given.

import { canonical } from "../../protocol/canonical.ts";
import type { CardJson } from "../../protocol/a2a-card.ts";
import { type CardKey, type Jwk, type Signature, signPayload, verifyPayload } from "./jws.ts";

export function signCard(card: CardJson, keys: readonly CardKey[]): CardJson {
  const payload = Buffer.from(canonical(card));
  return { ...card, signatures: keys.map((key) => signPayload(key, payload)) };
}

/** The thumbprints of the given keys that signed it. @public for whoever judges a card */
export function signersOf(card: CardJson, keys: readonly Jwk[]): string[] {
  const { signatures, ...signed } = card;
  if (!Array.isArray(signatures)) return [];
  const payload = Buffer.from(canonical(signed));
  return (signatures as Partial<Signature>[]).slice(0, 16).flatMap((one) => {
    if (typeof one?.protected !== "string" || typeof one.signature !== "string") return [];
    return verifyPayload({ protected: one.protected, signature: one.signature }, payload, keys) ?? [];
  });
}
