// How far each side is: what is said at a greeting, where to go on, and the transaction in which an item is taken in.

import type { Greeting, MeshItem } from "../../protocol/mesh.ts";
import { makeId } from "../../protocol/ids.ts";
import {
  changeStream,
  dropItemsUpTo,
  findArrival,
  findStream,
  firstHeld,
  forgetTold,
  numberAnew,
  type OfEntry,
} from "./mesh.sql.ts";
import { type MeshContext, type Peer, peerOf } from "./mesh-context.ts";
import { openStream } from "./outbox.ts";

const ofPeer = ({ constellation }: MeshContext, { entry }: Peer): OfEntry => ({ constellation, entry });

export async function greetingFor(context: MeshContext, peer: Peer): Promise<Greeting> {
  return context.store.write(async (tx) => {
    const row = await openStream(context, tx, peer);
    const first = (await firstHeld(tx.db, ofPeer(context, peer))) ?? row.last_seq + 1;
    const taken = row.their_stream === null ? null : { stream: row.their_stream, seq: row.their_seq };
    return { is: "greeting", stream: row.stream, first, taken, now_ms: tx.nowMs };
  });
}

/**
 * Where to go on with our items; `anew` when the peer knows more of our stream than we do. Then our record is an older one, from a backup: the same
 * numbers would be other items, so what we hold gets numbers in a new stream.
 */
export async function goOnAfter(context: MeshContext, peer: Peer, { taken }: Greeting): Promise<number | "anew"> {
  const of = ofPeer(context, peer);
  return context.store.write(async (tx) => {
    const row = await openStream(context, tx, peer);
    const first = (await firstHeld(tx.db, of)) ?? row.last_seq + 1;
    if (taken === null || taken.stream !== row.stream) return first - 1;
    if (taken.seq <= row.last_seq) {
      const held_bytes = row.held_bytes - (await dropItemsUpTo(tx, of, taken.seq));
      await changeStream(tx, of, { taken_seq: Math.max(row.taken_seq, taken.seq), held_bytes });
      return Math.max(taken.seq, first - 1);
    }
    const last_seq = await numberAnew(tx, of);
    const stream = makeId("mst", tx.nowMs, context.random.bytes(10));
    await changeStream(tx, of, { stream, last_seq, taken_seq: 0 });
    await forgetTold(tx, of);
    return "anew";
  });
}

/** Takes down where the peer's stream begins. Answers how many items it no longer has, which we never took. */
export async function theirStart(context: MeshContext, peer: Peer, greeting: Greeting): Promise<number> {
  const of = ofPeer(context, peer);
  return context.store.write(async (tx) => {
    const row = await openStream(context, tx, peer);
    const isSame = row.their_stream === greeting.stream;
    const before = isSame ? row.their_seq : 0;
    const missing = Math.max(0, greeting.first - 1 - before);
    const their_seq = Math.max(before, greeting.first - 1);
    const skew_ms = greeting.now_ms - tx.nowMs;
    await changeStream(tx, of, { their_stream: greeting.stream, their_seq, heard_ms: tx.nowMs, skew_ms });
    // A peer that was never heard of begins where it begins.
    const isLoss = missing > 0 && row.their_stream !== null;
    if (isLoss)
      await tx.record({
        type: "mesh.items-missing",
        subject: `peer:${peer.peer}`,
        actor: "daemon",
        data: { peer: peer.peer, items: missing, new_stream: !isSame },
      });
    return isLoss ? missing : 0;
  });
}

export type Taking = "new" | "known" | "out of order" | "not on the list";

/** One transaction: the item and the number up to which everything is here. */
export async function takeItem(context: MeshContext, peer: Peer, item: MeshItem): Promise<Taking> {
  // An eviction counts from its commit on, also for what was on its way.
  if ((await peerOf(context, peer.entry)) === undefined) return "not on the list";
  const of = ofPeer(context, peer);
  return context.store.write(async (tx) => {
    const row = await findStream(tx.db, of);
    if (row === undefined) return "not on the list";
    if (item.seq <= row.their_seq) return "known";
    if (item.seq !== row.their_seq + 1) return "out of order";
    await changeStream(tx, of, { their_seq: item.seq, heard_ms: tx.nowMs });
    if ((await findArrival(tx.db, of, item.id)) !== undefined) return "known";
    const { id, seq, kind, body } = item;
    await tx.insert("mesh_arrivals", {
      ...of,
      peer: peer.peer,
      id,
      seq,
      kind,
      body,
      state: "waiting",
      problem: null,
      tries: 0,
      due_ms: tx.nowMs,
      heard_ms: tx.nowMs,
      done_ms: null,
    });
    return "new";
  });
}

/** The peer has taken everything up to this number. */
export async function noteTaken(context: MeshContext, peer: Peer, seq: number): Promise<void> {
  const of = ofPeer(context, peer);
  await context.store.write(async (tx) => {
    const row = await findStream(tx.db, of);
    if (row === undefined || seq <= row.taken_seq) return;
    const held_bytes = row.held_bytes - (await dropItemsUpTo(tx, of, seq));
    await changeStream(tx, of, { taken_seq: seq, held_bytes, heard_ms: tx.nowMs });
  });
}

/** What the peer said up to this number is how things are there now, if all of it has been taken in. */
export async function noteCurrent(context: MeshContext, peer: Peer, seq: number): Promise<void> {
  const of = ofPeer(context, peer);
  await context.store.write(async (tx) => {
    const row = await findStream(tx.db, of);
    if (row === undefined || seq > row.their_seq) return;
    await changeStream(tx, of, { known_ms: tx.nowMs, heard_ms: tx.nowMs });
  });
}
