// Declares what the audit asks of the machine: the heads that were anchored outside the database, and the keys that signed them.

import type { SignAs, VerifySignature } from "./keys.ts";

/** Reading alone: enough to verify. */
export interface AuditEvidence {
  /** The text of the file of anchored heads; undefined when there is none. */
  anchors(): string | undefined;
  /** The ring of public keys as text; undefined when there is none. */
  ring(): string | undefined;
  /** The hash of each statement of the ring, in order. */
  ringHashes(): readonly string[];
  /** Tells whether the owner had a key while the ring ended with the statement of this hash. */
  hadOwner(ring: string): boolean;
  readonly verify: VerifySignature;
  /** The last event that was acknowledged, as a file outside the database and the heads tells; absent where nothing tells it. */
  readonly acknowledged?: AcknowledgedHead | undefined;
}

export interface AcknowledgedHead {
  readonly constellation: string;
  readonly seq: number;
  readonly hash: string;
}

export interface AuditMachine extends AuditEvidence {
  readonly sign: SignAs;
  /** Durable when it returns. Appends one line. */
  append(line: string): void;
  /** Tells the world outside, where the settings name a way; rejects when that fails. */
  publish(line: string): Promise<void>;
}
