// Speaks with every constellation to which a line stands: sends what is in its outbox, takes in and does what it sends, and tells it how things
// are here.

import { join } from "node:path";
import { arrivalsRound, forgetOldArrivals } from "../../core/mesh/arrivals.ts";
import { type Exchange, speakOver } from "../../core/mesh/exchange.ts";
import type { MeshContext, Peer } from "../../core/mesh/mesh-context.ts";
import { allStreams, forgetEntry, renamePeerRows } from "../../core/mesh/mesh.sql.ts";
import { takeRows, tellPeer } from "../../core/mesh/rows.ts";
import { sharedWork } from "../../core/mesh/sides.ts";
import type { SideObjectsOfPeers } from "../../core/mesh/side-objects.ts";
import type { Bus } from "../../floor/bus/bus.ts";
import { busTrust } from "../../host/keys/bus-trust.ts";
import { systemLiveness } from "../../host/process/liveness.ts";
import { constellationHolder } from "../../ports/keys.ts";
import type { Line, Lines } from "../../ports/mesh.ts";
import { meshPost } from "../../protocol/bus-names.ts";
import { messageOf, Refusal } from "../../protocol/errors.ts";
import { inHome } from "../../settings/paths.ts";
import type { LoopParts } from "../loops/loop-parts.ts";
import type { Round } from "../loops/react.ts";
import { collectPost, layIn } from "./post.ts";
import { bringPage, type PagesByRoot } from "./pages.ts";

/** Old arrivals are let go this often. */
const tidyEveryMs = 3_600_000;

export function meshLoop(
  parts: LoopParts & { readonly version: string },
  context: MeshContext,
  lines: Lines,
  byRoot: PagesByRoot,
  sideObjects: SideObjectsOfPeers,
): Round {
  const { store, clock, random, log, settings } = parts;
  const { home } = settings;
  const bus: Bus = {
    home,
    clock,
    random,
    liveness: systemLiveness,
    ...busTrust(home, clock, () => constellationHolder),
  };
  const doings = {
    message: layIn(bus),
    rows: (arrival: Parameters<typeof takeRows>[1]) => takeRows(context, arrival),
    page: bringPage(parts, context),
    "page.told": byRoot.answered,
    "side.wanted": sideObjects.wanted,
    "side.objects": sideObjects.came,
    void: async () => {},
  };
  const speaking = new Map<string, Exchange>();
  /** By entry: the number of the item with which the peer knows everything, and the writes of the store at that moment. */
  const told = new Map<string, { readonly upTo: number; readonly writes: number }>();
  let stir = (): void => {};
  let tidiedMs = -Infinity;

  const speak = async (line: Line): Promise<void> => {
    const peer = (await context.peers()).find(({ entry }) => entry === line.entry);
    if (peer === undefined) return line.close("no longer on the list");
    const upToDate = async (): Promise<number | undefined> => told.get(line.entry)?.upTo;
    const exchange = speakOver({ ...context, log, arrived: () => stir(), upToDate }, line, peer);
    speaking.set(line.entry, exchange);
    void exchange.ended.then(() => speaking.get(line.entry) === exchange && speaking.delete(line.entry));
  };

  const pokeAll = (): void => speaking.forEach(({ poke }) => poke());

  async function tellAll(peers: readonly Peer[]): Promise<void> {
    const { writes } = store;
    const behind = peers.filter(({ entry }) => speaking.has(entry) && told.get(entry)?.writes !== writes);
    if (behind.length === 0) return;
    const work = await sharedWork(context);
    for (const peer of behind) {
      const upTo = await tellPeer(context, peer, { version: parts.version, work });
      if (upTo === undefined) told.delete(peer.entry);
      else told.set(peer.entry, { upTo, writes });
    }
  }

  /** Of peers that were evicted nothing is sent, done or shown any more; what those said that were renamed goes by their new name. */
  async function followTheList(peers: readonly Peer[]): Promise<void> {
    const listed = new Map(peers.map((one) => [one.entry, one.peer]));
    for (const { entry, peer } of await allStreams(store.db, store.constellation)) {
      const name = listed.get(entry);
      if (name === peer) continue;
      const of = { constellation: store.constellation, entry, peer };
      await store.write((tx) => (name === undefined ? forgetEntry(tx, of) : renamePeerRows(tx, of, name)));
    }
  }

  return {
    begin(wake) {
      stir = wake;
      lines.attend((line) => void speak(line).catch((cause: unknown) => line.close(messageOf(cause))));
    },
    directories: () => [join(home, inHome.inbox(meshPost))],
    async round(signal) {
      const peers = await context.peers();
      await followTheList(peers);
      await collectPost(context, bus);
      try {
        await tellAll(peers);
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause; // a full outbox keeps nothing else from being done
        log(`mesh: a peer is not told how things are: ${cause.message}`);
      }
      pokeAll();
      const dueMs = await arrivalsRound(context, doings, log, signal);
      pokeAll();
      if (clock.monotonicMs() - tidiedMs >= tidyEveryMs) {
        tidiedMs = clock.monotonicMs();
        await forgetOldArrivals(context);
      }
      return dueMs;
    },
  };
}
