// A page to the owner on its way to the root: put in, answered, or taken back while the root has not got it.

import type { Escalated, MeshContext, Peer } from "./mesh-context.ts";
import { changeItem, findItem, findStream } from "./mesh.sql.ts";
import { putItem } from "./outbox.ts";
import type { PageBody } from "../../protocol/mesh-bodies.ts";

export async function putPage(context: MeshContext, root: Peer, page: { id: string; body: PageBody }): Promise<void> {
  await context.store.write((tx) => putItem(context, tx, root, { kind: "page", ...page }));
}

/** True when it was still here, and is an empty item now: the root will not bring it, unless it took it in the moment in which the line broke. */
export async function takePageBack(context: MeshContext, root: Peer, id: string): Promise<boolean> {
  const of = { constellation: context.constellation, entry: root.entry };
  return context.store.write(async (tx) => {
    const item = await findItem(tx.db, of, id);
    const stream = await findStream(tx.db, of);
    if (item === undefined || stream === undefined) return false;
    await changeItem(tx, of, item.seq, { kind: "void", body: "{}" });
    return true;
  });
}

export async function answerPage(context: MeshContext, to: Peer, id: string, { told, says }: Escalated): Promise<void> {
  const body = { page: id, told, says: says.slice(0, 2_000) };
  await context.store.write((tx) => putItem(context, tx, to, { kind: "page.told", id: `${id}.told`, body }));
}
