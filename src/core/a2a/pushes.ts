// The addresses that are told of a request, as its sender sets them. Whether an address may be told anything is looked at again each time.

import { a2aLimits, type A2aPush } from "../../protocol/a2a.ts";
import { Refusal } from "../../protocol/errors.ts";
import { makeId } from "../../protocol/ids.ts";
import type { InputOf } from "../../protocol/operation.ts";
import type { setPush as operation } from "../../protocol/operations/a2a.ts";
import type { Tx } from "../../store/group-commit.ts";
import type { A2aPushesTable, A2aRequestsTable } from "../../store/tables/a2a.ts";
import type { Context } from "../context.ts";
import { deletePush, pushesOf, updatePush } from "./a2a.sql.ts";
import type { A2aContext } from "./a2a-context.ts";
import { ownRequest } from "./request.ts";

export type PushWish = InputOf<typeof operation>["push"];

export async function setPush(context: A2aContext, input: { request: string; push: PushWish }): Promise<A2aPush> {
  return context.store.write(async (tx) => {
    const row = await ownRequest(tx.db, context, input.request);
    return await keepPush(context, tx, row, input.push);
  });
}

/** Inside a job. One with the same id is replaced. */
export async function keepPush(context: A2aContext, tx: Tx, row: A2aRequestsTable, push: PushWish): Promise<A2aPush> {
  const address = {
    url: push.url,
    token: push.token ?? null,
    scheme: push.scheme ?? null,
    credentials: push.credentials ?? null,
  };
  const complaint = context.a2a.complaintAboutPush(address);
  if (complaint !== undefined) throw new Refusal("a2a.push-address", complaint, {});
  const before = await pushesOf(tx.db, context.constellation, row.id);
  const id = push.id ?? makeId("a2p", tx.nowMs, context.random.bytes(10));
  const key = { constellation: context.constellation, request: row.id, id };
  // What happened before it was set is in the answer to whoever set it.
  const fresh = { ...address, sent_seq: row.seq, outages: 0, retry_ms: null, problem: null };
  if (before.some((one) => one.id === id)) await updatePush(tx, key, fresh);
  else {
    if (before.length >= a2aLimits.pushes)
      throw new Refusal("a2a.too-many", `a task may have ${a2aLimits.pushes} addresses that are told of it`, {});
    await tx.insert("a2a_pushes", { ...key, ...fresh, created_ms: tx.nowMs });
  }
  return { id, request: row.id, ...address };
}

export async function listPushes(context: Context, { request }: { request: string }): Promise<{ pushes: A2aPush[] }> {
  const { store, constellation } = context;
  await ownRequest(store.db, context, request);
  return { pushes: (await pushesOf(store.db, constellation, request)).map(shownPush) };
}

const shownPush = ({ id, request, url, token, scheme, credentials }: A2aPushesTable): A2aPush => ({
  id,
  request,
  url,
  token,
  scheme,
  credentials,
});

/** Dropped twice, it is gone once. */
export async function dropPush(
  context: Context,
  { request, id }: { request: string; id: string },
): Promise<{ id: string }> {
  const { store, constellation } = context;
  return store.write(async (tx) => {
    await ownRequest(tx.db, context, request);
    await deletePush(tx, { constellation, request, id });
    return { id };
  });
}
