// Declares what the mesh asks of the machine. A transport (host/mesh/<transport>) carries bytes that nobody believes yet. On a wire both ends prove
// their keys (host/mesh/handshake.ts); only then a line stands, and only lines are known to core/mesh.
//
// Everything a peer sends was written by others: its label and key are the only things about it that were proven.

import { Outage } from "../protocol/errors.ts";

export type TransportKind = "iroh" | "ssh" | "tls";

/** A way to reach a peer: `tls 192.0.2.7:7435`, `ssh desk`, `iroh <node id>`. */
export interface Route {
  readonly transport: TransportKind;
  readonly at: string;
}

/** Bytes in both directions. Nothing is known of whoever is at the other end. */
export interface Wire {
  readonly route: Route;
  /** Ends when the other end closes, and throws an outage when the wire breaks. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The key at the other end, where the transport itself proved it (TLS, QUIC): 32 bytes, base64url. */
  readonly provenKey?: string;
  /** A value that only the two ends of this very wire can know, where the transport has one; the handshake is bound to it. */
  readonly binding?: Uint8Array;
  /** Settles when the machine has taken them, so that a slow peer slows its sender. */
  write(bytes: Uint8Array): Promise<void>;
  close(): void;
}

export interface Transport {
  readonly kind: TransportKind;
  /** Throws an outage that says which step failed: name, route, port, clock or key. */
  dial(at: string, signal: AbortSignal): Promise<Wire>;
  /** Undefined where a transport needs nobody to listen (ssh). */
  readonly listen?: (
    at: string,
    meet: (wire: Wire) => void,
    /** Told of those that never became a wire. */
    refused?: (from: Pick<Wire, "route">, why: string) => void,
  ) => Promise<Listener>;
}

export interface Listener {
  readonly route: Route;
  close(): Promise<void>;
}

/** A line stands: the peer's key was on the list before a byte of it was read, and both ends proved theirs. */
export interface Line {
  /** Our own name for the peer, from the list. It overwrites whatever a peer says of itself. */
  readonly peer: string;
  /** The number of the list's entry: a peer that was evicted and let in again has another. */
  readonly entry: string;
  /** The version of the mesh's protocol that both speak. */
  readonly version: number;
  readonly route: Route;
  /** Whole frames in their order, each at most `largestFrameBytes`. */
  readonly frames: AsyncIterable<Uint8Array>;
  send(frame: Uint8Array): Promise<void>;
  /** Ends it at once, in both directions; what is in flight is lost and sent again over the next line. */
  close(why: string): void;
  /** Settles with the reason when it no longer stands: closed, silent for longer than the heartbeat allows, evicted, broken. */
  readonly ended: Promise<string>;
  /** As last measured by the heartbeat; undefined until the first answer. */
  readonly roundTripMs: () => number | undefined;
  /** How far the peer's clock was ahead of ours when the line came to stand. */
  readonly clockAheadMs: number;
  /** True where we dialled. */
  readonly isOurs: boolean;
}

export const largestFrameBytes = 1024 * 1024;

/** Keeps one line to each peer: dials, listens, notices silence, dials again with back-off. */
export interface Lines {
  /** The line that stands to a peer now. */
  to(peer: string): Line | undefined;
  /** Calls back for each line that comes to stand from now on, and for those that stand already. */
  attend(visit: (line: Line) => void): void;
}

/** The step at which a peer could not be reached. */
export type MeshStep = "name" | "route" | "port" | "program" | "wire" | "key" | "version" | "silence";

/** A peer that could not be reached, and at which step. */
export class MeshTrouble extends Outage {
  readonly step: MeshStep;

  constructor(step: MeshStep, at: string, why: string) {
    super("reach", at, why, { mayRetry: true });
    this.name = "MeshTrouble";
    this.step = step;
  }
}
