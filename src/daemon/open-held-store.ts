// Opens the store as the one daemon that acts for the constellation. Over Postgres another daemon may have it: then this one stands by, tells
// whoever started it, and takes over when the other is silent for too long or lets go.

import { holderName } from "../app/holder-name.ts";
import { storeOptions } from "../app/store-options.ts";
import { refuseForeignChain } from "../core/audit/own-chain.ts";
import { auditEvidence } from "../host/keys/audit-machine.ts";
import { systemClock } from "../host/clock/system-clock.ts";
import { messageOf, Refusal } from "../protocol/errors.ts";
import type { Settings } from "../settings/settings.ts";
import { openStore, type Store } from "../store/open.ts";

export interface OpenHeld {
  readonly settings: Settings;
  /** Of this program. */
  readonly version: string;
  /** Aborted when the daemon is to end; standing by ends then too. */
  readonly signal: AbortSignal;
  /** This daemon lost the lease before, so it must not take it from a namesake. */
  readonly onlyWhenLapsed: boolean;
  readonly lost: () => void;
  /** Told again at each look, for whoever has just asked for the start. */
  readonly standsBy: (refusal: Refusal) => Promise<void>;
  readonly log: (line: string) => void;
  readonly logCause: (problem: string, cause: unknown) => void;
}

const looksInLease = 8;

/** Undefined when the daemon is to end before the constellation was free. */
export async function openHeldStore(open: OpenHeld): Promise<Store | undefined> {
  const { settings, version, signal, lost, onlyWhenLapsed, log, logCause } = open;
  const leaseMs = settings.config["store.lease_seconds"] * 1000;
  const constellation = settings.config["constellation.name"];
  const { verify } = auditEvidence(settings.home);
  const mayTakeOver = (db: Store["db"]): Promise<void> => refuseForeignChain(db, constellation, verify);
  const lease = { holder: holderName(settings.home), leaseMs, onlyWhenLapsed, mayTakeOver, lost, log: logCause };
  let isSaid = false;
  while (!signal.aborted) {
    try {
      return await openStore({ ...storeOptions(settings), version, log: logCause, lease });
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.code !== "store.held") throw cause;
      if (!isSaid) log(`standing by: ${messageOf(cause)}`);
      isSaid = true;
      await open.standsBy(cause);
      await systemClock.sleep(leaseMs / looksInLease, signal);
    }
  }
  return undefined;
}
