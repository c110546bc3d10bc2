// Defines what the verbs of the mesh are given besides the context: who is on the list.

import type { Context } from "../context.ts";

export interface Peer {
  /** Our name for it. */
  readonly peer: string;
  /** The admission: another one when it was evicted and let in again. */
  readonly entry: string;
  /** The peer is our root, or a sibling of ours. */
  readonly is: "root" | "sibling";
}

export interface MeshContext extends Pick<Context, "store" | "clock" | "random" | "constellation"> {
  /** The peers on the list now. */
  readonly peers: () => Promise<readonly Peer[]>;
}

/** Whoever is renamed keeps its entry. */
export async function peerOf({ peers }: Pick<MeshContext, "peers">, entry: string): Promise<Peer | undefined> {
  return (await peers()).find((one) => one.entry === entry);
}

/** What became of a page. */
export interface Escalated {
  readonly told: boolean;
  readonly says: string;
}
