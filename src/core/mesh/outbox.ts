// Puts an item into the stream for a peer. It is durable with the transaction that puts it in, and stays until the peer says that it has taken
// it. A full outbox refuses: nothing that was put in is ever dropped to make room.

import { type ItemKind, largestBodyBytes } from "../../protocol/mesh.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { MeshStreamsTable } from "../../store/tables/mesh-items.ts";
import { changeStream, findItem, findStream } from "./mesh.sql.ts";
import type { MeshContext, Peer } from "./mesh-context.ts";

/** A sibling that is away for a week leaves some thousand items. */
export const mostItems = 20_000;
export const mostBytes = 256 * 1024 * 1024;

export interface NewItem {
  readonly kind: ItemKind;
  readonly body: object;
  /** The same item put in again is one item. */
  readonly id: string;
}

type Putting = Pick<MeshContext, "constellation" | "random">;

/** Inside a job. False when it is there already. */
export async function putItem(context: Putting, tx: Tx, to: Peer, item: NewItem): Promise<boolean> {
  const body = JSON.stringify(item.body);
  const bytes = Buffer.byteLength(JSON.stringify(body));
  if (bytes > largestBodyBytes)
    throw new Refusal("mesh.too-large", `${bytes} bytes are too many for one item to ${to.peer}`, {
      peer: to.peer,
      bytes,
      most: largestBodyBytes,
    });
  const of = { constellation: context.constellation, entry: to.entry };
  const stream = await openStream(context, tx, to);
  if ((await findItem(tx.db, of, item.id)) !== undefined) return false;
  const items = stream.last_seq - stream.taken_seq;
  if (items >= mostItems || stream.held_bytes + bytes > mostBytes)
    throw new Refusal("mesh.outbox-full", `${items} items wait for ${to.peer}; no more are taken until it answers`, {
      peer: to.peer,
      items,
    });
  const seq = stream.last_seq + 1;
  await tx.insert("mesh_outbox", { ...of, seq, id: item.id, kind: item.kind, body, bytes, at_ms: tx.nowMs });
  await changeStream(tx, of, { last_seq: seq, held_bytes: stream.held_bytes + bytes });
  return true;
}

/** Inside a job. The stream to a peer, begun if there is none yet. */
export async function openStream({ constellation, random }: Putting, tx: Tx, to: Peer): Promise<MeshStreamsTable> {
  const known = await findStream(tx.db, { constellation, entry: to.entry });
  if (known !== undefined) return known;
  const fresh: MeshStreamsTable = {
    constellation,
    entry: to.entry,
    peer: to.peer,
    stream: makeId("mst", tx.nowMs, random.bytes(10)),
    last_seq: 0,
    taken_seq: 0,
    held_bytes: 0,
    their_stream: null,
    their_seq: 0,
    heard_ms: null,
    known_ms: null,
    skew_ms: null,
  };
  await tx.insert("mesh_streams", fresh);
  return fresh;
}
