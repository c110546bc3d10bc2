// Signing and checking envelopes. Whose key speaks in which name: an agent's own in its own; the owner's, or the constellation's
// where the kernel said that the owner's process sends it, in the owner's; the constellation's in every name of constel's own.

import { isReserved, keyHolderFor, mayVouchFor } from "../../protocol/bus-names.ts";
import { type Envelope, signedBytes } from "../../protocol/envelope.ts";
import { Outage, Refusal } from "../../protocol/errors.ts";
import type { Clock } from "../../ports/machine.ts";
import { signWith } from "./ed25519.ts";
import { keyBook } from "./key-book.ts";
import { isOwnerKeyGuarded, readKeyFile, signingKey } from "./key-files.ts";
import { hasRingBegun } from "./lost-ring.ts";
import type { Ring } from "./ring.ts";
import { hasKeys } from "./seals.ts";

export interface BusKeys {
  sign(envelope: Envelope): string | undefined;
  verify(envelope: Envelope): boolean | "unknown-sender" | "cannot-tell";
}

export function busKeys(home: string, clock: Clock): BusKeys {
  const book = keyBook(home);
  return {
    sign(envelope) {
      try {
        return signWith(signingKey(home, holderFor(home, envelope), clock), signedBytes(envelope));
      } catch (cause) {
        // Unsigned in constel's or the owner's name, it would be put aside as an impostor's: it is not sent.
        if (isReserved(envelope.from) || envelope.origin !== undefined) throw cause;
        // The bus carries even where keys cannot be read or made; the receiver is shown that nothing is verified.
        if (cause instanceof Refusal || cause instanceof Outage) return undefined;
        throw cause;
      }
    },
    verify(envelope) {
      const verdict = book.verify(envelope.sig ?? "", signedBytes(envelope), Date.parse(envelope.ts));
      if (!verdict.ok && verdict.why === "unknown")
        return isWhole(home, book.ring()) ? "unknown-sender" : "cannot-tell";
      if (!verdict.ok) return false;
      // A key in wrong hands can sign with any time it likes.
      if (verdict.revoked === true) return false;
      return mayVouchFor(verdict.holder, envelope.from, envelope.origin);
    },
  };
}

/** A ring that is gone or damaged says nothing of a key that it does not hold. Where there are no keys there was never a ring. */
const isWhole = (home: string, { statements, problem }: Ring): boolean =>
  problem === undefined && (statements > 0 || !(hasKeys(home) || hasRingBegun(home)));

function holderFor(home: string, { from, origin }: Envelope): string {
  const holder = keyHolderFor(from, origin);
  const isUsable = holder !== "owner" || (readKeyFile(home, holder) !== undefined && !isOwnerKeyGuarded(home));
  return isUsable ? holder : "constellation";
}
