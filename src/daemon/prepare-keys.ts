// Sees to it that the constellation has its key before the daemon says anything.

import { systemClock } from "../host/clock/system-clock.ts";
import { signingKey } from "../host/keys/key-files.ts";
import { constellationHolder } from "../ports/keys.ts";
import { messageOf, Outage, Refusal } from "../protocol/errors.ts";

export function prepareKeys(home: string, log: (line: string) => void): void {
  try {
    signingKey(home, constellationHolder, systemClock);
  } catch (cause) {
    // The daemon runs all the same: what it says is then not verified, and `constel doctor` and the audit tell why.
    if (!(cause instanceof Refusal || cause instanceof Outage)) throw cause;
    log(`keys: ${messageOf(cause)}`);
  }
}
