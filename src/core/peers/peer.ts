// A peer: another constellation whose mesh key is on our list. An entry begins when somebody joins with a code, or when the owner adds a key by
// hand, and ends for good when it is evicted: whoever is let in again has another entry.
//
//   waiting ──(our owner confirms the fingerprint)──► confirmed
//      └──────────────────────┬──────────────────────────┘
//                          evicted
//
// Only a confirmed entry lets a line stand, and a line stands only while both sides have one. The row is signed: one that was written past
// constel lets nobody in.

import type { VerifySignature } from "../../ports/keys.ts";
import type { TransportKind } from "../../ports/mesh.ts";
import { Refusal } from "../../protocol/errors.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import { isBelieved, standingOf } from "../signed-row.ts";

/** The peer's part, seen from us. A mesh has one root. */
export type PeerRole = "root" | "sibling";

export interface PeerRoute {
  readonly transport: TransportKind;
  readonly at: string;
}

/** The entry was written by constel, or nobody here can tell. */
export const isGenuine = (verify: VerifySignature | undefined, row: MeshPeersTable): boolean =>
  isBelieved(standingOf(verify, "mesh-peer", row));

export const routeOf = ({ transport, at }: MeshPeersTable): PeerRoute | undefined =>
  transport === null || at === null ? undefined : { transport: transport as TransportKind, at };

const plainName = /^[a-z0-9][a-z0-9._-]{0,62}$/i;
export const isPeerName = (name: string): boolean => plainName.test(name);

/** The entry of this name among those that have not ended. */
export function entryNamed(rows: readonly MeshPeersTable[], name: string): MeshPeersTable {
  const row = rows.find((one) => one.name === name);
  if (row === undefined)
    throw new Refusal("mesh.unknown-peer", `no peer is called ${JSON.stringify(name.slice(0, 80))}`, {
      name: name.slice(0, 80),
    });
  return row;
}

/** A name for a newcomer: the wanted one, or the one it has for itself, with a number where that is taken. */
export function freeName(
  rows: readonly MeshPeersTable[],
  own: string,
  { wanted, callsItself }: { readonly wanted?: string | undefined; readonly callsItself: string },
): string {
  const isTaken = (name: string): boolean => name === own || rows.some((row) => row.name === name);
  if (wanted !== undefined) {
    if (isTaken(wanted))
      throw new Refusal("mesh.name-taken", `${wanted} is another constellation's name here`, { name: wanted });
    return wanted;
  }
  if (!isTaken(callsItself)) return callsItself;
  for (let number = 2; ; number += 1) {
    const name = `${callsItself.slice(0, 55)}-${number}`;
    if (!isTaken(name)) return name;
  }
}
