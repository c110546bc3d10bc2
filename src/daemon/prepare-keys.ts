// Sees to it that the constellation has its key before the daemon says anything. A home that lost its keys gets none: what would be
// written unsigned, or signed by a stranger to all that was signed before, could never be told from what somebody planted.

import { systemClock } from "../host/clock/system-clock.ts";
import { readRingOf, signingKey } from "../host/keys/key-files.ts";
import { noteRing, ringLost } from "../host/keys/lost-ring.ts";
import { constellationHolder } from "../ports/keys.ts";
import { messageOf, Outage, Refusal } from "../protocol/errors.ts";

/** The daemon does not start with these: put back, the keys go on where they were. */
const isLoss = (code: string): boolean => code === "keys.ring-missing" || code === "keys.constellation-lost";

export function prepareKeys(home: string, log: (line: string) => void): void {
  try {
    signingKey(home, constellationHolder, systemClock);
    if (readRingOf(home).statements === 0) throw ringLost();
    noteRing(home); // a home of an earlier build has a ring, and no mark of it yet
  } catch (cause) {
    // With any other trouble the daemon runs all the same: what it says is then not verified, and `constel doctor` and the audit tell why.
    if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
    if (cause instanceof Refusal && isLoss(cause.code)) throw cause;
    log(`keys: ${messageOf(cause)}`);
  }
}
