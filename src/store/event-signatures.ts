// Events are signed as they are appended: one signature of the constellation's for all events of a commit, because one for each event would
// cost more than writing them. It is over the hashes of exactly these events, so each can be proven alone, with the hashes of its
// neighbours and without their content. Since each hash names the event before, a signature also answers for everything that came before.
//
// What is signed: the canonical JSON (RFC 8785) of { at_ms, constellation, digest, first, last, since }, where digest is the SHA-256 of the
// events' hashes in order, joined by line ends, and since is the first event that was signed at all.

import { constellationHolder, type VerifySignature } from "../ports/keys.ts";
import { bytesToSign } from "../protocol/canonical.ts";
import type { EventSignaturesTable, EventsTable } from "./tables/timeline.ts";

/** Undefined where there is no key to sign with: then the events stand unsigned, and the audit tells. */
export type SignEvents = (bytes: Uint8Array) => string | undefined;

export function signEvents(
  rows: readonly EventsTable[],
  since: number | null,
  sign: SignEvents,
): EventSignaturesTable | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { constellation, at_ms } = last;
  const said = {
    constellation,
    first_seq: first.seq,
    last_seq: last.seq,
    since_seq: since ?? first.seq,
    at_ms,
  };
  const sig = sign(
    signedBytes(
      said,
      rows.map(({ hash }) => hash),
    ),
  );
  return sig === undefined ? undefined : { ...said, sig };
}

export function signedBytes(
  said: Omit<EventSignaturesTable, "sig">,
  hashes: readonly string[],
): Uint8Array<ArrayBuffer> {
  const { constellation, first_seq: first, last_seq: last, since_seq: since, at_ms } = said;
  const digest = Bun.CryptoHasher.hash("sha256", hashes.join("\n"), "hex");
  return bytesToSign("events", { at_ms, constellation, digest, first, last, since });
}

const eventsOf = ({ first_seq: first, last_seq: last }: EventSignaturesTable): string =>
  first === last ? `event ${first}` : `events ${first} to ${last}`;

/** Says why a signature does not vouch for these events. Undefined when it does. */
export function whyNotSigned(
  signature: EventSignaturesTable,
  hashes: readonly string[],
  verify: VerifySignature,
): string | undefined {
  const verdict = verify(signature.sig, signedBytes(signature, hashes), signature.at_ms);
  if (verdict.ok && verdict.holder === constellationHolder) return undefined;
  return `the signature of ${eventsOf(signature)} does not hold (${verdict.ok ? `${verdict.holder} signed it` : verdict.why})`;
}

/** Goes along the chain with the signatures beside it, and says where one is missing or does not hold. */
export class SignatureWalk {
  /** Events that a signature covers, and those appended before there was a key. */
  signed = 0;
  unsigned = 0;
  readonly #parts: WalkParts;
  #waiting: EventSignaturesTable[] = [];
  #met = 0;
  #hashes: string[] = [];

  constructor(parts: WalkParts) {
    this.#parts = parts;
  }

  /** Signatures that come next, in order. */
  bring(signatures: readonly EventSignaturesTable[]): void {
    this.#waiting.push(...signatures);
  }

  /** Says what is wrong with the signature of this event. Undefined when nothing is. */
  check({ seq, hash }: Pick<EventsTable, "seq" | "hash">): string | undefined {
    const { since, checkFrom, verify } = this.#parts;
    if (since === null || seq < since) {
      this.unsigned += 1;
      return undefined;
    }
    const current = this.#waiting[0];
    if (current === undefined || current.first_seq > seq)
      return `it is not signed, although events are signed since event ${since}`;
    if (current.since_seq !== since)
      return `its signature says that events are signed since event ${current.since_seq}`;
    // A signature that is said to be for more than its own events could not be checked against them, and would vouch for whatever is there.
    if (this.#hashes.length === 0 && current.first_seq !== seq && !this.#isCut(seq, since))
      return `its signature is said to be for ${eventsOf(current)}`;
    this.#hashes.push(hash);
    this.signed += 1;
    if (current.last_seq > seq) return undefined;
    const hashes = this.#hashes;
    this.#waiting.shift();
    this.#hashes = [];
    this.#met += 1;
    // Of a commit whose beginning was let go not all hashes are there; the next signature answers for the rest of it.
    const isWhole = hashes.length === current.last_seq - current.first_seq + 1;
    return isWhole && this.#met > checkFrom ? whyNotSigned(current, hashes, verify) : undefined;
  }

  /** Says why the last signature says nothing of the last events: it goes on past them. To be asked at the end. */
  unfinished(): string | undefined {
    const [current] = this.#waiting;
    if (current === undefined || this.#hashes.length === 0) return undefined;
    return `the signature of the last events is said to be for ${eventsOf(current)}`;
  }

  /** Only the first event that is left may stand in the middle of a commit: what came before it was let go. */
  #isCut(seq: number, since: number): boolean {
    return this.signed === 0 && this.unsigned === 0 && seq > since;
  }
}

export interface WalkParts {
  readonly since: number | null;
  /** Signatures before this one are taken as they are: a later one answers for what they cover. */
  readonly checkFrom: number;
  readonly verify: VerifySignature;
}
