// The list of peers for whoever asks, each with what is known of its line and the evidence for it.

import type { MeshStep } from "../../ports/mesh.ts";
import type { OutputOf, ParsedInputOf } from "../../protocol/operation.ts";
import type { listPeers as operation } from "../../protocol/operations/mesh.ts";
import type { MeshPeersTable } from "../../store/tables/mesh.ts";
import type { ReadContext } from "../context.ts";
import { lags } from "../mesh/lag.ts";
import { isGenuine, routeOf } from "./peer.ts";
import { endedEntries, openEntries } from "./peers.sql.ts";

/** A peer's line as the daemon sees it at this moment. */
export interface LineSeen {
  readonly standsSinceMs?: number | undefined;
  readonly roundTripMs?: number | undefined;
  readonly clockAheadMs?: number | undefined;
  readonly version?: number | undefined;
  readonly program?: string | undefined;
  /** The last try, or how the last line ended. */
  readonly problem?: { readonly step: MeshStep; readonly says: string; readonly atMs: number } | undefined;
}

type Listed = OutputOf<typeof operation>;
type ListedPeer = Listed["peers"][number];

/** `lines`: undefined where no daemon runs that keeps lines. */
export async function listPeers(
  { store, audit, clock }: ReadContext,
  { all }: ParsedInputOf<typeof operation>,
  lines?: (entry: string) => LineSeen,
): Promise<Listed> {
  const { db, constellation } = store;
  const rows = await openEntries(db, constellation);
  const lagBy = await lags(store);
  const ended = all ? await endedEntries(db, constellation, 100) : [];
  return { mesh: lines !== undefined, peers: [...rows, ...ended].map((row) => shown(row, lines?.(row.id))) };

  function shown(row: MeshPeersTable, line: LineSeen | undefined): ListedPeer {
    const { state, evidence } = seen(row, line, isGenuine(audit?.verify, row));
    const route = routeOf(row);
    return {
      name: row.name,
      role: row.role === "root" ? "root" : "sibling",
      state,
      evidence,
      key: row.public_key,
      route: route === undefined ? null : `${route.transport} ${route.at}`,
      calls_itself: row.calls_itself,
      fingerprint: row.fingerprint,
      added_ms: row.added_ms,
      seen_ms: line?.standsSinceMs === undefined ? row.seen_ms : clock.nowMs(),
      connected_ms: line?.standsSinceMs ?? null,
      round_trip_ms: line?.roundTripMs ?? null,
      clock_ahead_ms: line?.clockAheadMs ?? null,
      version: line?.version ?? null,
      program: line?.program ?? null,
      step: line?.standsSinceMs === undefined ? (line?.problem?.step ?? null) : null,
      waiting_items: lagBy.get(row.id)?.items ?? 0,
      waiting_since_ms: lagBy.get(row.id)?.sinceMs ?? null,
      known_ms: lagBy.get(row.id)?.knownMs ?? null,
    };
  }
}

function seen(
  row: MeshPeersTable,
  line: LineSeen | undefined,
  genuine: boolean,
): Pick<ListedPeer, "state" | "evidence"> {
  if (row.ended_ms !== null) return { state: "evicted", evidence: row.why ?? "" };
  if (!genuine) return { state: "planted", evidence: "constel did not write this entry; it lets nobody in: evict it" };
  if (row.state === "waiting")
    return { state: "waiting", evidence: `compare ${row.fingerprint ?? ""} with the other side, then confirm it` };
  if (line === undefined)
    return { state: "unknown", evidence: "no daemon keeps lines: it does not run, or mesh.enabled is off" };
  if (line.standsSinceMs !== undefined) return { state: "connected", evidence: "its heartbeat is heard" };
  if (line.problem !== undefined) return { state: "away", evidence: line.problem.says };
  return {
    state: "away",
    evidence: row.transport === null ? "it has not called yet, and no route to it is known" : "being dialled",
  };
}
