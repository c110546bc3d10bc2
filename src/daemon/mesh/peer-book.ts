// The list of peers as lines ask it: in memory, so that a stranger costs no question to the database, and read anew after every change to it.

import { isGenuine, type PeerRoute, routeOf } from "../../core/peers/peer.ts";
import { openEntries } from "../../core/peers/peers.sql.ts";
import type { AuditEvidence } from "../../ports/audit.ts";
import type { Store } from "../../store/open.ts";

export interface ListedPeer {
  readonly entry: string;
  readonly name: string;
  readonly key: string;
  readonly role: string;
  readonly route: PeerRoute | undefined;
}

export class PeerBook {
  readonly #store: Pick<Store, "db" | "constellation">;
  readonly #audit: AuditEvidence | undefined;
  #byKey: ReadonlyMap<string, ListedPeer> = new Map();

  constructor(store: Pick<Store, "db" | "constellation">, audit: AuditEvidence | undefined) {
    this.#store = store;
    this.#audit = audit;
  }

  /** Of entries that their owner confirmed and constel wrote. */
  async readAnew(): Promise<void> {
    const { db, constellation } = this.#store;
    const rows = await openEntries(db, constellation);
    const listed = rows
      .filter((row) => row.state === "confirmed" && isGenuine(this.#audit?.verify, row))
      .map((row) => ({
        entry: row.id,
        name: row.name,
        key: row.public_key,
        role: row.role,
        route: routeOf(row),
      }));
    this.#byKey = new Map(listed.map((peer) => [peer.key, peer]));
  }

  ofKey(key: string): ListedPeer | undefined {
    return this.#byKey.get(key);
  }

  all(): Iterable<ListedPeer> {
    return this.#byKey.values();
  }
}
