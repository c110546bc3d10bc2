// Brings the objects of sides whose origin does not take them, from the peer that told of them: asked for one side at a time, in parts that come in
// their order, and kept in memory until the next are asked for. What is lost is asked for again; what was not asked for is not kept.

import { type OthersSide, sideLimits } from "../../ports/sides.ts";
import { makeId } from "../../protocol/ids.ts";
import {
  readBody,
  sideObjectsBody,
  sidePartBytes,
  sideWantedBody,
  type SideWanted,
} from "../../protocol/mesh-bodies.ts";
import { longestBundle, published, publishedObjects } from "../sharing/published.ts";
import type { Doing } from "./arrivals.ts";
import { type MeshContext, type Peer, peerOf } from "./mesh-context.ts";
import { kindIsHeld } from "./mesh.sql.ts";
import { putItem } from "./outbox.ts";
import { isOfItself, sidesOverMesh, tellerOf } from "./sides.ts";

/** Without all parts after so long, others may be asked for. */
const askedForMs = 30_000;
/** What did not come is not asked for again before others had their turn. */
const restsForMs = 60_000;
const mostResting = 200;
const mostKept = 2;

interface Asked extends SideWanted {
  readonly peer: string;
  readonly sinceMs: number;
  readonly parts: string[];
}

export class SideObjectsOfPeers {
  readonly #context: MeshContext;
  readonly #kept = new Map<string, Uint8Array>();
  /** By side: when it was asked for, while it is not here. */
  readonly #tried = new Map<string, number>();
  #asked: Asked | undefined;

  constructor(context: MeshContext) {
    this.#context = context;
  }

  async ofSide({ constellation, ref, commit }: OthersSide): Promise<Uint8Array | undefined> {
    return commit === null ? undefined : this.of(tellerOf(constellation), { ref, commit });
  }

  /** Undefined while they are not here: then they are asked for, and are here some time later. */
  async of(peer: string, { ref, commit }: SideWanted): Promise<Uint8Array | undefined> {
    const kept = this.#kept.get(`${ref} ${commit}`);
    if (kept !== undefined) return kept;
    const { store, clock, random, constellation } = this.#context;
    const nowMs = clock.monotonicMs();
    if (this.#asked !== undefined && nowMs - this.#asked.sinceMs < askedForMs) return undefined;
    if (nowMs - (this.#tried.get(`${ref} ${commit}`) ?? -Infinity) < restsForMs) return undefined;
    const to = (await this.#context.peers()).find((one) => one.peer === peer);
    if (to === undefined) return undefined;
    const of = { constellation, entry: to.entry };
    // It has not even heard that it was asked.
    if (await kindIsHeld(store.db, of, "side.wanted")) return undefined;
    this.#asked = { peer, ref, commit, sinceMs: nowMs, parts: [] };
    keepNewest(this.#tried, `${ref} ${commit}`, nowMs, mostResting);
    await store.write((tx) =>
      putItem(this.#context, tx, to, {
        kind: "side.wanted",
        id: makeId("swt", tx.nowMs, random.bytes(10)),
        body: { ref, commit },
      }),
    );
    return undefined;
  }

  /** A peer asks. Nothing is sent while what it asked for before is on its way. */
  readonly wanted: Doing = async ({ from, body }) => {
    const wanted = readBody(sideWantedBody, body);
    const { store, constellation } = this.#context;
    const to = await peerOf(this.#context, from.entry);
    if (to === undefined) return;
    if (await kindIsHeld(store.db, { constellation, entry: to.entry }, "side.objects")) return;
    const content = await this.#contentFor(to, wanted);
    if (content !== "later") await this.#send(to, wanted, content ?? "");
  };

  /** Ours, or what a sibling told us and we passed on. Undefined: there is none. */
  async #contentFor(to: Peer, { ref, commit }: SideWanted): Promise<string | undefined | "later"> {
    const { store } = this.#context;
    for (const { repository, sides } of await published(store)) {
      const own = sides.find((side) => side.ref === ref);
      if (own?.commit_id === commit && own.route === "bundle") return publishedObjects(store, own);
      if (own !== undefined || to.is === "root") continue;
      const told = await sidesOverMesh(store, repository, sideLimits.others);
      const side = told.find((one) => one.ref === ref && one.commit === commit && isOfItself(one.constellation));
      if (side === undefined || side.constellation === to.peer || side.route !== "bundle") continue;
      const objects = await this.of(side.constellation, { ref, commit });
      return objects === undefined ? "later" : Buffer.from(objects).toString("base64");
    }
    return undefined;
  }

  async #send(to: Peer, { ref, commit }: SideWanted, content: string): Promise<void> {
    const { store, random } = this.#context;
    const parts = Math.ceil(content.length / sidePartBytes);
    await store.write(async (tx) => {
      for (let part = 0; part < Math.max(parts, 1); part += 1) {
        const body = {
          ref,
          commit,
          part,
          parts,
          content: content.slice(part * sidePartBytes, (part + 1) * sidePartBytes),
        };
        const id = makeId("sob", tx.nowMs, random.bytes(10));
        await putItem(this.#context, tx, to, { kind: "side.objects", id, body });
      }
    });
  }

  /** What was asked for comes. */
  readonly came: Doing = async ({ from, body }) => {
    const { ref, commit, part, parts, content } = readBody(sideObjectsBody, body);
    const asked = this.#asked;
    if (asked?.peer !== from.peer || asked.ref !== ref || asked.commit !== commit || part !== asked.parts.length)
      return;
    asked.parts.push(content);
    const length = asked.parts.reduce((sum, one) => sum + one.length, 0);
    const isAll = asked.parts.length >= parts;
    if (length > longestBundle || isAll) this.#asked = undefined;
    if (!isAll || length === 0 || length > longestBundle) return;
    this.#tried.delete(`${ref} ${commit}`);
    keepNewest(this.#kept, `${ref} ${commit}`, Buffer.from(asked.parts.join(""), "base64"), mostKept);
  };
}

function keepNewest<T>(kept: Map<string, T>, key: string, value: T, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - most))) kept.delete(oldest);
}
