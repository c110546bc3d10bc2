// The peers that core/mesh speaks with: those whose owner confirmed them, by entries that constel wrote.

import type { Peer } from "../../core/mesh/mesh-context.ts";
import { isGenuine } from "../../core/peers/peer.ts";
import { openEntries } from "../../core/peers/peers.sql.ts";
import type { AuditEvidence } from "../../ports/audit.ts";
import type { Store } from "../../store/open.ts";

export async function confirmedPeers(
  { db, constellation }: Pick<Store, "db" | "constellation">,
  audit: AuditEvidence | undefined,
): Promise<Peer[]> {
  return (await openEntries(db, constellation))
    .filter((row) => row.state === "confirmed" && isGenuine(audit?.verify, row))
    .map(({ name, id, role }) => ({ peer: name, entry: id, is: role === "root" ? "root" : "sibling" }));
}
