// Constellations that speak with each other inside one test: each on a store of its own, lines between them that a test makes and cuts.

import { makeLinePair, type LinePair } from "../../src/ports/fake-lines.ts";
import { FakeClock, seededRandom } from "../../src/ports/fake-clock.ts";
import { speakOver, type Exchange } from "../../src/core/mesh/exchange.ts";
import type { NewItem } from "../../src/core/mesh/outbox.ts";
import { putItem } from "../../src/core/mesh/outbox.ts";
import type { MeshContext, Peer } from "../../src/core/mesh/mesh-context.ts";
import { openStore, type Store } from "../../src/store/open.ts";
import type { MakeScene, Scene } from "./databases.ts";

export interface Side {
  readonly name: string;
  readonly scene: Scene;
  readonly clock: FakeClock;
  store: Store;
  readonly peers: Peer[];
  context(): MeshContext;
  put(peer: string, item: NewItem): Promise<boolean>;
  /** What was logged. */
  readonly said: string[];
  readonly speaking: Map<string, Exchange>;
  upTo: number | undefined;
  reopen(): Promise<void>;
}

export async function makeSide(makeScene: MakeScene, name: string, seed: number): Promise<Side> {
  const scene = await makeScene("migrated");
  const clock = new FakeClock();
  const random = seededRandom(seed);
  const open = (): Promise<Store> =>
    openStore({ url: scene.url, backupDirectory: scene.backupDirectory, clock, random, constellation: name });
  const side: Side = {
    name,
    scene,
    clock,
    store: await open(),
    peers: [],
    said: [],
    speaking: new Map(),
    upTo: undefined,
    context: () => ({ store: side.store, clock, random, constellation: name, peers: async () => side.peers }),
    async put(peer, item) {
      const to = side.peers.find((one) => one.peer === peer);
      if (to === undefined) throw new Error(`${peer} is no peer of ${name}`);
      const isNew = await side.store.write((tx) => putItem(side.context(), tx, to, item));
      side.speaking.get(peer)?.poke();
      return isNew;
    },
    async reopen() {
      await side.store.close();
      side.store = await open();
    },
  };
  return side;
}

export async function endSide(side: Side): Promise<void> {
  await side.store.close();
  await side.scene.end();
}

let admissions = 0;

/** Puts each on the other's list; `b` is the root if it is said so. */
export function admit(a: Side, b: Side, root?: Side): void {
  admissions += 1;
  a.peers.push({ peer: b.name, entry: `${a.name}-${b.name}-${admissions}`, is: root === b ? "root" : "sibling" });
  b.peers.push({ peer: a.name, entry: `${b.name}-${a.name}-${admissions}`, is: root === a ? "root" : "sibling" });
}

export function connect(a: Side, b: Side): LinePair & { readonly over: Promise<unknown> } {
  const entryOf = (side: Side, other: Side): Peer => {
    const entry = side.peers.find(({ peer }) => peer === other.name);
    if (entry === undefined) throw new Error(`${other.name} is no peer of ${side.name}`);
    return entry;
  };
  const [ofB, ofA] = [entryOf(a, b), entryOf(b, a)];
  const pair = makeLinePair({ here: a.name, there: b.name }, { here: ofB.entry, there: ofA.entry });
  const speak = (side: Side, line: LinePair["here"], peer: Peer): Exchange => {
    const parts = {
      ...side.context(),
      log: (text: string) => void side.said.push(text),
      arrived: () => {},
      upToDate: async () => side.upTo,
    };
    const exchange = speakOver(parts, line, peer);
    side.speaking.set(peer.peer, exchange);
    return exchange;
  };
  const both = [speak(a, pair.here, ofB), speak(b, pair.there, ofA)];
  return { ...pair, over: Promise.all(both.map(({ ended }) => ended)) };
}

/** Gives everything else its turn until something is so; what never comes ends the test by its own limit. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise<void>((resolve) => setTimeout(resolve, 1));
}
