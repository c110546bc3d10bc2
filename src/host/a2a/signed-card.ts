// Signs an agent card, and tells whether another's holds by keys that were given.

import { canonical } from "../../protocol/canonical.ts";
import type { CardJson } from "../../protocol/a2a-card.ts";
import { type CardKey, type Jwk, type Signature, signPayload, verifyPayload } from "./jws.ts";

export function signCard(card: CardJson, keys: readonly CardKey[]): CardJson {
  const payload = Buffer.from(canonical(card));
  return { ...card, signatures: keys.map((key) => signPayload(key, payload)) };
}

/**
 * The thumbprints of the given keys that signed it. Signers disagree on whether values that say nothing are signed: the specification leaves
 * defaults out, the official SDKs leave out what is empty and keep `false`, and some sign what they serve. Each says the same, so each counts.
 */
export function signersOf(card: CardJson, keys: readonly Jwk[]): string[] {
  const { signatures, ...signed } = card;
  if (!Array.isArray(signatures)) return [];
  const payloads = [...new Set([signed, without(signed, isEmpty), without(signed, isDefault)].map(textToSign))].flatMap(
    (text) => (text === undefined ? [] : [Buffer.from(text)]),
  );
  const found = (signatures as Partial<Signature>[]).slice(0, 16).flatMap((one) => {
    if (typeof one?.protected !== "string" || typeof one.signature !== "string") return [];
    const { protected: head, signature } = one as Signature;
    return payloads.flatMap((payload) => verifyPayload({ protected: head, signature }, payload, keys) ?? []);
  });
  return [...new Set(found)];
}

/** Undefined for what has no canonical form, such as half of a character. */
function textToSign(card: unknown): string | undefined {
  try {
    return canonical(card ?? {});
  } catch {
    return undefined;
  }
}

const isEmpty = (value: unknown): boolean => value === "" || value === null;
const isDefault = (value: unknown): boolean => isEmpty(value) || value === false || value === 0;

/** Undefined where nothing is left. */
function without(value: unknown, leaves: (value: unknown) => boolean): unknown {
  if (leaves(value)) return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const kept = value.map((one) => without(one, leaves)).filter((one) => one !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const kept = Object.entries(value)
    .map(([name, one]) => [name, without(one, leaves)] as const)
    .filter(([, one]) => one !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
