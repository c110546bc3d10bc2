// The lease on a constellation, where several daemons may reach one database: the one that holds it acts, the others stand by.
// Every write of the holder compares its epoch under the lock that the write takes anyway (`Writer.lockHead`), so that a holder that was
// stopped and woke after another took over writes nothing more.

import type { Kysely } from "kysely";
import { Refusal } from "../protocol/errors.ts";
import type { Tables } from "./tables.ts";

export interface LeaseWish {
  /** Names this daemon to whoever asks who holds the constellation. The same words are the same daemon, which may come back at once. */
  readonly holder: string;
  /** Another may take over when nothing was heard of the holder for so long. */
  readonly leaseMs: number;
  /** After a lease was lost, even to a namesake, it is taken again only when it lapsed. */
  readonly onlyWhenLapsed?: boolean;
  /** Asked before anything is written for a constellation that another daemon held; what it throws gives the lease back. */
  readonly mayTakeOver?: (db: Kysely<Tables>) => Promise<void>;
  /** Called once, when another daemon has taken over. */
  readonly lost: () => void;
  readonly log: (problem: string, cause: unknown) => void;
}

export interface HeldLease {
  readonly epoch: number;
  /** The holder before, when it was another; undefined when there was none. */
  readonly from: string | undefined;
  /** Lets it go, so that the next daemon need not wait. */
  release(): Promise<void>;
}

/** The refusal for a daemon that finds another one at work. */
export function heldByAnother(constellation: string, holder: string, forMs: number): Refusal {
  return new Refusal(
    "store.held",
    `the constellation "${constellation}" is run by another daemon over the same database: ${holder}`,
    { constellation, holder, for_ms: forMs },
  );
}

/** Thrown into the transaction of a daemon that is no longer the holder. */
export function leaseLost(constellation: string, epoch: number): Refusal {
  return new Refusal(
    "store.lease-lost",
    `another daemon has taken over the constellation "${constellation}"; this one writes nothing more`,
    { constellation, epoch },
  );
}
