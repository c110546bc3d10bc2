// Speaks over one line: greets, goes on where the peer left off, sends what is in the outbox in its order, and takes in what comes.
//
// A line may be cut between any two frames. An item leaves the outbox when the peer said that it has taken it, and it is taken in one
// transaction with the number it had. So an item that was taken while the answer got lost is sent again and not taken again.

import type { Line } from "../../ports/mesh.ts";
import { messageOf } from "../../protocol/errors.ts";
import { decodeFrame, encodeFrame, type Greeting, type MeshFrame, type MeshItem } from "../../protocol/mesh.ts";
import { goOnAfter, greetingFor, noteCurrent, noteTaken, takeItem, theirStart } from "./stream.ts";
import { findStream, itemsAfter } from "./mesh.sql.ts";
import type { MeshContext, Peer } from "./mesh-context.ts";

/** So many items are on their way before the first answer is waited for. */
const ahead = 64;
/** The outbox is looked at again so often, if nobody said that something was put in. */
const lookEveryMs = 1_000;
/** The root is told so often that what it knows is how things are: its views say from when they are. */
const currentEveryMs = 10_000;

export interface Exchange {
  /** Something was put into the outbox. */
  readonly poke: () => void;
  readonly ended: Promise<string>;
}

export interface ExchangeParts extends MeshContext {
  readonly log: (line: string) => void;
  /** Called after an item was taken in. */
  readonly arrived: () => void;
  /** The number up to which everything put in tells how things are here now; undefined while that is not known. */
  readonly upToDate: (entry: string) => Promise<number | undefined>;
}

export function speakOver(parts: ExchangeParts, line: Line, peer: Peer): Exchange {
  const over = new AbortController();
  let isPoked = false;
  let wake = (): void => {};
  // Kept until it is looked at: who is poked while at work looks once more before waiting.
  const poke = (): void => ((isPoked = true), wake());
  const untilPoked = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wake = resolve;
    const slept = new AbortController();
    if (!isPoked)
      await Promise.race([promise, parts.clock.sleep(lookEveryMs, AbortSignal.any([over.signal, slept.signal]))]);
    slept.abort();
    isPoked = false;
  };
  const conversation = new Conversation(parts, line, peer, poke);
  const end = (why: string): void => {
    over.abort();
    line.close(why);
    poke();
  };
  const reading = conversation.read().then(
    () => end("the peer ended it"),
    (cause: unknown) => end(messageOf(cause)),
  );
  const writing = conversation.write(untilPoked, over.signal).catch((cause: unknown) => end(messageOf(cause)));
  const ended = line.ended.then(async (why) => {
    over.abort();
    poke();
    await Promise.all([reading, writing]);
    return why;
  });
  return { poke, ended };
}

class Conversation {
  /** Undefined until the peer has greeted: before, nobody knows where to go on. */
  #sent: number | undefined;
  #taken = 0;
  readonly #parts: ExchangeParts;
  readonly #line: Line;
  readonly #peer: Peer;
  readonly #poke: () => void;

  constructor(parts: ExchangeParts, line: Line, peer: Peer, poke: () => void) {
    this.#parts = parts;
    this.#line = line;
    this.#peer = peer;
    this.#poke = poke;
  }

  async read(): Promise<void> {
    for await (const bytes of this.#line.frames) {
      const frame = decodeFrame(bytes);
      if (frame === undefined) throw new Error("the peer sent what is no frame of the mesh");
      await this.#hear(frame);
    }
  }

  async #hear(frame: MeshFrame): Promise<void> {
    if (frame.is === "greeting") return this.#begin(frame);
    if (this.#sent === undefined) throw new Error("the peer spoke before it greeted");
    if (frame.is === "item") return this.#take(frame);
    if (frame.is === "current") return noteCurrent(this.#parts, this.#peer, frame.seq);
    if (frame.seq > this.#sent) throw new Error("the peer took an item that it was not sent");
    await noteTaken(this.#parts, this.#peer, frame.seq);
    this.#taken = Math.max(this.#taken, frame.seq);
    this.#poke();
  }

  async #begin(greeting: Greeting): Promise<void> {
    if (this.#sent !== undefined) throw new Error("the peer greeted twice");
    const missing = await theirStart(this.#parts, this.#peer, greeting);
    if (missing > 0) this.#parts.log(`mesh: ${this.#peer.peer} no longer has ${missing} items that it had for us`);
    const from = await goOnAfter(this.#parts, this.#peer, greeting);
    if (from === "anew") throw new Error("our record is an earlier one than the peer knows: beginning a new stream");
    this.#taken = from;
    this.#sent = from;
    this.#poke();
  }

  async #take(item: MeshItem): Promise<void> {
    const outcome = await takeItem(this.#parts, this.#peer, item);
    if (outcome === "out of order") throw new Error(`the peer sent item ${item.seq} out of order`);
    if (outcome === "not on the list") throw new Error("the peer is no longer on the list");
    await this.#line.send(encodeFrame({ is: "taken", seq: item.seq }));
    if (outcome === "new") this.#parts.arrived();
  }

  async write(untilPoked: () => Promise<void>, signal: AbortSignal): Promise<void> {
    await this.#line.send(encodeFrame(await greetingFor(this.#parts, this.#peer)));
    let saidCurrent = -Infinity;
    while (!signal.aborted) {
      const moved = this.#sent === undefined ? false : await this.#sendSome(this.#sent);
      if (moved) continue;
      const upTo = this.#sent === undefined ? undefined : await this.#parts.upToDate(this.#peer.entry);
      if (
        upTo !== undefined &&
        upTo <= this.#taken &&
        this.#parts.clock.monotonicMs() - saidCurrent >= currentEveryMs
      ) {
        saidCurrent = this.#parts.clock.monotonicMs();
        await this.#line.send(encodeFrame({ is: "current", seq: upTo }));
      }
      await untilPoked();
    }
  }

  /** True when something was sent. */
  async #sendSome(after: number): Promise<boolean> {
    const room = ahead - (after - this.#taken);
    if (room <= 0) return false;
    const of = { constellation: this.#parts.constellation, entry: this.#peer.entry };
    const { db } = this.#parts.store;
    const items = await itemsAfter(db, of, after, room);
    if (items.length > 0 && (await findStream(db, of)) === undefined) return false;
    for (const { seq, id, kind, body, at_ms } of items) {
      const item = { is: "item", seq, id, kind: kind as MeshItem["kind"], at_ms, body } as const;
      this.#sent = seq;
      await this.#line.send(encodeFrame(item));
    }
    return items.length > 0;
  }
}
