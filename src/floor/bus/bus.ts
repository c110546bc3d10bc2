// Holds what every verb of the bus is given: the home, and the machine as ports. The bus itself is only files below `channels/`; it needs no
// daemon and no database.

import type { Disk } from "../../files/disk.ts";
import type { Envelope } from "../../protocol/envelope.ts";
import type { Clock, Liveness, Random } from "../../ports/machine.ts";

export interface Bus {
  readonly home: string;
  /** The disk that makes a write last. Without it, the system's own. */
  readonly disk?: Disk;
  readonly clock: Clock;
  readonly random: Random;
  readonly liveness: Liveness;
  /** Signs what is sent. Undefined: nobody has keys, as in tests of the files alone. An answer of undefined: sent unsigned. */
  readonly sign: ((envelope: Envelope) => string | undefined) | undefined;
  /** Marks the lines of the journal as this process's. Undefined: they are nobody's, and the account does not take them. */
  readonly recorder: Recorder | undefined;
  /** Says which of these holders sealed a line of the journal. Only readers of the journal need it. */
  readonly sealedBy?: (line: string, holders: readonly string[]) => string | undefined;
  /** Checks a signature. Absent: signatures are carried and not looked at, and no sender counts as verified. */
  readonly verify?: VerifySender;
  /** Poison what is not signed by a known key. Default false. */
  readonly requireSignature?: boolean;
  /** Asked about a message that was handed out by a receiver that died before it could say that it arrived. */
  readonly proofOfDelivery?: ProofOfDelivery;
}

export interface Recorder {
  /** An agent, or `constellation`. */
  readonly by: string;
  /** The lines with a seal each, or as they were when there is no secret to make one with. */
  seal(lines: readonly string[]): readonly string[];
}

export type VerifySender = (envelope: Envelope) => Verdict | Promise<Verdict>;
/** `cannot-tell`: the keys to check with cannot be read now. Then nothing is judged, and the message waits. */
export type Verdict = boolean | "unknown-sender" | "cannot-tell";

/** Looks into the agent's own transcript, or whatever else remembers what reached it. */
export type ProofOfDelivery = (agent: string, message: Envelope) => Proof | Promise<Proof>;
export type Proof = "arrived" | "never-arrived" | "unknown";
