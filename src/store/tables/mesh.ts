// Declares the tables of the mesh that say who is on the list.

/** One entry of the list of peers (core/peers/peer.ts). */
export interface MeshPeersTable {
  id: string;
  constellation: string;
  /** Our own name for it. */
  name: string;
  /** Its mesh key: 32 bytes, base64url. */
  public_key: string;
  /** root or sibling, seen from us. */
  role: string;
  /** waiting, confirmed or evicted. */
  state: string;
  /** The way we dial it; null where it dials us. */
  transport: string | null;
  at: string | null;
  /** Its own word for itself. */
  calls_itself: string;
  /** The digits that both owners compared; null where the owner gave the key itself. */
  fingerprint: string | null;
  added_ms: number;
  confirmed_ms: number | null;
  ended_ms: number | null;
  why: string | null;
  /** When a line to it stood last. */
  seen_ms: number | null;
  /** Over the row (core/signed-row.ts). */
  signature: string | null;
}
